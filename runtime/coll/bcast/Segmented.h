// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A broadcast down any tree, in segments that are passed on while the next one comes.
#pragma once

#include "coll/tree/Tree.h"

namespace gnomon::coll::bcast {

/// \p segmentBytes 0: in one piece. Returns the error class.
int segmented(const BcastArgs &args, const Tree &tree, int64_t segmentBytes);

/// What was asked for, else \p own.
inline int64_t segmentOf(const Call &call, int64_t own) {
  return call.segment >= 0 ? call.segment : own;
}

} // namespace gnomon::coll::bcast
