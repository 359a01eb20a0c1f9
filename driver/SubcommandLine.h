// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The command line behind `gnomon trace info` or `gnomon calibrate fit`: options and files,
/// checked against the table of the subcommand's options (TraceOptions.def, CalibrateOptions.def).
#pragma once

#include "Subcommands.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::driver {

/// A row of the table.
struct SubcommandOption {
  std::string_view name;
  std::string_view commands; ///< that take it, with blanks between
  bool isSwitch;             ///< it takes no value
};

class SubcommandLine {
public:
  /// \p subcommand and \p command: "trace" and "info". \p arguments: what stands behind these.
  /// `-o` is `--output`, `-h` is `--help`; of an option that is given twice the last value counts.
  /// Throws UsageError.
  SubcommandLine(std::string_view subcommand, std::string_view command,
                 std::span<const SubcommandOption> options, const Arguments &arguments);

  bool has(std::string_view option) const { return values_.contains(std::string(option)); }
  /// The value of \p option; \p without where it is not given.
  std::string value(std::string_view option, std::string_view without = "") const;
  /// A whole number from \p least to \p most; \p without where it is not given. Throws UsageError.
  uint64_t count(std::string_view option, uint64_t without, uint64_t least, uint64_t most) const;

  const std::vector<std::string> &files() const { return files_; }
  /// The files, of which there must be so many. Throws UsageError.
  const std::vector<std::string> &files(size_t count) const;
  /// "trace info": what messages begin with.
  const std::string &name() const { return name_; }

private:
  void take(std::string_view command, std::span<const SubcommandOption> options,
            const Arguments &arguments, size_t &at);

  std::string name_, subcommand_;
  std::map<std::string, std::string> values_;
  std::vector<std::string> files_;
};

} // namespace gnomon::driver
