// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/SwapSections.h"

#include "gnomon/Module.h"

#include <algorithm>
#include <cstring>

namespace gnomon::process {

void SwapDifferences::add(Word word) {
  if (count_ < Near) {
    values_[count_] = word.value;
    places_[count_] = word.place;
  } else {
    if (!more_)
      more_ = std::make_unique<std::vector<Word>>();
    more_->push_back(word);
  }
  ++count_;
}

static uint64_t read(const char *at, size_t bytes) {
  uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

void SwapSections::add(const gnomon_module &module) {
  const auto bytes = static_cast<size_t>(module.swap_end - module.swap_begin);
  if (bytes == 0)
    return;
  sections_.push_back({module.swap_begin, bytes, words_.size()});
  for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
    words_.push_back({module.swap_begin + at, std::min(sizeof(uint64_t), bytes - at)});
    initial_.push_back(read(words_.back().at, words_.back().bytes));
  }
  shown_.insert(shown_.end(), initial_.begin() + static_cast<ptrdiff_t>(shown_.size()),
                initial_.end());
}

bool SwapSections::isAsShown() const {
  return std::all_of(sections_.begin(), sections_.end(), [&](const Section &section) {
    return std::memcmp(section.begin, &shown_[section.firstWord], section.bytes) == 0;
  });
}

void SwapSections::findDifferences(SwapDifferences &rank) {
  rank.clear();
  different_.clear();
  for (uint32_t place = 0; place < words_.size(); ++place) {
    shown_[place] = read(words_[place].at, words_[place].bytes);
    if (shown_[place] == initial_[place])
      continue;
    rank.add({shown_[place], place});
    different_.push_back(place);
  }
}

inline void SwapSections::write(uint32_t place, uint64_t value) {
  shown_[place] = value;
  std::memcpy(words_[place].at, &value, words_[place].bytes);
}

void SwapSections::place(const SwapDifferences &rank) {
  for (uint32_t place : different_)
    write(place, initial_[place]);
  different_.clear();
  rank.forEach([&](const SwapDifferences::Word &word) {
    write(word.place, word.value);
    different_.push_back(word.place);
  });
}

} // namespace gnomon::process
