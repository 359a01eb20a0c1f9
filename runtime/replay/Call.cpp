// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/Call.h"

#include "support/Error.h"

#include <cmath>

namespace gnomon::replay {

Call::Call(const Binding &binding, const trace::Function &function, std::span<const int64_t> values,
           CallMemory &memory)
    : binding_(binding), function_(function), values_(values), places_(binding.places.data()),
      memory_(memory) {
  if (!binding.hasLists && values.size() == function.fields.size()) [[likely]]
    return;
  std::vector<size_t> &places = memory.places;
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

Piece Call::recordedPiece(unsigned field) const {
  Piece piece;
  if (!has(field))
    return piece;
  if (!isList(field)) {
    piece.count = number(field);
    piece.size = has(field + 1) ? number(field + 1) : 1;
    piece.inPlace = piece.count == trace::InPlace;
    piece.given = piece.count >= 0;
    // Of a receive that takes whatever comes; elsewhere an absent buffer does not count.
    if (piece.count < 0)
      piece.count = piece.count == trace::Absent ? Piece::Anything : 0;
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

namespace {

/// A whole number of bytes. Who sends and who receives may tell the same bytes by other counts and
/// sizes: both come to the same sum, for it is the sum that is rounded.
int64_t scaledBytes(int64_t count, int64_t size, double factor) {
  constexpr double Most = 1e18;
  const double bytes = std::round(static_cast<double>(count) * static_cast<double>(size) * factor);
  if (!(bytes <= Most))
    throw InputError("", 0, "--scale-bytes makes more than 1e18 bytes of a buffer");
  return static_cast<int64_t>(bytes);
}

/// The size that elements of \p size get, if it is whole; else 0.
int64_t wholeSize(int64_t size, double factor) {
  const double scaled = static_cast<double>(size) * factor;
  return scaled >= 1 && scaled <= 1e9 && scaled == std::floor(scaled) ? static_cast<int64_t>(scaled)
                                                                      : 0;
}

} // namespace

/// Elements get another size, so that collectives cut buffers where they did; where that would be no
/// whole number, the buffer is told in bytes.
void Call::scale(Piece &piece) const {
  const double factor = binding_.bytesFactor;
  if (!piece.counts) {
    if (const int64_t size = wholeSize(piece.size, factor);
        size > 0 || piece.count == Piece::Anything)
      piece.size = size > 0 ? size : piece.size;
    else {
      piece.count = scaledBytes(piece.count, piece.size, factor);
      piece.size = 1;
    }
    return;
  }
  const auto length = static_cast<size_t>(piece.length);
  if (piece.sizes.empty() && wholeSize(piece.size, factor) > 0) {
    piece.size = wholeSize(piece.size, factor);
    return;
  }
  if (piece.sizes.size() != (piece.sizes.empty() ? 0 : length))
    throw InputError("", 0, "as many counts as sizes are expected");
  std::vector<int64_t> bytes(length);
  for (size_t i = 0; i < length; ++i)
    bytes[i] =
        scaledBytes(piece.counts[i], piece.sizes.empty() ? piece.size : piece.sizes[i], factor);
  memory_.scaled.push_back(std::move(bytes));
  piece.counts = memory_.scaled.back().data();
  piece.size = 1;
  if (!piece.sizes.empty()) {
    memory_.scaled.emplace_back(length, 1);
    piece.sizes = memory_.scaled.back();
  }
}

Piece Call::otherPiece(unsigned field) const {
  Piece piece = recordedPiece(field);
  if (binding_.bytesFactor != 1 && !piece.inPlace) [[unlikely]]
    scale(piece);
  return piece;
}

Piece Call::receivedPiece(unsigned field) const {
  Piece piece = recordedPiece(field);
  if (binding_.takesWhatever && !piece.inPlace) [[unlikely]]
    piece.count = Piece::Anything;
  return piece;
}

} // namespace gnomon::replay
