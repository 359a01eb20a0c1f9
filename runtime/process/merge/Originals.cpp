// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/merge/Originals.h"

#include <cstring>

namespace gnomon::process::merge {

std::optional<uint32_t> Originals::make(const char *from, size_t count) {
  char *region = pages_.region(count * PageBytes);
  if (!region)
    return std::nullopt;
  if (!begin_)
    begin_ = region;
  std::memcpy(region, from, count * PageBytes);
  const uint32_t first = numberOf(reinterpret_cast<uintptr_t>(region));
  shown_.resize(first + count, 0);
  return first;
}

bool Originals::show(char *place, uint32_t first, size_t count) {
  if (!pages_.mapPrivately(place, place + count * PageBytes, at(first)))
    return false;
  for (uint32_t number = first; number < first + count; ++number)
    if (shown_[number]++ == 0)
      ++count_;
  return true;
}

void Originals::drop(uint32_t first, size_t count) {
  fold::SharedPages::discard(const_cast<char *>(at(first)), count * PageBytes);
}

void Originals::release(uint32_t number) {
  if (--shown_[number] > 0)
    return;
  --count_;
  drop(number, 1);
}

} // namespace gnomon::process::merge
