// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/merge/Areas.h"

#include "process/image/PageFile.h"

#include <algorithm>

namespace gnomon::process::merge {

constexpr size_t PageBytes = PageFile::PageBytes;

Areas::ByAddress::iterator Areas::at(uintptr_t address) {
  auto area = areas_.upper_bound(address);
  if (area == areas_.begin())
    return areas_.end();
  --area;
  return address < area->first + area->second.pages.size() * PageBytes ? area : areas_.end();
}

Page *Areas::pageAt(uintptr_t address) {
  const auto area = at(address);
  return area == areas_.end() ? nullptr : &area->second.pages[(address - area->first) / PageBytes];
}

std::optional<Areas::Chunk> Areas::next(uintptr_t &cursor, size_t pages) {
  auto area = at(cursor);
  if (area == areas_.end()) {
    area = areas_.upper_bound(cursor);
    if (area == areas_.end())
      area = areas_.begin();
    if (area == areas_.end())
      return std::nullopt;
    cursor = area->first;
  }
  const size_t first = (cursor - area->first) / PageBytes;
  return Chunk{area->first, &area->second, first,
               std::min(pages, area->second.pages.size() - first)};
}

} // namespace gnomon::process::merge
