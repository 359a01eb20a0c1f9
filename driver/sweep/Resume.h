// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Going on with a sweep that was cut short: its JSON says which rows it has, and what they come from.
#pragma once

#include "sweep/Table.h"

#include <string>

namespace gnomon::sweep {

/// Takes over from \p text, which an earlier sweep wrote to \p file, the rows that ended well: runs
/// that failed are worth another try. Returns how many. Throws InputError with \p file where it is no
/// sweep's JSON, is damaged, or where its rows come from something else than those of \p table would
/// (Table::axes, Table::origin); the message names the first difference.
size_t resume(Table &table, const std::string &text, const std::string &file);

} // namespace gnomon::sweep
