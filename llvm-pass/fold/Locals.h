// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Local arrays that ranks may share: a frame cannot be shared, so that such an array lies elsewhere while it is folded.
#pragma once

namespace llvm {
class AllocaInst;
class Constant;
} // namespace llvm

namespace gnomon {

/// Lets \p local lie where the runtime says (the hook gnomon_local, with the site's \p record), or on the stack where it
/// says nothing. \p local is deleted.
///
/// The array on the stack becomes one of a size that is computed, also where the size is a constant: else the frame would
/// have room for it in any case, and the probes of large frames (fibers/StackProbes) would touch a sixteenth of its pages.
void placeElsewhere(llvm::AllocaInst &local, llvm::Constant &record);

} // namespace gnomon
