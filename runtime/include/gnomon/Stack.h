// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What code that the pass compiles and the runtime's stacks agree on.
#pragma once

/// Bytes below each stack that no access reaches without a fault, and so the longest step by which
/// a large frame may be entered unseen: the pass has every GNOMON_STACK_GUARD_BYTES of a frame
/// touched at its entry, and frames that are smaller not at all. A step of one page would make all
/// pages of a large frame the rank's own, though the arrays in it may never be used.
#define GNOMON_STACK_GUARD_BYTES 65536
