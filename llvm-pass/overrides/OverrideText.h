// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How overrides are written in annotations, markers and the file: `skip;samples=3;name=stencil`.
#pragma once

#include "overrides/Overrides.h"

#include <string>

namespace gnomon {

/// Adds one clause to \p words. What is wrong with it; empty when nothing is.
std::string parseClause(llvm::StringRef clause, BurstOverride &words);

/// Clauses with ; between them, a name last. The clang plugin has checked them.
BurstOverride parseClauses(llvm::StringRef text);

} // namespace gnomon
