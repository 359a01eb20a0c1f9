// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/IndexSet.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace gnomon::pointsto {
namespace {

using Chunk = IndexSet::Chunk;

/// The first chunk from `at` on whose number is at least `number`: steps that double, for it is
/// mostly near, and most often there.
template <typename Iterator> Iterator seek(Iterator at, Iterator end, uint32_t number) {
  if (at == end || at->number >= number)
    return at;
  ++at;
  std::ptrdiff_t step = 1;
  while (step < end - at && at[step].number < number) {
    at += step;
    step *= 2;
  }
  return std::partition_point(at, step < end - at ? at + step : end,
                              [&](const Chunk &chunk) { return chunk.number < number; });
}

} // namespace

IndexSet IndexSet::of(llvm::SmallVectorImpl<uint32_t> &members) {
  if (!llvm::is_sorted(members))
    std::sort(members.begin(), members.end()); // llvm::sort() compares through a pointer
  IndexSet set;
  for (uint32_t member : members) {
    const uint32_t number = member / Bits, bit = uint32_t{1} << member % Bits;
    if (set.chunks_.empty() || set.chunks_.back().number != number)
      set.chunks_.push_back({number, bit});
    else
      set.chunks_.back().bits |= bit;
  }
  return set;
}

unsigned IndexSet::count() const {
  unsigned members = 0;
  for (const Chunk &chunk : chunks_)
    members += unsigned(llvm::popcount(chunk.bits));
  return members;
}

bool IndexSet::test(uint32_t member) const {
  const Chunk *place = seek(chunks_.begin(), chunks_.end(), member / Bits);
  return place != chunks_.end() && place->number == member / Bits &&
         place->bits >> member % Bits & 1;
}

bool IndexSet::insert(uint32_t member) {
  const uint32_t number = member / Bits, bit = uint32_t(1) << member % Bits;
  if (!chunks_.empty() && chunks_.back().number == number) {
    const bool isNew = !(chunks_.back().bits & bit);
    chunks_.back().bits |= bit;
    return isNew;
  }
  Chunk *place = chunks_.empty() || chunks_.back().number < number
                     ? chunks_.end()
                     : std::partition_point(
                           chunks_.begin(), chunks_.end() - 1,
                           [&](const Chunk &chunk) { return chunk.number < number; });
  if (place == chunks_.end() || place->number != number) {
    chunks_.insert(place, {number, bit});
    return true;
  }
  const bool isNew = !(place->bits & bit);
  place->bits |= bit;
  return isNew;
}

/// Members of chunks that are there first; then, from the back, the chunks that are not.
bool IndexSet::operator|=(const IndexSet &other) {
  if (this == &other)
    return false;
  uint32_t added = 0;
  size_t missing = 0;
  Chunk *place = chunks_.begin(), *const end = chunks_.end();
  for (const Chunk &chunk : other.chunks_) {
    place = seek(place, end, chunk.number);
    if (place == end || place->number != chunk.number) {
      ++missing;
      continue;
    }
    added |= chunk.bits & ~place->bits;
    place->bits |= chunk.bits;
    ++place; // where the next is, most often
  }
  if (!missing)
    return added;
  size_t mine = chunks_.size();
  chunks_.resize_for_overwrite(mine + missing);
  Chunk *to = chunks_.end();
  for (const Chunk *from = other.chunks_.end(); missing;) {
    --from;
    while (mine && chunks_[mine - 1].number > from->number)
      *--to = chunks_[--mine];
    if (mine && chunks_[mine - 1].number == from->number)
      continue;
    *--to = *from;
    --missing;
  }
  return true;
}

/// Replaces the bits of each chunk by what `combine` makes of them and the other's.
template <typename Combine> void IndexSet::restrict(const IndexSet &other, Combine combine) {
  Chunk *to = chunks_.begin();
  const Chunk *from = other.chunks_.begin(), *end = other.chunks_.end();
  for (const Chunk &chunk : chunks_) {
    from = seek(from, end, chunk.number);
    const bool both = from != end && from->number == chunk.number;
    if (const uint32_t bits = combine(chunk.bits, both ? from->bits : 0))
      *to++ = {chunk.number, bits};
    from += both;
  }
  chunks_.truncate(size_t(to - chunks_.begin()));
}

void IndexSet::operator&=(const IndexSet &other) {
  restrict(other, [](uint32_t mine, uint32_t others) { return mine & others; });
}

void IndexSet::operator-=(const IndexSet &other) {
  restrict(other, [](uint32_t mine, uint32_t others) { return mine & ~others; });
}

} // namespace gnomon::pointsto
