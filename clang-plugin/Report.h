// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two faces of `gnomon analyze`: a table for people and JSON for programs.
//
// JSON: {"version": 1, "variables": [{"name", "symbol", "file", "line", "column", "type", "bytes"
// (null: unknown), "storage", "thread_local", "fate", "reason"}…], "totals": {"variables",
// "privatised_bytes"}, "failed": [file…]}; variables in order of file, line, column. `fate` and
// `storage` are the names in Statics.h. A new key leaves the version; a changed or removed one
// raises it.
#pragma once

#include "Statics.h"
#include "llvm/Support/raw_ostream.h"

namespace gnomon {

void printTable(llvm::raw_ostream &out, const std::vector<StaticVariable> &variables);

/// `failed`: source files that could not be parsed, so that their variables are missing.
void printJson(llvm::raw_ostream &out, const std::vector<StaticVariable> &variables,
               const std::vector<std::string> &failed);

} // namespace gnomon
