// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The options of a run, as the driver handed them over in the environment variable GNOMON_RUN:
/// lines `name=value`, the names of gnomon/Options.def. Without the variable the program runs
/// alone, as one rank.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::launch {

class Options {
public:
  /// Reads GNOMON_RUN. Throws InputError on a line that no option of the table explains.
  static Options fromEnvironment();
  /// The same from \p text; \p text null: a program that runs alone.
  static Options parse(const char *text);

  /// Whether the program was started by `gnomon run`.
  bool launched() const { return launched_; }

  /// The value given, or the table's default. \p name must be in the table.
  const std::string &text(std::string_view name) const;
  /// All values of an option that may stand several times, in order.
  const std::vector<std::string> &all(std::string_view name) const;
  /// The same, cut at their commas, one a line.
  std::string lines(std::string_view name) const;
  bool flag(std::string_view name) const { return text(name) == "1"; }
  /// A whole number of at least \p least. Throws InputError that names the option.
  uint64_t count(std::string_view name, uint64_t least = 0) const;
  /// A duration in seconds, 0 or more. Throws InputError that names the option.
  double seconds(std::string_view name) const;
  /// A speed in flop/s, with an optional unit (`2.5Gf`).
  double flopsPerSecond(std::string_view name) const;
  /// A size with an SI or binary suffix (`64KiB`, `8M`), in bytes.
  uint64_t bytes(std::string_view name) const;

private:
  bool launched_ = false;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

} // namespace gnomon::launch
