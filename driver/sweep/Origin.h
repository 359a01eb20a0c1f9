// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the rows of a sweep come from, beside what is varied: two sweeps of one origin have the same
/// rows, as far as runs can be repeated at all.
#pragma once

#include <string>
#include <vector>

namespace gnomon::sweep {

struct Origin {
  struct File {
    std::string name; ///< as it was given; of what a platform names, with the platform's folder
    std::string hash; ///< XXH64 of its content, as `xxhsum -H64` prints it; of a huge one its size
  };
  std::string gnomon;                 ///< the version
  std::vector<std::string> options;   ///< that every run gets, as they were given
  std::vector<std::string> arguments; ///< of the program; of a trace none
  std::vector<File> files;            ///< trace or program first, then those that words name
};

} // namespace gnomon::sweep
