// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files without data, for a replay: a file is the number of its bytes. Writing makes it longer,
/// reading finds the end where it is; so disks and servers are asked for what they were asked for
/// in the run that is replayed, and nothing is stored.
#pragma once

#include "io/FileSystem.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace gnomon::io {

class SizesOnly : public FileSystem {
public:
  /// What the recorded run found when it opened a file.
  struct Found {
    int errorClass = 0; ///< 0: it was opened
    int64_t bytes = 0;
  };
  /// The next opening of \p path finds \p found. A file that somebody has open is as it is.
  void expect(const std::string &path, Found found) { expected_[path] = found; }

  Opening open(const std::string &path, int amode) override;
  Error remove(const std::string &path) override;

private:
  std::map<std::string, Found> expected_;
  std::map<std::string, std::weak_ptr<StoredFile>> open_; ///< by path, if it was not removed
};

} // namespace gnomon::io
