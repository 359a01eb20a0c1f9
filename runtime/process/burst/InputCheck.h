// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files that were read when decisions were recorded, against those that a run reads which is given them.
#pragma once

#include "process/burst/InputLog.h"

#include <set>
#include <string>
#include <vector>

namespace gnomon::process::burst {

/// Names of files, each list in the order of the names.
struct InputDifferences {
  std::vector<std::string> changed;    ///< they hold something else than when they were recorded
  std::vector<std::string> missing;    ///< they were recorded, and are not there
  std::vector<std::string> unrecorded; ///< they are read, and were not recorded
  std::vector<std::string> unread;     ///< they were recorded, and are not read

  size_t count() const {
    return changed.size() + missing.size() + unrecorded.size() + unread.size();
  }
  /// A sentence without an end for each list that is not empty.
  std::vector<std::string> sentences() const;
};

class InputCheck {
public:
  /// Looks at the files as they are now, as seen from the present directory.
  explicit InputCheck(const std::vector<InputLog> &recorded);

  /// The file is one of those recorded.
  bool knows(const InputFile &file) const { return keys_.contains(file.key); }
  /// What can be known before the run.
  InputDifferences before() const;
  /// The same of a run that has read \p files and has come to its end.
  InputDifferences after(const std::vector<InputFile> &files) const;

private:
  enum class State : uint8_t { Same, Changed, Missing };
  struct Recorded {
    std::string path;
    State state;
    std::vector<FileKey> keys; ///< of its files; empty when some are missing
  };
  std::vector<Recorded> recorded_;
  std::set<FileKey> keys_; ///< of all
};

} // namespace gnomon::process::burst
