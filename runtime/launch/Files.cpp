// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where files lie: `--io` and `--io-servers`.
#include "launch/Setup.h"
#include "support/Error.h"

#include <filesystem>
#include <optional>
#include <sstream>

namespace gnomon::launch {

io::Settings ioSettings(const Options &options, const platform::Platform &platform) {
  constexpr std::string_view kept = "scratch:";
  io::Settings settings;
  settings.sizesOnly = !options.replayed.empty();
  const std::string &where = options.io;
  settings.scratch = where == "scratch" || where.starts_with(kept);
  if (!settings.scratch && where != "real")
    throw InputError("--io", 0, "'" + where + "' is no place; real, scratch and scratch:DIR are");
  if (where.starts_with(kept)) {
    std::error_code failed;
    settings.scratchDirectory = std::filesystem::absolute(where.substr(kept.size()), failed);
    std::filesystem::create_directories(settings.scratchDirectory, failed);
    if (failed || where.size() == kept.size())
      throw InputError("--io", 0, "no directory '" + where.substr(kept.size()) + "' can be made");
  }
  std::istringstream names(cutAtCommas(options.ioServers));
  for (std::string name; std::getline(names, name);) {
    std::optional<platform::HostIndex> host = platform.findHost(name);
    if (!host)
      throw InputError("--io-servers", 0, "the platform has no host '" + name + "'");
    settings.servers.push_back(*host);
  }
  return settings;
}

} // namespace gnomon::launch
