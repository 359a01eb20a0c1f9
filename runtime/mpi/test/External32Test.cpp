// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of MPI_Pack_external and its kin, and of the queries about how a type was made.
#include "mpi/datatype/External32.h"
#include "mpi/test/MpiWorld.h"

#include <cstring>
#include <vector>

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

std::vector<int> bytesOf(const std::vector<unsigned char> &bytes) {
  return {bytes.begin(), bytes.end()};
}

/// One element of a predefined type in external32.
template <class T> std::vector<int> external(T value, MPI_Datatype handle) {
  std::vector<unsigned char> bytes(40);
  MPI_Aint position = 0;
  EXPECT_EQ(impl::Pack_external("external32", &value, 1, type(handle), bytes.data(), 40, &position),
            MPI_SUCCESS);
  bytes.resize(static_cast<size_t>(position));
  T back{};
  MPI_Aint read = 0;
  EXPECT_EQ(
      impl::Unpack_external("external32", bytes.data(), position, &read, &back, 1, type(handle)),
      MPI_SUCCESS);
  EXPECT_EQ(read, position);
  EXPECT_TRUE(back == value);
  return bytesOf(bytes);
}

using Bytes = std::vector<int>;

// Intent: big-endian, with the standard's sizes where they differ from this machine's, and back.
TEST(External32, PredefinedTypes) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    EXPECT_EQ(external('A', MPI_CHAR), (Bytes{65}));
    EXPECT_EQ(external<short>(-2, MPI_SHORT), (Bytes{255, 254}));
    EXPECT_EQ(external(0x01020304, MPI_INT), (Bytes{1, 2, 3, 4}));
    EXPECT_EQ(external(0x01020304L, MPI_LONG), (Bytes{1, 2, 3, 4}));
    EXPECT_EQ(external(-2L, MPI_LONG), (Bytes{255, 255, 255, 254}));
    EXPECT_EQ(external(0xfffffffeUL, MPI_UNSIGNED_LONG), (Bytes{255, 255, 255, 254}));
    EXPECT_EQ(external(-2LL, MPI_LONG_LONG), (Bytes{255, 255, 255, 255, 255, 255, 255, 254}));
    EXPECT_EQ(external<wchar_t>(0x20ac, MPI_WCHAR), (Bytes{0x20, 0xac}));
    EXPECT_EQ(external(1.0F, MPI_FLOAT), (Bytes{0x3f, 0x80, 0, 0}));
    EXPECT_EQ(external(-2.0, MPI_DOUBLE), (Bytes{0xc0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(external(1.5L, MPI_LONG_DOUBLE),
              (Bytes{0x3f, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(external(true, MPI_C_BOOL), (Bytes{1}));
    struct Complex {
      float re, im;
      bool operator==(const Complex &) const = default;
    };
    EXPECT_EQ(external(Complex{1, -1}, MPI_COMPLEX), (Bytes{0x3f, 0x80, 0, 0, 0xbf, 0x80, 0, 0}));
    struct Pair {
      double value;
      int index;
      bool operator==(const Pair &) const = default;
    };
    EXPECT_EQ(external(Pair{1.0, 2}, MPI_DOUBLE_INT),
              (Bytes{0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}));
  }));
}

// Intent: every predefined type has a form.
TEST(External32, EveryTypeHasASize) {
#define GNOMON_TYPE(NAME, CODE, TYPE, CLASS)                                                       \
  EXPECT_GT(external32Size(Datatype::predefined(uintptr_t{CODE})), 0) << #NAME;
#define GNOMON_PAIR(NAME, CODE, VALUE, INDEX) GNOMON_TYPE(NAME, CODE, , )
#define GNOMON_ALIAS(NAME, SAME)
#include "mpi/datatype/Predefined.def"
}

// Intent: derived types are converted in type map order, gaps left out, several elements at a
// position within the buffer; too little room and another representation are refused.
TEST(External32, DerivedTypes) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    struct Mixed {
      long number;
      char letters[2];
      short unused;
      int last;
    };
    const int lengths[] = {1, 2, 1};
    const MPI_Aint places[] = {0, 8, 12};
    const MPI_Datatype types[] = {MPI_LONG, MPI_CHAR, MPI_INT};
    MPI_Datatype mixed;
    impl::Type_create_struct(3, lengths, places, types, &mixed);
    Datatype &made = at<Datatype>(mixed);
    MPI_Aint size = 0, position = 1;
    EXPECT_EQ(impl::Pack_external_size("external32", 2, made, &size), MPI_SUCCESS);
    EXPECT_EQ(size, 20);
    const Mixed data[2] = {{1, {'a', 'b'}, 9, 2}, {3, {'c', 'd'}, 9, 4}};
    std::vector<unsigned char> bytes(21);
    EXPECT_EQ(impl::Pack_external("external32", data, 2, made, bytes.data(), 20, &position),
              MPI_ERR_TRUNCATE);
    EXPECT_EQ(position, 1);
    EXPECT_EQ(impl::Pack_external("external32", data, 2, made, bytes.data(), 21, &position),
              MPI_SUCCESS);
    EXPECT_EQ(position, 21);
    EXPECT_EQ(bytesOf(bytes),
              (Bytes{0, 0, 0, 0, 1, 'a', 'b', 0, 0, 0, 2, 0, 0, 0, 3, 'c', 'd', 0, 0, 0, 4}));
    Mixed back[2] = {{0, {}, 7, 0}, {0, {}, 7, 0}};
    position = 1;
    EXPECT_EQ(impl::Unpack_external("external32", bytes.data(), 20, &position, back, 2, made),
              MPI_ERR_TRUNCATE);
    EXPECT_EQ(impl::Unpack_external("external32", bytes.data(), 21, &position, back, 2, made),
              MPI_SUCCESS);
    EXPECT_EQ(back[1].number, 3);
    EXPECT_EQ(back[1].letters[1], 'd');
    EXPECT_EQ(back[1].unused, 7);
    EXPECT_EQ(back[1].last, 4);
    EXPECT_EQ(impl::Pack_external_size("native", 1, made, &size), MPI_ERR_ARG);
    impl::Type_free(&mixed);
  }));
}

// Intent: the large forms tell the same as the others; pairs are found by their parts.
TEST(TypeQueries, LargeFormsAndPairs) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    MPI_Datatype vector, parts[1];
    impl::Type_vector(3, 2, 4, type(MPI_INT), &vector);
    MPI_Count integers, addresses, large, types;
    int combiner, numbers[3];
    impl::Type_get_envelope_c(at<Datatype>(vector), &integers, &addresses, &large, &types,
                              &combiner);
    EXPECT_EQ(integers, 3);
    EXPECT_EQ(addresses + large, 0);
    EXPECT_EQ(types, 1);
    EXPECT_EQ(combiner, MPI_COMBINER_VECTOR);
    EXPECT_EQ(impl::Type_get_contents_c(at<Datatype>(vector), 3, 0, 0, 1, numbers, nullptr, nullptr,
                                        parts),
              MPI_SUCCESS);
    EXPECT_EQ(numbers[2], 4);
    EXPECT_EQ(parts[0], MPI_INT);
    EXPECT_EQ(impl::Type_get_contents_c(at<Datatype>(vector), 2, 0, 0, 1, numbers, nullptr, nullptr,
                                        parts),
              MPI_ERR_ARG);
    MPI_Datatype pair;
    impl::Type_get_value_index(type(MPI_DOUBLE), type(MPI_INT), &pair);
    EXPECT_EQ(pair, MPI_DOUBLE_INT);
    impl::Type_get_value_index(type(MPI_REAL), type(MPI_REAL), &pair);
    EXPECT_EQ(pair, MPI_2REAL);
    impl::Type_get_value_index(type(MPI_INT), type(MPI_DOUBLE), &pair);
    EXPECT_EQ(pair, MPI_DATATYPE_NULL);
    impl::Type_free(&vector);
  }));
}

// Intent: packing moves the position by what it packs, takes the size that MPI_Pack_size says, and
// refuses, both ways, what the rest of the buffer does not hold.
TEST(Pack, PositionsAndRoom) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    const int data[] = {1, 2, 3};
    int got[3] = {};
    char packed[16] = {};
    MPI_Count size = 0, position = 4;
    impl::Pack_size(3, type(MPI_INT), comm, &size);
    EXPECT_EQ(size, 12);
    EXPECT_EQ(impl::Pack(data, 3, type(MPI_INT), packed, 15, &position, comm), MPI_ERR_TRUNCATE);
    EXPECT_EQ(position, 4);
    EXPECT_EQ(impl::Pack(data, 3, type(MPI_INT), packed, 16, &position, comm), MPI_SUCCESS);
    EXPECT_EQ(position, 16);
    position = 4;
    EXPECT_EQ(impl::Unpack(packed, 15, &position, got, 3, type(MPI_INT), comm), MPI_ERR_TRUNCATE);
    EXPECT_EQ(impl::Unpack(packed, 16, &position, got, 3, type(MPI_INT), comm), MPI_SUCCESS);
    EXPECT_EQ(position, 16);
    EXPECT_EQ(std::vector<int>(got, got + 3), (std::vector<int>{1, 2, 3}));
  }));
}

/// What MPI_Type_get_contents_c tells of a type.
struct Told {
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> largeCounts;
  size_t types;
  friend bool operator==(const Told &, const Told &) = default;
};

Told told(MPI_Datatype &handle) {
  Datatype &type = at<Datatype>(handle);
  MPI_Count integers, addresses, large, types;
  int combiner;
  impl::Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner);
  Told result{std::vector<int>(static_cast<size_t>(integers)),
              std::vector<MPI_Aint>(static_cast<size_t>(addresses)),
              std::vector<MPI_Count>(static_cast<size_t>(large)), static_cast<size_t>(types)};
  std::vector<MPI_Datatype> parts(result.types);
  EXPECT_EQ(impl::Type_get_contents_c(type, integers, addresses, large, types,
                                      result.integers.data(), result.addresses.data(),
                                      result.largeCounts.data(), parts.data()),
            MPI_SUCCESS);
  EXPECT_EQ(impl::Type_get_contents_c(type, integers, addresses, large - 1, types,
                                      result.integers.data(), result.addresses.data(),
                                      result.largeCounts.data(), parts.data()),
            MPI_ERR_ARG);
  int small[3];
  EXPECT_EQ(impl::Type_get_envelope(type, &small[0], &small[1], &small[2], &combiner),
            large > 0 ? MPI_ERR_TYPE : MPI_SUCCESS);
  if (large > 0) {
    EXPECT_EQ(impl::Type_get_contents(type, 99, 99, 99, nullptr, nullptr, nullptr), MPI_ERR_TYPE);
  }
  impl::Type_free(&handle);
  return result;
}

MPI_Datatype copiedFrom;
int noteOldType(MPI_Datatype old, int, void *, void *, void *, int *flag) {
  copiedFrom = old;
  *flag = 0;
  return MPI_SUCCESS;
}

// Intent: the derived types among a type's contents are new objects, which the user frees; the ones
// that it was made of keep their handles, names and attributes, and may be gone before.
TEST(TypeQueries, ContentsAreNewObjects) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    MPI_Datatype inner, outer, twin;
    int numbers[1], keyval, flag, *value = nullptr;
    impl::Type_vector(3, 2, 4, type(MPI_INT), &inner, CountForm::Large);
    impl::Type_set_name(at<Datatype>(inner), "inner");
    impl::Type_commit(&inner);
    impl::Type_create_keyval(noteOldType, MPI_TYPE_NULL_DELETE_FN, &keyval, nullptr);
    impl::Type_set_attr(at<Datatype>(inner), keyval, numbers);
    impl::Type_contiguous(5, at<Datatype>(inner), &outer, CountForm::Plain);
    auto part = [&] {
      MPI_Datatype got;
      EXPECT_EQ(impl::Type_get_contents(at<Datatype>(outer), 1, 0, 1, numbers, nullptr, &got),
                MPI_SUCCESS);
      EXPECT_EQ(at<Datatype>(got).handle(), got);
      EXPECT_EQ(at<Datatype>(got).size(), 24);
      EXPECT_EQ(at<Datatype>(got).name(), "inner");
      return got;
    };
    MPI_Datatype got = part(), other = part();
    EXPECT_NE(got, inner);
    EXPECT_NE(got, other);
    impl::Type_set_name(at<Datatype>(got), "got");
    impl::Type_free(&other);
    EXPECT_EQ(at<Datatype>(inner).handle(), inner);
    EXPECT_EQ(at<Datatype>(inner).name(), "inner");
    impl::Type_get_attr(at<Datatype>(inner), keyval, &value, &flag);
    EXPECT_TRUE(flag && value == numbers);
    impl::Type_dup(at<Datatype>(inner), &twin);
    EXPECT_EQ(copiedFrom, inner);
    impl::Type_free(&twin);
    impl::Type_free(&inner);
    other = part();
    impl::Type_free(&outer);
    EXPECT_EQ(told(got), (Told{{}, {}, {3, 2, 4}, 1}));
    EXPECT_EQ(told(other), (Told{{}, {}, {3, 2, 4}, 1}));
    EXPECT_EQ(currentState().tables[static_cast<size_t>(HandleKind::Datatype)].live(), 0u);
  }));
}

// Intent: of a type that a large form made, counts and displacements are large counts in the order
// of the arguments, and the calls without large counts refuse it; other integers stay what they are
// (MPI 4.1, section 5.1.13).
TEST(TypeQueries, ContentsOfLargeForms) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    constexpr CountForm L = CountForm::Large;
    const MPI_Count far = MPI_Count{1} << 33, lengths[] = {2, far}, places[] = {far, 7};
    Datatype &old = type(MPI_INT);
    const MPI_Datatype olds[] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype made;
    impl::Type_contiguous(far, old, &made, L);
    EXPECT_EQ(told(made), (Told{{}, {}, {far}, 1}));
    impl::Type_contiguous(3, old, &made, CountForm::Plain);
    EXPECT_EQ(told(made), (Told{{3}, {}, {}, 1}));
    impl::Type_vector(2, 3, far, old, &made, L);
    EXPECT_EQ(told(made), (Told{{}, {}, {2, 3, far}, 1}));
    impl::Type_create_hvector(2, 3, far, old, &made, L);
    EXPECT_EQ(told(made), (Told{{}, {}, {2, 3, far}, 1}));
    impl::Type_create_hvector(2, 3, far, old, &made, CountForm::Plain);
    EXPECT_EQ(told(made), (Told{{2, 3}, {far}, {}, 1}));
    impl::Type_indexed(2, lengths, places, old, &made, L);
    EXPECT_EQ(told(made), (Told{{}, {}, {2, 2, far, far, 7}, 1}));
    impl::Type_create_hindexed(2, lengths, places, old, &made, L);
    EXPECT_EQ(told(made), (Told{{}, {}, {2, 2, far, far, 7}, 1}));
    impl::Type_create_indexed_block(2, 5, places, old, &made, L);
    EXPECT_EQ(told(made), (Told{{}, {}, {2, 5, far, 7}, 1}));
    impl::Type_create_hindexed_block(2, 5, places, old, &made, L);
    EXPECT_EQ(told(made), (Told{{}, {}, {2, 5, far, 7}, 1}));
    impl::Type_create_struct(2, lengths, places, olds, &made, L);
    EXPECT_EQ(told(made), (Told{{}, {}, {2, 2, far, far, 7}, 2}));
    impl::Type_create_resized(old, -3, far, &made, L);
    EXPECT_EQ(told(made), (Told{{}, {}, {-3, far}, 1}));
    const MPI_Count sizes[] = {far, 6}, parts[] = {far - 1, 2}, starts[] = {1, 3};
    impl::Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, old, &made, L);
    EXPECT_EQ(told(made), (Told{{2, MPI_ORDER_C}, {}, {far, 6, far - 1, 2, 1, 3}, 1}));
    const int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, grid[] = {3, 2},
              darg[] = {MPI_DISTRIBUTE_DFLT_DARG, 4};
    impl::Type_create_darray(6, 5, 2, sizes, kinds, darg, grid, MPI_ORDER_FORTRAN, old, &made, L);
    EXPECT_EQ(
        told(made),
        (Told{
            {6, 5, 2, kinds[0], kinds[1], darg[0], 4, 3, 2, MPI_ORDER_FORTRAN}, {}, {far, 6}, 1}));
  }));
}

} // namespace
} // namespace gnomon::mpi
