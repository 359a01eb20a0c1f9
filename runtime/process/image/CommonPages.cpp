// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/CommonPages.h"

#include "process/image/Mappings.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <utility>

namespace gnomon::process {
namespace {

constexpr size_t PageBytes = PageFile::PageBytes;
/// What is copied at a time.
constexpr size_t PieceBytes = 64 * PageBytes;
/// Zeros between two parts of a table that are not worth a mapping.
constexpr size_t MostGapBytes = 4 * PageBytes;
/// A variable that all ranks use should not lie in the same few places of a cache.
constexpr uint32_t MostPlaces = 8;

/// The part's pages that hold \p slots, which are in ascending order.
uint64_t pagesWith(std::span<const size_t> slots, Part part) {
  uint64_t pages = 0;
  size_t last = SIZE_MAX;
  for (auto slot = std::lower_bound(slots.begin(), slots.end(), part.offset);
       slot != slots.end() && *slot < part.end(); ++slot)
    if (std::exchange(last, *slot / PageBytes) != *slot / PageBytes)
      ++pages;
  return pages;
}

/// The pages that lie wholly in \p part of a copy that begins at \p copy.
Part pagesOf(Part part, uintptr_t copy) {
  const uintptr_t begin = wholePages(copy + part.offset);
  const uintptr_t end = (copy + part.end()) / PageBytes * PageBytes;
  return begin < end ? Part{begin - copy, end - begin} : Part{part.offset, 0};
}

bool isZero(std::span<const char> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == 0; });
}

} // namespace

CommonPages::CommonPages(std::span<const Part> filled, std::span<const size_t> slots) {
  std::vector<size_t> sorted(slots.begin(), slots.end());
  std::sort(sorted.begin(), sorted.end());
  for (const Part &part : filled)
    if (!tables_.empty() && part.offset - tables_.back().part.end() <= MostGapBytes) {
      tables_.back().filledBytes += part.bytes;
      tables_.back().part.bytes = part.end() - tables_.back().part.offset;
    } else {
      tables_.push_back({part, part.bytes, {}});
    }
  for (Table &table : tables_)
    table.filledBytes -= std::min(table.filledBytes, PageBytes * pagesWith(sorted, table.part));
  std::erase_if(tables_, [](const Table &table) { return table.filledBytes < LeastBytes; });
  std::sort(tables_.begin(), tables_.end(), [](const Table &a, const Table &b) {
    return std::pair(b.filledBytes, a.part.offset) < std::pair(a.filledBytes, b.part.offset);
  });
}

uint64_t CommonPages::bytes() const {
  return std::accumulate(tables_.begin(), tables_.end(), uint64_t{0},
                         [](uint64_t sum, const Table &table) { return sum + table.filledBytes; });
}

uint32_t CommonPages::places(uint32_t ranks) {
  return std::clamp(std::bit_floor(ranks / MostPlaces), 1U, MostPlaces);
}

std::vector<uint32_t> CommonPages::plan(uint32_t ranks) const {
  std::vector<uint32_t> counts;
  uint64_t left = tables_.empty() ? 0 : mappingsLeft() / 4;
  for (size_t i = 0; i < tables_.size(); ++i) {
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(ranks, left / 2));
    left -= 2 * uint64_t{count};
    counts.push_back(count);
  }
  return counts;
}

/// Makes it the first time.
const CommonPages::Shown *CommonPages::find(Table &table, uintptr_t phase, Part pages,
                                            const Reader &read) {
  for (const Shown &shown : table.shown)
    if (shown.phase == phase)
      return &shown;
  const std::optional<size_t> offset = isRefused_ ? std::nullopt : file_.extend(pages.bytes);
  isRefused_ = !offset || !fill(*offset, pages, read);
  return isRefused_ ? nullptr : &table.shown.emplace_back(Shown{phase, *offset});
}

bool CommonPages::fill(size_t offset, Part pages, const Reader &read) const {
  std::vector<char> piece(PieceBytes);
  for (size_t at = 0; at < pages.bytes; at += PieceBytes) {
    const size_t bytes = std::min(PieceBytes, pages.bytes - at);
    read({pages.offset + at, bytes}, piece.data());
    if (!isZero({piece.data(), bytes}) && !file_.write(offset + at, piece.data(), bytes))
      return false;
  }
  return true;
}

Part CommonPages::show(size_t table, char *copy, const Reader &read) {
  const auto begin = reinterpret_cast<uintptr_t>(copy);
  const Part pages = pagesOf(tables_[table].part, begin);
  const Shown *shown = pages.bytes ? find(tables_[table], begin % PageBytes, pages, read) : nullptr;
  if (shown && file_.mapPrivate(copy + pages.offset, pages.bytes, shown->offset))
    return pages;
  return {pages.offset, 0};
}

} // namespace gnomon::process
