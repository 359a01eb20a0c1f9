// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A command of `gnomon calibrate` with its options, checked against CalibrateOptions.def.
#pragma once

#include "Subcommands.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::driver {

class CalibrateCommandLine {
public:
  /// \p arguments: what stands behind the command's name. Throws UsageError.
  CalibrateCommandLine(std::string command, const Arguments &arguments);

  bool has(std::string_view option) const { return values_.contains(std::string(option)); }
  /// The value of \p option; \p without where it is not given.
  std::string value(std::string_view option, std::string_view without) const;
  /// A whole number from \p least to \p most; \p without where it is not given. Throws UsageError.
  uint64_t count(std::string_view option, uint64_t without, uint64_t least, uint64_t most) const;
  const std::vector<std::string> &files() const { return files_; }

private:
  void take(const Arguments &arguments, size_t &at);

  std::string command_;
  std::map<std::string, std::string> values_;
  std::vector<std::string> files_;
};

#define GNOMON_CALIBRATE_COMMAND(name, function, arguments, help)                                  \
  int function(const CalibrateCommandLine &line);
#define GNOMON_CALIBRATE_OPTION(name, commands, metavariable, help)
#include "CalibrateOptions.def"
#undef GNOMON_CALIBRATE_COMMAND
#undef GNOMON_CALIBRATE_OPTION

} // namespace gnomon::driver
