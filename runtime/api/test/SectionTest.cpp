// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the type that stands for a section of an array with strides picks the bytes that the
// call's own type would pick from a contiguous copy of the section, in that order: for whole
// elements, for a count that ends within a row, for types of several elements, of parts of elements
// and with gaps, for negative strides.
#include "api/Section.h"
#include "mpi/test/MpiWorld.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

namespace gnomon::api::fortran {
namespace {

using mpi::Datatype;
using mpi::DatatypeRef;

/// An array of bytes that are told apart, and a section of it.
struct Array {
  std::vector<unsigned char> bytes = std::vector<unsigned char>(1 << 16);
  Descriptor section{};

  Array(size_t elementBytes, std::mt19937 &random) {
    std::iota(bytes.begin(), bytes.end(), 0);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<unsigned char>(i * 7 + i / 251);
    section.elementBytes = elementBytes;
    section.rank = static_cast<uint8_t>(1 + random() % 3);
    int64_t stride = static_cast<int64_t>(elementBytes);
    for (int i = 0; i < section.rank; ++i) {
      const auto extent = static_cast<int64_t>(2 + random() % 3);
      stride *= static_cast<int64_t>((i == 0 ? 2 : 1) * (1 + random() % 2)); // never contiguous
      const bool backwards = random() % 4 == 0;
      section.dimensions[i] = {1, extent, backwards ? -stride : stride};
      stride *= extent;
    }
    section.base = bytes.data() + bytes.size() / 2;
  }

  /// The elements side by side, the first dimension first.
  std::vector<unsigned char> copy() const {
    std::vector<unsigned char> all;
    for (int64_t n = 0; n < section.elements(); ++n) {
      const auto *element = static_cast<const unsigned char *>(section.base);
      int64_t rest = n;
      for (int i = 0; i < section.rank; ++i) {
        element += rest % section.dimensions[i].extent * section.dimensions[i].stride;
        rest /= section.dimensions[i].extent;
      }
      all.insert(all.end(), element, element + section.elementBytes);
    }
    return all;
  }
};

std::vector<unsigned char> pack(const void *data, int64_t count, const Datatype &type) {
  std::vector<unsigned char> packed(static_cast<size_t>(count * type.size()));
  mpi::packBytes(data, count, type, packed.data(), static_cast<int64_t>(packed.size()));
  return packed;
}

MPI_Datatype committed(Datatype *type) {
  type->commit();
  const MPI_Datatype handle = mpi::insert<Datatype>(*process::currentRank(), type);
  type->setHandle(handle);
  return handle;
}

TEST(Section, PicksWhatTheTypePicksFromACopy) {
  mpi::Settings settings;
  settings.checks.leaks = false;
  test::MpiWorld world(1, settings);
  EXPECT_TRUE(world.run([](mpi::Comm &comm) {
    const Datatype &integer = Datatype::predefined(MPI_INT);
    const MPI_Datatype types[] = {MPI_INT,
                                  MPI_DOUBLE,
                                  MPI_BYTE,
                                  committed(Datatype::contiguous(3, integer)),
                                  committed(Datatype::vector(2, 1, 2, integer)),
                                  committed(Datatype::resized(integer, 0, 12))};
    std::mt19937 random(20260101);
    for (int trial = 0; trial < 3000; ++trial) {
      const Array array(size_t{8} << random() % 2, random);
      const std::vector<unsigned char> copy = array.copy();
      const MPI_Datatype handle = types[random() % std::size(types)];
      const Datatype &type = *mpi::find<Datatype>(comm.owner(), handle);
      const auto room = static_cast<int64_t>(copy.size());
      const int64_t most = (room - type.trueExtent()) / type.extent() + 1;
      const int64_t count = 1 + static_cast<int64_t>(random()) % most;
      Section section(&array.section, count, handle);
      ASSERT_EQ(section.count(), 1);
      EXPECT_EQ(pack(section.address(), 1, *mpi::find<Datatype>(comm.owner(), section.type())),
                pack(copy.data(), count, type))
          << "trial " << trial;
    }
  }));
}

// Intent: a collective's copy holds the elements in order; results go back to their places, what is
// only read does not.
TEST(Staging, CopiesThereAndBack) {
  test::MpiWorld world(1);
  EXPECT_TRUE(world.run([](mpi::Comm &) {
    std::mt19937 random(20260102);
    for (int trial = 0; trial < 200; ++trial) {
      const bool out = trial % 2 == 0;
      Array array(8, random);
      const std::vector<unsigned char> before = array.copy(), whole = array.bytes;
      Staging staging(&array.section, out ? Staging::Direction::Out : Staging::Direction::In);
      auto *copy = static_cast<unsigned char *>(staging.address());
      ASSERT_EQ(std::vector<unsigned char>(copy, copy + before.size()), before);
      for (size_t i = 0; i < before.size(); ++i)
        copy[i] ^= 0xff;
      const std::vector<unsigned char> changed(copy, copy + before.size());
      staging.finish();
      EXPECT_EQ(array.copy(), out ? changed : before);
      size_t different = 0;
      for (size_t i = 0; i < whole.size(); ++i)
        different += whole[i] != array.bytes[i];
      EXPECT_EQ(different, out ? before.size() : 0);
    }
  }));
}

// Intent: an array without memory, or with a dimension of no elements, is empty, and contiguous.
TEST(Descriptor, Empty) {
  std::mt19937 random(1);
  Array array(8, random);
  EXPECT_FALSE(array.section.isEmpty());
  EXPECT_FALSE(array.section.contiguous());
  Descriptor none = array.section;
  none.base = nullptr;
  EXPECT_TRUE(none.isEmpty());
  EXPECT_TRUE(none.contiguous());
  array.section.dimensions[array.section.rank - 1].extent = 0;
  EXPECT_TRUE(array.section.isEmpty());
}

} // namespace
} // namespace gnomon::api::fortran
