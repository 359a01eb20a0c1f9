// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mpi/datatype/FlatLayout.h"

#include "mpi.h"

namespace gnomon::mpi {

namespace {

constexpr size_t NumbersPerLoop = 4;

/// False: there is no room for all of them.
bool append(const Layout &layout, size_t most, std::vector<int64_t> &numbers) {
  for (const Loop &loop : layout) {
    if (numbers.size() + NumbersPerLoop > most)
      return false;
    numbers.insert(numbers.end(),
                   {loop.offset, loop.count, loop.stride,
                    loop.body ? -static_cast<int64_t>(loop.body->size()) : loop.bytes});
    if (loop.body && !append(*loop.body, most, numbers))
      return false;
  }
  return true;
}

/// Reads a list of numbers that may be damaged.
class Reader {
public:
  explicit Reader(std::span<const int64_t> numbers) : numbers_(numbers) {}

  bool atEnd() const { return numbers_.empty(); }

  /// The next \p loops as one type; null: that is not what stands there.
  OwnedType layout(int64_t loops, int depth) {
    if (loops <= 0 || depth > MostDepth ||
        loops > static_cast<int64_t>(numbers_.size() / NumbersPerLoop))
      return nullptr;
    if (areRuns(loops))
      return runs(static_cast<size_t>(loops));
    std::vector<int64_t> offsets;
    std::vector<OwnedType> types;
    std::vector<const Datatype *> parts;
    for (int64_t i = 0; i < loops; ++i) {
      if (numbers_.size() < NumbersPerLoop || !isNear(numbers_[0]))
        return nullptr;
      offsets.push_back(numbers_[0]);
      types.push_back(loop(depth));
      if (!types.back())
        return nullptr;
      parts.push_back(types.back().get());
    }
    return OwnedType(Datatype::structure(std::vector<int64_t>(parts.size(), 1), offsets, parts));
  }

private:
  static constexpr int MostDepth = 64;
  static constexpr int64_t Far = int64_t{1} << 60;

  static bool isNear(int64_t distance) { return distance > -Far && distance < Far; }

  bool areRuns(int64_t loops) const {
    for (size_t at = 0; at < static_cast<size_t>(loops) * NumbersPerLoop; at += NumbersPerLoop)
      if (numbers_[at + 1] != 1 || numbers_[at + 3] <= 0)
        return false;
    return true;
  }

  /// An irregular type has a million runs: no type for each of them.
  OwnedType runs(size_t count) {
    std::vector<int64_t> offsets, bytes;
    int64_t whole = 0;
    for (size_t i = 0; i < count; ++i, numbers_ = numbers_.subspan(NumbersPerLoop)) {
      offsets.push_back(numbers_[0]);
      bytes.push_back(numbers_[3]);
      if (!isNear(numbers_[0]) || !isNear(numbers_[3]) ||
          __builtin_add_overflow(whole, numbers_[3], &whole) || !isNear(whole))
        return nullptr;
    }
    return OwnedType(Datatype::hindexed(bytes, offsets, Datatype::predefined(MPI_BYTE)));
  }

  /// The next loop, from offset 0 on.
  OwnedType loop(int depth) {
    const int64_t count = numbers_[1], stride = numbers_[2], bytes = numbers_[3];
    numbers_ = numbers_.subspan(NumbersPerLoop);
    int64_t reach = 0, whole = 0;
    if (count <= 0 || bytes == 0 || !isNear(bytes) ||
        __builtin_mul_overflow(count, stride, &reach) || !isNear(reach))
      return nullptr;
    OwnedType body = bytes > 0
                         ? OwnedType(Datatype::contiguous(bytes, Datatype::predefined(MPI_BYTE)))
                         : layout(-bytes, depth + 1);
    if (!body || __builtin_mul_overflow(count, body->size(), &whole) || !isNear(whole) ||
        !isNear(body->trueLowerBound()) || !isNear(body->trueExtent()))
      return nullptr;
    return count == 1 ? std::move(body) : OwnedType(Datatype::hvector(count, 1, stride, *body));
  }

  std::span<const int64_t> numbers_;
};

} // namespace

std::vector<int64_t> flatten(const Layout &layout, size_t most) {
  std::vector<int64_t> numbers{static_cast<int64_t>(layout.size())};
  if (!append(layout, most, numbers))
    numbers.clear();
  return numbers;
}

OwnedType typeOfLayout(std::span<const int64_t> numbers, int64_t extent) {
  if (numbers.empty())
    return nullptr;
  OwnedType type;
  if (numbers[0] == 0 && numbers.size() == 1) {
    type.reset(Datatype::contiguous(0, Datatype::predefined(MPI_BYTE)));
  } else {
    Reader reader(numbers.subspan(1));
    type = reader.layout(numbers[0], 0);
    if (!reader.atEnd())
      return nullptr;
  }
  if (!type)
    return nullptr;
  OwnedType resized(Datatype::resized(*type, 0, extent));
  resized->commit();
  return resized;
}

} // namespace gnomon::mpi
