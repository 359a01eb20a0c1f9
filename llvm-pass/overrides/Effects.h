// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What users say of functions outside the program, which no table knows, in a file that the
/// environment variable GNOMON_EFFECTS names at the link (docs/overrides.md):
///
///   function my_norm:  reads 0, returns value
///   function my_sweep: reads 0 2-3, updates 1
///
/// The words are those of Externals.def, from the argument's side to the other.
#pragma once

#include "facts/Externals.h"

#include <optional>
#include <string>
#include <vector>

namespace gnomon {

/// One line of the file.
struct EffectsLine {
  std::string function;
  Effect effect;
};

/// Parses \p text without its comment; fills \p error when it is wrong. Nothing when the line is
/// empty or wrong.
std::optional<EffectsLine> parseEffectsLine(llvm::StringRef text, std::string &error);

/// The rows of the file of GNOMON_EFFECTS for functions that the module declares, under their
/// symbols. A wrong line is an error of the link; a function that is not called is a remark.
std::vector<NamedEffect> readEffects(const llvm::Module &module);

} // namespace gnomon
