// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tells the user what became of each variable.
///
/// Remarks are off unless the link has -Rpass=gnomon (what was done), -Rpass-missed=gnomon (what
/// could not be) or -Wl,--opt-remarks-filename,FILE (all, as YAML). With -g they name file and
/// line. What may change results is also a warning.
#pragma once

#include "privatise/Residence.h"

namespace gnomon {

void reportResidence(const llvm::Module &module, const Residence &residence);

/// Warns of each object of the link that has variables of its own and that the pass does not see.
void reportNativeObjects(const llvm::Module &module, const NativeObjects &natives);

} // namespace gnomon
