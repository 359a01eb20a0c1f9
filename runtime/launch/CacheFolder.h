// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where what one run finds out is kept for the next.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace gnomon::launch {

/// As XDG's base directories have it; it need not be there yet. Empty: the environment names none.
inline std::filesystem::path cacheFolder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache == '/')
    return std::filesystem::path(cache) / "gnomon";
  if (home && *home == '/')
    return std::filesystem::path(home) / ".cache/gnomon";
  return {};
}

/// Makes \p folder, which is the cache or lies in it; whether it is there. A home that is not there is nobody's:
/// /nonexistent, as system users have.
inline bool makeCacheFolder(const std::filesystem::path &folder) {
  std::error_code failed;
  const std::filesystem::path home = cacheFolder().parent_path().parent_path();
  if (!std::filesystem::is_directory(home, failed))
    return false;
  std::filesystem::create_directories(folder, failed);
  return !failed;
}

} // namespace gnomon::launch
