// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The options of a run, as the driver handed them over in the environment variable GNOMON_RUN:
/// lines `name=value`, the names of gnomon/Options.def. Without the variable the program runs
/// alone, as one rank.
#pragma once

#include "support/Number.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::launch {

/// The type of each kind of option.
namespace kind {
using Text = std::string;
using Path = std::string;
using Count = uint64_t;
using Seconds = double; ///< 0 or more
using Flag = bool;
using Mode = std::string;               ///< empty: not given; "1": as a flag
using Texts = std::vector<std::string>; ///< all values given, in order
} // namespace kind

/// The value given to each option of the table, or the table's default.
struct Options {
  /// Reads GNOMON_RUN. Throws InputError on a line that no option of the table explains, and on a
  /// value that is not of the option's kind.
  static Options fromEnvironment();
  /// The same from \p text; \p text null: a program that runs alone.
  static Options parse(const char *text);

  /// Whether the program was started by `gnomon run`.
  bool launched = false;

  /// What --shadow=learn has come to (launch/Learning.h): where decisions are recorded, or given from.
  struct Learned {
    std::string path;
    std::string date; ///< of what is given; empty: it is recorded
    std::string why;  ///< it is recorded, though something was there; empty: nothing was
  };
  Learned learned;

  /// The trace that the ranks play (gnomon replay); empty: they run a program.
  std::string replayed;

#define GNOMON_OPTION(id, name, kindOf, initial, form, place, page, help, metavariable)            \
  kind::kindOf id = {};
#include "gnomon/Options.def"
#undef GNOMON_OPTION
};

/// \p values cut at their commas, one a line.
std::string cutAtCommas(const kind::Texts &values);
/// Reads the number in a text such as `2.5Gf`. Throws InputError that names \p option, as it is
/// spelt on the command line.
double readQuantity(const char *option, const std::string &text, Unit unit);

} // namespace gnomon::launch
