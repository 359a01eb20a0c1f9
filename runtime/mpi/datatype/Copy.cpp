// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies between typed buffers. Whole elements against contiguous bytes go through loops over the
/// layout
/// (`move`), whose innermost body is a fixed-size copy for the common block sizes; a part of an
/// element, and copies between two different layouts, go run by run through cursors.
#include "mpi/datatype/Datatype.h"
#include "process/fold/Nowhere.h"

#include <algorithm>
#include <cstring>

namespace gnomon::mpi {

namespace {

enum class Direction { Pack, Unpack };

template <Direction direction> inline void moveBlock(char *typed, char *bytes, size_t count) {
  if constexpr (direction == Direction::Pack)
    std::memcpy(bytes, typed, count);
  else
    std::memcpy(typed, bytes, count);
}

template <Direction direction, int64_t Block>
char *moveFixedBlocks(char *typed, char *bytes, int64_t count, int64_t stride) {
  for (int64_t i = 0; i < count; ++i, typed += stride, bytes += Block)
    moveBlock<direction>(typed, bytes, Block);
  return bytes;
}

template <Direction direction>
char *moveBlocks(char *typed, char *bytes, int64_t count, int64_t stride, int64_t block) {
  switch (block) {
  case 4:
    return moveFixedBlocks<direction, 4>(typed, bytes, count, stride);
  case 8:
    return moveFixedBlocks<direction, 8>(typed, bytes, count, stride);
  case 16:
    return moveFixedBlocks<direction, 16>(typed, bytes, count, stride);
  case 24:
    return moveFixedBlocks<direction, 24>(typed, bytes, count, stride);
  default:
    for (int64_t i = 0; i < count; ++i, typed += stride, bytes += block)
      moveBlock<direction>(typed, bytes, static_cast<size_t>(block));
    return bytes;
  }
}

/// Moves one layout's data between `typed` and `bytes`; returns where the bytes end.
template <Direction direction> char *move(const Layout &layout, char *typed, char *bytes) {
  for (const Loop &loop : layout) {
    char *start = typed + loop.offset;
    if (!loop.body) {
      bytes = moveBlocks<direction>(start, bytes, loop.count, loop.stride, loop.bytes);
      continue;
    }
    for (int64_t i = 0; i < loop.count; ++i, start += loop.stride)
      bytes = move<direction>(*loop.body, start, bytes);
  }
  return bytes;
}

/// Moves the first \p limit bytes of \p count elements. Returns the bytes moved.
template <Direction direction>
int64_t moveElements(char *typed, int64_t count, const Datatype &type, char *bytes, int64_t limit) {
  const int64_t size = type.size();
  if (size == 0 || count <= 0 || limit <= 0)
    return 0;
  const int64_t total = std::min(limit, count * size);
  if (process::fold::isNowhere(typed) || process::fold::isNowhere(bytes)) [[unlikely]]
    return total;
  if (type.contiguous(count)) {
    moveBlock<direction>(typed, bytes, static_cast<size_t>(total));
    return total;
  }
  const int64_t whole = total / size;
  const Layout &layout = type.layout();
  if (layout.size() == 1 && layout[0].isRun()) {
    bytes = moveBlocks<direction>(typed + layout[0].offset, bytes, whole, type.extent(), size);
  } else {
    for (int64_t i = 0; i < whole; ++i)
      bytes = move<direction>(layout, typed + i * type.extent(), bytes);
  }
  int64_t rest = total - whole * size;
  if (rest == 0)
    return total;
  typed += whole * type.extent();
  for (LayoutCursor cursor(layout, 1, 0); rest > 0;) {
    const int64_t run = std::min(rest, cursor.available());
    moveBlock<direction>(typed + cursor.offset(), bytes, static_cast<size_t>(run));
    bytes += run;
    rest -= run;
    cursor.advance(run);
  }
  return total;
}

/// Moves data from one layout to the same layout elsewhere.
void moveSame(const Layout &layout, const char *source, char *destination) {
  for (const Loop &loop : layout) {
    int64_t at = loop.offset;
    for (int64_t i = 0; i < loop.count; ++i, at += loop.stride) {
      if (loop.body)
        moveSame(*loop.body, source + at, destination + at);
      else
        std::memcpy(destination + at, source + at, static_cast<size_t>(loop.bytes));
    }
  }
}

int64_t copyRuns(const char *source, int64_t sourceCount, const Datatype &sourceType,
                 char *destination, int64_t destinationCount, const Datatype &destinationType) {
  LayoutCursor from(sourceType.layout(), sourceCount, sourceType.extent());
  LayoutCursor to(destinationType.layout(), destinationCount, destinationType.extent());
  int64_t copied = 0;
  while (!from.done() && !to.done()) {
    const int64_t run = std::min(from.available(), to.available());
    std::memcpy(destination + to.offset(), source + from.offset(), static_cast<size_t>(run));
    copied += run;
    from.advance(run);
    to.advance(run);
  }
  return copied;
}

} // namespace

int64_t copyTyped(const void *source, int64_t sourceCount, const Datatype &sourceType,
                  void *destination, int64_t destinationCount, const Datatype &destinationType) {
  const auto *from = static_cast<const char *>(source);
  auto *to = static_cast<char *>(destination);
  const int64_t bytes =
      std::min(sourceCount * sourceType.size(), destinationCount * destinationType.size());
  if (bytes <= 0)
    return 0;
  if (process::fold::isNowhere(from) || process::fold::isNowhere(to)) [[unlikely]]
    return bytes;
  const bool sourceContiguous = sourceType.contiguous(sourceCount);
  const bool destinationContiguous = destinationType.contiguous(destinationCount);
  if (sourceContiguous && destinationContiguous) {
    if (from != to)
      std::memcpy(to, from, static_cast<size_t>(bytes));
    return bytes;
  }
  if (destinationContiguous)
    return packBytes(source, sourceCount, sourceType, destination, bytes);
  if (sourceContiguous)
    return unpackBytes(source, bytes, destination, destinationCount, destinationType);
  if (&sourceType == &destinationType) {
    if (from == to)
      return bytes;
    const int64_t elements = std::min(sourceCount, destinationCount);
    for (int64_t i = 0; i < elements; ++i)
      moveSame(sourceType.layout(), from + i * sourceType.extent(), to + i * sourceType.extent());
    return bytes;
  }
  return copyRuns(from, sourceCount, sourceType, to, destinationCount, destinationType);
}

int64_t packBytes(const void *source, int64_t count, const Datatype &type, void *bytes,
                  int64_t limitBytes) {
  return moveElements<Direction::Pack>(static_cast<char *>(const_cast<void *>(source)), count, type,
                                       static_cast<char *>(bytes), limitBytes);
}

int64_t unpackBytes(const void *bytes, int64_t byteCount, void *destination, int64_t count,
                    const Datatype &type) {
  return moveElements<Direction::Unpack>(static_cast<char *>(destination), count, type,
                                         static_cast<char *>(const_cast<void *>(bytes)), byteCount);
}

int64_t basicElements(const Datatype &type, int64_t bytes) {
  if (bytes == 0 || type.size() == 0)
    return 0;
  int64_t count = bytes / type.size() * type.basicCount();
  int64_t rest = bytes % type.size();
  if (rest == 0)
    return count;
  for (const Datatype::Part &part : type.parts()) {
    const int64_t partBytes = part.repeat * part.type->size();
    if (rest < partBytes) {
      const int64_t within = basicElements(*part.type, rest);
      return within < 0 ? -1 : count + within;
    }
    count += part.repeat * part.type->basicCount();
    rest -= partBytes;
    if (rest == 0)
      return count;
  }
  return -1; // the bytes end within a basic element
}

} // namespace gnomon::mpi
