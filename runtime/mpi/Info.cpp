// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Info objects.
#include "mpi/Info.h"

#include <algorithm>

namespace gnomon::mpi {

const std::string *Info::find(std::string_view key) const {
  for (const auto &[name, value] : entries_)
    if (name == key)
      return &value;
  return nullptr;
}

void Info::set(std::string_view key, std::string_view value) {
  for (auto &[name, old] : entries_)
    if (name == key) {
      old = value;
      return;
    }
  entries_.emplace_back(key, value);
}

bool Info::remove(std::string_view key) {
  return std::erase_if(entries_, [&](const auto &entry) { return entry.first == key; }) > 0;
}

template <> Info *findPredefined<Info>(process::Rank &, MPI_Info handle) {
  static Info environment; // MPI_INFO_ENV: how the program was started; Gnomon has nothing to say
  return reinterpret_cast<uintptr_t>(handle) == 0x131 ? &environment : nullptr;
}

} // namespace gnomon::mpi
