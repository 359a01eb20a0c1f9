// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Info objects: ordered (key, value) pairs (MPI 4.1, chapter 10). Keys that Gnomon does not use
/// are kept and given back.
#pragma once

#include "mpi/Handle.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gnomon::mpi {

class Info {
public:
  /// Null when there is no such key.
  const std::string *find(std::string_view key) const;
  void set(std::string_view key, std::string_view value);
  /// False when there is no such key.
  bool remove(std::string_view key);
  const std::vector<std::pair<std::string, std::string>> &entries() const { return entries_; }

private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

} // namespace gnomon::mpi
