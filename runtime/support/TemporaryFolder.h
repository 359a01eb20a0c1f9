// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A folder that goes with the object that made it, and all that is in it too: for files that are
/// needed for a moment. It lies in TMPDIR, or in /tmp. Only programs of the driver use it; nothing
/// of it is in the runtime's library.
#pragma once

#include "support/Error.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace gnomon {

class TemporaryFolder {
public:
  /// Throws InputError where none can be made.
  TemporaryFolder() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path parent = fs::absolute(fs::temp_directory_path(error), error);
    std::string name = (parent / "gnomon-XXXXXX").string();
    if (!error && !mkdtemp(name.data()))
      error.assign(errno, std::generic_category());
    if (error)
      throw InputError(parent.empty() ? "TMPDIR" : parent.string(), 0,
                       "no temporary folder can be made here (" + error.message() +
                           "); name another place by TMPDIR");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::filesystem::path &path() const { return path_; }
  std::filesystem::path file(const std::string &name) const { return path_ / name; }

private:
  std::filesystem::path path_;
};

} // namespace gnomon
