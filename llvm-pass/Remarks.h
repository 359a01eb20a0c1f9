// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tells the user what became of each variable.
///
/// Remarks are off unless asked for at the link: -Wl,-mllvm,-pass-remarks=gnomon for what was done,
/// -Wl,-mllvm,-pass-remarks-missed=gnomon for what could not be, or -Wl,--opt-remarks-filename=FILE for all as YAML.
/// What may change results is also a warning.
#pragma once

#include "Residence.h"

namespace gnomon {

void reportResidence(const llvm::Module &module, const Residence &residence);

} // namespace gnomon
