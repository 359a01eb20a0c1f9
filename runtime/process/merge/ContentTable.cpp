// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/merge/ContentTable.h"

#include "process/image/PageFile.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace gnomon::process::merge {
namespace {

constexpr size_t Lanes = 4, LeastEntries = 1024;
/// Odd numbers without a pattern: the fractions of the square roots of 2, 3, 5 and 7.
constexpr uint64_t Factors[Lanes] = {0x6a09e667f3bcc909, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                     0xa54ff53a5f1d36f1};

uint64_t mixed(uint64_t value) {
  constexpr int Half = 32;
  value ^= value >> Half;
  value *= Factors[0];
  return value ^ value >> Half;
}

} // namespace

Content contentOf(const char *page) {
  constexpr int Turn = 29;
  uint64_t lanes[Lanes] = {1, 2, 3, 4}, all = 0;
  for (size_t at = 0; at < PageFile::PageBytes; at += sizeof lanes) {
    uint64_t words[Lanes];
    std::memcpy(words, page + at, sizeof words);
    for (size_t i = 0; i < Lanes; ++i) {
      all |= words[i];
      lanes[i] = std::rotl((lanes[i] ^ words[i]) * Factors[i], Turn);
    }
  }
  uint64_t hash = 0;
  for (const uint64_t lane : lanes)
    hash = mixed(hash ^ lane);
  return {std::max<uint64_t>(hash, 1), all == 0};
}

/// Where the content is, or the free entry where it would be. The hash's high bits say where to begin.
size_t ContentTable::placeOf(uint64_t hash) const {
  constexpr int WordBits = 64;
  const auto scaled = static_cast<unsigned __int128>(hash) * entries_.size();
  auto place = static_cast<size_t>(scaled >> WordBits);
  while (entries_[place].hash != 0 && entries_[place].hash != hash)
    if (++place == entries_.size())
      place = 0;
  return place;
}

uintptr_t ContentTable::find(uint64_t hash) const {
  return entries_.empty() ? 0 : entries_[placeOf(hash)].page;
}

void ContentTable::set(uint64_t hash, uintptr_t page) {
  if (4 * (used_ + 1) > 3 * entries_.size())
    grow();
  Entry &entry = entries_[placeOf(hash)];
  used_ += entry.hash == 0;
  entry = {hash, page};
}

void ContentTable::grow() {
  std::vector<Entry> old = std::exchange(entries_, {});
  std::erase_if(old, [this](const Entry &entry) {
    return entry.hash == 0 || !isValid_(entry.hash, entry.page);
  });
  entries_.resize(std::max(LeastEntries, 2 * old.size()));
  for (const Entry &entry : old)
    entries_[placeOf(entry.hash)] = entry;
  used_ = old.size();
}

} // namespace gnomon::process::merge
