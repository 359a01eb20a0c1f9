// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/Call.h"

#include "support/Error.h"

namespace gnomon::replay {

Call::Call(const Binding &binding, const trace::Function &function, std::span<const int64_t> values,
           std::vector<size_t> &places)
    : binding_(binding), function_(function), values_(values), places_(binding.places.data()) {
  if (!binding.hasLists && values.size() == function.fields.size()) [[likely]]
    return;
  places.resize(function.fields.size());
  places_ = places.data();
  size_t place = 0;
  for (size_t i = 0; i < function.fields.size(); ++i) {
    places[i] = place;
    if (place >= values.size())
      throw InputError("", 0, "a record with fewer values than its function has fields");
    if (!function.fields[i].list) {
      ++place;
      continue;
    }
    const int64_t length = values[place++];
    if (length < 0 || static_cast<uint64_t>(length) > values.size() - place)
      throw InputError("", 0, "a list that is longer than its record");
    place += static_cast<size_t>(length);
  }
  if (place != values.size())
    throw InputError("", 0, "a record with more values than its function has fields");
}

std::span<const int64_t> Call::list(unsigned field) const {
  const int place = binding_.fields[field];
  if (place < 0)
    return {};
  const size_t at = places_[static_cast<size_t>(place)];
  if (!function_.fields[static_cast<size_t>(place)].list)
    return values_.subspan(at, 1);
  return values_.subspan(at + 1, static_cast<size_t>(values_[at]));
}

Piece Call::otherPiece(unsigned field) const {
  Piece piece;
  if (!has(field))
    return piece;
  if (!isList(field)) {
    piece.count = number(field);
    piece.size = has(field + 1) ? number(field + 1) : 1;
    piece.inPlace = piece.count == trace::InPlace;
    piece.given = piece.count >= 0;
    // Of a receive that takes whatever comes; elsewhere an absent buffer does not count.
    constexpr int64_t Anything = int64_t{1} << 40;
    if (piece.count < 0)
      piece.count = piece.count == trace::Absent ? Anything : 0;
    if (piece.size < 0)
      throw InputError("", 0, "an element of negative size");
    return piece;
  }
  const std::span<const int64_t> counts = list(field);
  piece.inPlace = counts.size() == 1 && counts[0] == trace::InPlace;
  piece.given = !piece.inPlace;
  piece.counts = counts.data();
  piece.length = static_cast<int64_t>(counts.size());
  for (int64_t count : counts)
    if (count < 0 && !piece.inPlace)
      throw InputError("", 0, "a negative count");
  if (isList(field + 1))
    piece.sizes = list(field + 1);
  else if (has(field + 1))
    piece.size = number(field + 1);
  return piece;
}

} // namespace gnomon::replay
