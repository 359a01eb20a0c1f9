// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: thousands of random nested datatypes have the sizes, bounds and byte order of a naive
// type map that follows the text of the standard entry by entry; regular types stay short however
// many blocks they have.
#include "mpi/datatype/Datatype.h"
#include "mpi/test/MpiWorld.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

namespace gnomon::mpi {
namespace {

/// A type map (MPI 4.1, section 5.1): one entry per basic element, in order.
struct TypeMap {
  struct Entry {
    int64_t at, bytes;
  };
  std::vector<Entry> entries;
  std::optional<int64_t> lowMark, highMark;
  int64_t alignment = 1;

  int64_t size() const {
    int64_t sum = 0;
    for (const Entry &e : entries)
      sum += e.bytes;
    return sum;
  }
  int64_t trueLow() const {
    int64_t low = std::numeric_limits<int64_t>::max();
    for (const Entry &e : entries)
      low = std::min(low, e.at);
    return entries.empty() ? 0 : low;
  }
  int64_t trueHigh() const {
    int64_t high = std::numeric_limits<int64_t>::min();
    for (const Entry &e : entries)
      high = std::max(high, e.at + e.bytes);
    return entries.empty() ? 0 : high;
  }
  int64_t low() const { return lowMark ? *lowMark : trueLow(); }
  int64_t high() const {
    if (highMark)
      return *highMark;
    int64_t high = trueHigh();
    if (!entries.empty())
      while ((high - low()) % alignment != 0)
        ++high;
    return high;
  }
  int64_t extent() const { return high() - low(); }

  void append(const TypeMap &other, int64_t at) {
    for (const Entry &e : other.entries)
      entries.push_back({at + e.at, e.bytes});
    if (other.lowMark)
      lowMark = std::min(lowMark.value_or(at + *other.lowMark), at + *other.lowMark);
    if (other.highMark)
      highMark = std::max(highMark.value_or(at + *other.highMark), at + *other.highMark);
    if (!other.entries.empty())
      alignment = std::max(alignment, other.alignment);
  }
  void append(const TypeMap &other, int64_t at, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      append(other, at + i * other.extent());
  }
};

struct Pair {
  Datatype *type;
  TypeMap map;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : engine_(seed) {}
  int in(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<uint64_t>(high - low + 1));
  }

  /// A type of at most \p depth levels and a few thousand entries.
  Pair make(int depth) {
    if (depth == 0 || in(0, 5) == 0)
      return basic();
    switch (in(0, 10)) {
    case 0: {
      Pair old = make(depth - 1);
      const int count = in(0, 4);
      TypeMap map;
      map.append(old.map, 0, count);
      return {Datatype::contiguous(count, *old.type), map};
    }
    case 1:
    case 2:
      return vector(make(depth - 1));
    case 3:
    case 4:
      return indexed(make(depth - 1));
    case 5:
      return structure(depth);
    case 6: {
      Pair old = make(depth - 1);
      const int low = in(-16, 16), extent = in(-8, 64);
      TypeMap map = old.map;
      map.lowMark = low;
      map.highMark = low + extent;
      return {Datatype::resized(*old.type, low, extent), map};
    }
    case 7:
      return subarray(make(depth - 1));
    case 8: {
      Pair old = make(depth - 1);
      return {Datatype::duplicate(*old.type), old.map};
    }
    case 9:
      return darray(make(depth - 1));
    default:
      return blocks(make(depth - 1));
    }
  }

private:
  Pair basic() {
    static const uintptr_t codes[] = {0x243, 0x208, 0x209, 0x214, 0x220, 0x229, 0x22c};
    Datatype &type = Datatype::predefined(codes[in(0, 6)]);
    TypeMap map;
    map.alignment = type.extent() == 32 ? 16 : type.extent();
    if (type.predefinedCode() == 0x229) { // double, int
      map.entries = {{0, 8}, {8, 4}};
      map.alignment = 8;
    } else if (type.predefinedCode() == 0x22c) { // short, int
      map.entries = {{0, 2}, {4, 4}};
      map.alignment = 4;
    } else {
      map.entries = {{0, type.size()}};
    }
    return {&type, map};
  }
  Pair vector(Pair old) {
    const int count = in(0, 4), block = in(0, 3);
    TypeMap map;
    if (in(0, 1)) {
      const int stride = in(-5, 6);
      for (int i = 0; i < count; ++i)
        map.append(old.map, i * stride * old.map.extent(), block);
      return {Datatype::vector(count, block, stride, *old.type), map};
    }
    const int stride = in(-40, 80);
    for (int i = 0; i < count; ++i)
      map.append(old.map, i * stride, block);
    return {Datatype::hvector(count, block, stride, *old.type), map};
  }
  Pair indexed(Pair old) {
    std::vector<int> lengths, displacements;
    std::vector<int64_t> bytes;
    const bool regular = in(0, 1), inBytes = in(0, 1);
    const int count = in(0, 6), step = in(1, 4), length = in(1, 2);
    TypeMap map;
    for (int i = 0; i < count; ++i) {
      lengths.push_back(regular ? length : in(0, 3));
      displacements.push_back(regular ? i * step : in(-6, 12));
      bytes.push_back(inBytes && !regular ? in(-60, 90) : displacements.back() * 8);
      map.append(old.map, inBytes ? bytes.back() : displacements.back() * old.map.extent(),
                 lengths.back());
    }
    return {inBytes ? Datatype::hindexed(lengths, bytes, *old.type)
                    : Datatype::indexed(lengths, displacements, *old.type),
            map};
  }
  Pair blocks(Pair old) {
    std::vector<int> displacements;
    std::vector<int64_t> bytes;
    const int count = in(0, 5), length = in(0, 3);
    const bool inBytes = in(0, 1);
    TypeMap map;
    for (int i = 0; i < count; ++i) {
      displacements.push_back(in(-4, 9));
      bytes.push_back(in(-60, 90));
      map.append(old.map, inBytes ? bytes.back() : displacements.back() * old.map.extent(), length);
    }
    return {inBytes ? Datatype::hindexedBlock(length, bytes, *old.type)
                    : Datatype::indexedBlock(length, displacements, *old.type),
            map};
  }
  Pair structure(int depth) {
    std::vector<int> lengths;
    std::vector<int64_t> bytes;
    std::vector<const Datatype *> types;
    TypeMap map;
    for (int i = in(0, 4); i > 0; --i) {
      Pair part = make(depth - 1);
      lengths.push_back(in(0, 2));
      bytes.push_back(in(-30, 120));
      types.push_back(part.type);
      map.append(part.map, bytes.back(), lengths.back());
    }
    return {Datatype::structure(lengths, bytes, types), map};
  }
  Pair subarray(Pair old) {
    const int dimensions = in(1, 3);
    const auto order = in(0, 1) ? ArrayOrder::C : ArrayOrder::Fortran;
    std::vector<int> sizes, subsizes, starts;
    for (int d = 0; d < dimensions; ++d) {
      sizes.push_back(in(1, 4));
      subsizes.push_back(in(1, sizes.back()));
      starts.push_back(in(0, sizes.back() - subsizes.back()));
    }
    std::vector<std::vector<int>> indices;
    for (int d = 0; d < dimensions; ++d) {
      indices.emplace_back();
      for (int i = 0; i < subsizes[size_t(d)]; ++i)
        indices.back().push_back(starts[size_t(d)] + i);
    }
    return {Datatype::subarray(sizes, subsizes, starts, order, *old.type),
            arrayMap(old.map, sizes, indices, order)};
  }
  Pair darray(Pair old) {
    const int dimensions = in(1, 3);
    const auto order = in(0, 1) ? ArrayOrder::C : ArrayOrder::Fortran;
    std::vector<int> sizes, distributions, arguments, grid;
    int processes = 1;
    for (int d = 0; d < dimensions; ++d) {
      sizes.push_back(in(1, 6));
      distributions.push_back(in(16, 18));
      grid.push_back(distributions.back() == 16 ? 1 : in(1, 3));
      const int whole = (sizes.back() + grid.back() - 1) / grid.back();
      arguments.push_back(in(0, 1)                     ? 19
                          : distributions.back() == 17 ? in(whole, whole + 2)
                                                       : in(1, 3));
      processes *= grid.back();
    }
    const int rank = in(0, processes - 1);
    std::vector<std::vector<int>> indices(sizes.size());
    int rest = rank;
    for (size_t d = size_t(dimensions); d-- > 0;) {
      const int coordinate = rest % grid[d];
      rest /= grid[d];
      int block = sizes[d];
      if (distributions[d] == 17)
        block = arguments[d] == 19 ? (sizes[d] + grid[d] - 1) / grid[d] : arguments[d];
      else if (distributions[d] == 18)
        block = arguments[d] == 19 ? 1 : arguments[d];
      for (int i = 0; i < sizes[d]; ++i)
        if (i / block % grid[d] == coordinate)
          indices[d].push_back(i);
    }
    return {
        Datatype::darray(processes, rank, sizes, distributions, arguments, grid, order, *old.type),
        arrayMap(old.map, sizes, indices, order)};
  }
  /// The elements of an array whose index in every dimension is among \p indices.
  TypeMap arrayMap(const TypeMap &old, const std::vector<int> &sizes,
                   const std::vector<std::vector<int>> &indices, ArrayOrder order) {
    TypeMap map;
    std::vector<size_t> slowToFast(sizes.size());
    std::iota(slowToFast.begin(), slowToFast.end(), 0);
    if (order == ArrayOrder::Fortran)
      std::reverse(slowToFast.begin(), slowToFast.end());
    std::vector<int> index(sizes.size());
    auto descend = [&](auto &self, size_t level) -> void {
      if (level == sizes.size()) {
        int64_t element = 0;
        for (size_t d : slowToFast)
          element = element * sizes[d] + index[d];
        map.append(old, element * old.extent());
        return;
      }
      const size_t d = slowToFast[level];
      for (int i : indices[d]) {
        index[d] = i;
        self(self, level + 1);
      }
    };
    descend(descend, 0);
    int64_t all = old.extent();
    for (int size : sizes)
      all *= size;
    map.lowMark = 0;
    map.highMark = all;
    return map;
  }
  std::mt19937_64 engine_;
};

/// The bytes of `count` elements, in order, as offsets from the buffer's address.
std::vector<int64_t> positions(const TypeMap &map, int64_t count) {
  std::vector<int64_t> all;
  for (int64_t i = 0; i < count; ++i)
    for (const TypeMap::Entry &e : map.entries)
      for (int64_t k = 0; k < e.bytes; ++k)
        all.push_back(i * map.extent() + e.at + k);
  return all;
}

struct Memory {
  std::vector<char> bytes;
  int64_t origin = 0;
  /// Room for \p positions, filled with a pattern.
  Memory(const std::vector<int64_t> &positions, char seed) {
    int64_t low = 0, high = 1;
    for (int64_t p : positions) {
      low = std::min(low, p);
      high = std::max(high, p + 1);
    }
    origin = 8 - low;
    bytes.resize(static_cast<size_t>(high - low + 16));
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(seed + static_cast<char>(i * 7));
  }
  char *data() { return bytes.data() + origin; }
};

bool overlaps(std::vector<int64_t> positions) {
  std::sort(positions.begin(), positions.end());
  return std::adjacent_find(positions.begin(), positions.end()) != positions.end();
}

constexpr int Trials = 4000;

TEST(Datatype, SizesAndBoundsFollowTheTypeMap) {
  for (int seed = 0; seed < Trials; ++seed) {
    Generator generator(static_cast<uint64_t>(seed));
    const Pair pair = generator.make(3);
    const Datatype &type = *pair.type;
    const TypeMap &map = pair.map;
    ASSERT_EQ(type.size(), map.size()) << seed;
    ASSERT_EQ(type.basicCount(), static_cast<int64_t>(map.entries.size())) << seed;
    ASSERT_EQ(type.lowerBound(), map.low()) << seed;
    ASSERT_EQ(type.extent(), map.extent()) << seed;
    ASSERT_EQ(type.trueLowerBound(), map.trueLow()) << seed;
    ASSERT_EQ(type.trueExtent(), map.trueHigh() - map.trueLow()) << seed;
  }
}

TEST(Datatype, PackAndUnpackFollowTheTypeMap) {
  for (int seed = 0; seed < Trials; ++seed) {
    Generator generator(static_cast<uint64_t>(seed));
    const Pair pair = generator.make(3);
    const int count = generator.in(0, 3);
    const auto where = positions(pair.map, count);
    const auto total = static_cast<int64_t>(where.size());
    const int64_t limit = generator.in(0, 1) ? total : generator.in(0, static_cast<int>(total));
    Memory memory(where, 3);
    std::vector<char> packed(where.size() + 1, 'x'), expected = packed;
    for (int64_t i = 0; i < limit; ++i)
      expected[static_cast<size_t>(i)] = memory.data()[where[static_cast<size_t>(i)]];
    ASSERT_EQ(packBytes(memory.data(), count, *pair.type, packed.data(), limit), limit) << seed;
    ASSERT_EQ(packed, expected) << seed;

    if (overlaps(where))
      continue; // not legal to receive into
    Memory target(where, 100), reference(where, 100);
    for (int64_t i = 0; i < limit; ++i)
      reference.data()[where[static_cast<size_t>(i)]] = packed[static_cast<size_t>(i)];
    ASSERT_EQ(unpackBytes(packed.data(), limit, target.data(), count, *pair.type), limit) << seed;
    ASSERT_EQ(target.bytes, reference.bytes) << seed;
  }
}

TEST(Datatype, CopiesBetweenDifferentTypes) {
  int compared = 0;
  for (int seed = 0; seed < Trials; ++seed) {
    Generator generator(static_cast<uint64_t>(seed));
    const Pair from = generator.make(3);
    const Pair to = seed % 5 == 0 ? from : generator.make(3);
    const int fromCount = generator.in(0, 4), toCount = generator.in(0, 4);
    const auto source = positions(from.map, fromCount), target = positions(to.map, toCount);
    if (overlaps(target))
      continue;
    const size_t bytes = std::min(source.size(), target.size());
    compared += bytes > 0;
    Memory in(source, 9), out(target, 77), reference(target, 77);
    for (size_t i = 0; i < bytes; ++i)
      reference.data()[target[i]] = in.data()[source[i]];
    ASSERT_EQ(copyTyped(in.data(), fromCount, *from.type, out.data(), toCount, *to.type),
              static_cast<int64_t>(bytes))
        << seed;
    ASSERT_EQ(out.bytes, reference.bytes) << seed;
  }
  EXPECT_GT(compared, Trials / 5); // the test looks at something
}

TEST(Datatype, CountsBasicElements) {
  for (int seed = 0; seed < Trials / 4; ++seed) {
    Generator generator(static_cast<uint64_t>(seed));
    const Pair pair = generator.make(3);
    int64_t bytes = 0, elements = 0;
    for (int repeat = 0; repeat < 2; ++repeat)
      for (const TypeMap::Entry &e : pair.map.entries) {
        if (e.bytes > 1)
          ASSERT_EQ(basicElements(*pair.type, bytes + 1), -1) << seed;
        bytes += e.bytes;
        ASSERT_EQ(basicElements(*pair.type, bytes), ++elements) << seed;
      }
  }
}

TEST(Datatype, RegularTypesStayShort) {
  const Datatype &real = Datatype::predefined(uintptr_t{0x214});
  const Datatype *column = Datatype::vector(1'000'000, 1, 1000, real);
  EXPECT_EQ(column->layout().size(), 1u);
  EXPECT_EQ(column->layout()[0].count, 1'000'000);
  // A face of a cube: vector of vectors, two nested loops.
  const Datatype *plane =
      Datatype::hvector(100, 1, 100 * 100 * 8, *Datatype::vector(100, 1, 100, real));
  ASSERT_EQ(plane->layout().size(), 1u);
  // The inner vector ends where the next begins, but for the gap after its last element: not one
  // loop.
  EXPECT_EQ(plane->layout()[0].count *
                (plane->layout()[0].body ? plane->layout()[0].body->front().count : 1),
            10'000);
  // The same column written as 10^5 indexed blocks.
  std::vector<int> lengths(100'000, 2), displacements(100'000);
  for (int i = 0; i < 100'000; ++i)
    displacements[static_cast<size_t>(i)] = 5 * i;
  EXPECT_EQ(Datatype::indexed(lengths, displacements, real)->layout().size(), 1u);
  // Blocks that touch are one run.
  EXPECT_TRUE(Datatype::vector(1000, 4, 4, real)->contiguous());
  EXPECT_TRUE(Datatype::contiguous(7, *Datatype::contiguous(3, real))->contiguous());
  const int sizes[] = {10, 20}, whole[] = {4, 20}, starts[] = {0, 0};
  EXPECT_EQ(Datatype::subarray(sizes, whole, starts, ArrayOrder::C, real)->layout().size(), 1u);
  EXPECT_TRUE(Datatype::subarray(sizes, whole, starts, ArrayOrder::C, real)->contiguous(1));
}

TEST(Datatype, PredefinedTypesAreThoseOfTheCompilers) {
  auto extent = [](uintptr_t code) { return Datatype::predefined(code).extent(); };
  auto size = [](uintptr_t code) { return Datatype::predefined(code).size(); };
#define GNOMON_TYPE(NAME, CODE, TYPE, CLASS)                                                       \
  EXPECT_EQ(size(CODE), static_cast<int64_t>(sizeof(TYPE))) << #NAME;                              \
  EXPECT_EQ(extent(CODE), static_cast<int64_t>(sizeof(TYPE))) << #NAME;                            \
  EXPECT_EQ(Datatype::predefined(uintptr_t{CODE}).name(), "MPI_" #NAME);                           \
  EXPECT_TRUE(Datatype::predefined(uintptr_t{CODE}).committed());
#define GNOMON_PAIR(NAME, CODE, VALUE, INDEX)                                                      \
  EXPECT_EQ(size(CODE), static_cast<int64_t>(sizeof(VALUE) + sizeof(INDEX))) << #NAME;             \
  EXPECT_EQ(Datatype::predefined(uintptr_t{CODE}).basicCount(), 2) << #NAME;
#define GNOMON_ALIAS(NAME, SAME)
#include "mpi/datatype/Predefined.def"
  EXPECT_EQ(extent(0x229), 16); // double, int
  EXPECT_EQ(extent(0x22c), 8);  // short, int
  EXPECT_EQ(extent(0x22d), 32); // long double, int
  EXPECT_EQ(Datatype::findPredefined(reinterpret_cast<MPI_Datatype>(uintptr_t{0x200})), nullptr);
  EXPECT_EQ(Datatype::findPredefined(reinterpret_cast<MPI_Datatype>(uintptr_t{0x300})), nullptr);
  EXPECT_EQ(Datatype::findPredefined(nullptr), nullptr);
}

TEST(Datatype, LivesAsLongAsItIsUsed) {
  Datatype *inner = Datatype::vector(2, 1, 2, Datatype::predefined(uintptr_t{0x209}));
  Datatype *outer = Datatype::contiguous(3, *inner);
  inner->release(); // the user's reference; outer's keeps it
  EXPECT_EQ(outer->contents().types[0]->size(), 8);
  DatatypeRef reference(*outer);
  outer->release();
  EXPECT_EQ(reference->size(), 24);
}

TEST(Datatype, OldBoundMarkersSetTheExtent) {
  const Datatype *types[] = {&Datatype::predefined(LowerBoundMarkerCode),
                             &Datatype::predefined(uintptr_t{0x209}),
                             &Datatype::predefined(UpperBoundMarkerCode)};
  const int lengths[] = {1, 1, 1};
  const int64_t displacements[] = {-4, 0, 20};
  const Datatype *type = Datatype::structure(lengths, displacements, types);
  EXPECT_EQ(type->lowerBound(), -4);
  EXPECT_EQ(type->extent(), 24);
  EXPECT_EQ(type->size(), 4);
}

/// The error class of a one-dimensional distributed array on two processes.
int darrayError(int elements, int distribution, int argument, int processes, int rank = 1) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int error = impl::Type_create_darray(2, rank, 1, &elements, &distribution, &argument,
                                             &processes, MPI_ORDER_C, test::type(MPI_INT), &made);
  if (!error)
    impl::Type_free(&made);
  return error;
}

int subarrayError(int size, int subsize, int start) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int error = impl::Type_create_subarray(1, &size, &subsize, &start, MPI_ORDER_C,
                                               test::type(MPI_INT), &made);
  if (!error)
    impl::Type_free(&made);
  return error;
}

// Intent: arrays are refused that are empty, that the blocks do not cover, or whose part lies
// outside; those that just fit are not. A duplicate is committed when its original is.
TEST(Datatype, ArgumentsOfArrays) {
  test::MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    EXPECT_EQ(darrayError(5, MPI_DISTRIBUTE_BLOCK, 3, 2), MPI_SUCCESS);
    EXPECT_EQ(darrayError(4, MPI_DISTRIBUTE_BLOCK, 2, 2), MPI_SUCCESS);
    EXPECT_EQ(darrayError(5, MPI_DISTRIBUTE_BLOCK, 2, 2), MPI_ERR_ARG);
    EXPECT_EQ(darrayError(5, MPI_DISTRIBUTE_CYCLIC, 1, 2), MPI_SUCCESS);
    EXPECT_EQ(darrayError(5, MPI_DISTRIBUTE_CYCLIC, 0, 2), MPI_ERR_ARG);
    EXPECT_EQ(darrayError(5, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_DFLT_DARG, 2), MPI_ERR_ARG);
    EXPECT_EQ(darrayError(0, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2), MPI_ERR_ARG);
    EXPECT_EQ(darrayError(5, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2, 2), MPI_ERR_ARG);
    EXPECT_EQ(darrayError(5, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 3), MPI_ERR_ARG);
    EXPECT_EQ(subarrayError(4, 2, 2), MPI_SUCCESS);
    EXPECT_EQ(subarrayError(4, 2, 3), MPI_ERR_ARG);
    EXPECT_EQ(subarrayError(4, 2, -1), MPI_ERR_ARG);
    EXPECT_EQ(subarrayError(4, 5, 0), MPI_ERR_ARG);
    MPI_Datatype original, copy;
    impl::Type_contiguous(2, test::type(MPI_INT), &original);
    for (bool committed : {false, true}) {
      if (committed)
        impl::Type_commit(&original);
      impl::Type_dup(test::at<Datatype>(original), &copy);
      EXPECT_EQ(test::at<Datatype>(copy).committed(), committed);
      impl::Type_free(&copy);
    }
    impl::Type_free(&original);
  }));
}

} // namespace
} // namespace gnomon::mpi
