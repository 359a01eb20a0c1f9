// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names of the runtime's hooks, so that one that is not in Hooks.def does not compile.
#pragma once

namespace gnomon::hook {
#define GNOMON_HOOK(Result, Name, Parameters, Purpose) inline constexpr char Name[] = #Name;
#include "gnomon/Hooks.def"
#undef GNOMON_HOOK
} // namespace gnomon::hook
