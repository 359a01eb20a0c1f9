// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each predefined op is legal on exactly the classes of types that the standard names (and
// our two additions), and gives what a plain loop gives, on every type.
#include "mpi/datatype/Op.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <random>

namespace gnomon::mpi {
namespace {

const Op::Code All[] = {Op::Sum,  Op::Min,  Op::Max, Op::Prod, Op::Band,   Op::Bor,
                        Op::Bxor, Op::Land, Op::Lor, Op::Lxor, Op::Minloc, Op::Maxloc};

bool legal(Op::Code op, TypeClass type) {
  const bool integer = type == TypeClass::Integer, floating = type == TypeClass::Floating;
  switch (op) {
  case Op::Sum:
  case Op::Prod:
    return integer || floating || type == TypeClass::Complex;
  case Op::Min:
  case Op::Max:
    return integer || floating;
  case Op::Band:
  case Op::Bor:
  case Op::Bxor:
    return integer || type == TypeClass::Byte;
  case Op::Land:
  case Op::Lor:
  case Op::Lxor:
    return integer || floating || type == TypeClass::Logical;
  default:
    return type == TypeClass::Pair;
  }
}

TEST(Op, LegalPairs) {
  for (uintptr_t code = 0x200; code < 0x300; ++code) {
    const Datatype *type = Datatype::findPredefined(reinterpret_cast<MPI_Datatype>(code));
    if (!type)
      continue;
    for (Op::Code op : All)
      EXPECT_EQ(Op::predefined(op).accepts(*type), legal(op, type->typeClass()))
          << Op::predefined(op).name() << " on " << type->name();
    EXPECT_TRUE(Op::predefined(Op::Replace).accepts(*type));
    EXPECT_TRUE(Op::predefined(Op::NoOp).accepts(*type));
  }
  const Datatype *derived = Datatype::contiguous(2, Datatype::predefined(uintptr_t{0x209}));
  EXPECT_FALSE(Op::predefined(Op::Sum).accepts(*derived));
  EXPECT_TRUE(Op::predefined(Op::Sum).accepts(
      *Datatype::duplicate(Datatype::predefined(uintptr_t{0x209}))));
}

std::mt19937_64 random_(1);

template <class T> T value() {
  const int small = static_cast<int>(random_() % 200) - 100;
  if constexpr (std::is_same_v<T, bool>)
    return random_() % 2;
  else
    return static_cast<T>(small);
}
template <class T>
  requires requires(T t) { t.real(); }
T value() {
  return T(value<decltype(T().real())>(), value<decltype(T().real())>());
}

template <class T, TypeClass Class> void plain(Op::Code op, const T &in, T &inout) {
  if constexpr (Class == TypeClass::Integer || Class == TypeClass::Floating ||
                Class == TypeClass::Complex) {
    if (op == Op::Sum)
      inout = static_cast<T>(in + inout);
    if (op == Op::Prod)
      inout = static_cast<T>(in * inout);
  }
  if constexpr (Class == TypeClass::Integer || Class == TypeClass::Floating) {
    if ((op == Op::Min && in < inout) || (op == Op::Max && in > inout))
      inout = in;
  }
  if constexpr (Class == TypeClass::Integer || Class == TypeClass::Byte) {
    if (op == Op::Band)
      inout = static_cast<T>(in & inout);
    if (op == Op::Bor)
      inout = static_cast<T>(in | inout);
    if (op == Op::Bxor)
      inout = static_cast<T>(in ^ inout);
  }
  if constexpr (Class == TypeClass::Integer || Class == TypeClass::Floating ||
                Class == TypeClass::Logical) {
    const bool a = in != T(0), b = inout != T(0);
    if (op == Op::Land)
      inout = T(a && b);
    if (op == Op::Lor)
      inout = T(a || b);
    if (op == Op::Lxor)
      inout = T(a != b);
  }
}

template <class T, TypeClass Class> void checkType(uintptr_t code) {
  constexpr int Count = 67; // not a multiple of a vector's length
  const Datatype &type = Datatype::predefined(code);
  for (Op::Code op : All) {
    if (!Op::predefined(op).accepts(type))
      continue;
    T in[Count], inout[Count], expected[Count];
    for (int i = 0; i < Count; ++i) {
      in[i] = value<T>();
      inout[i] = expected[i] = value<T>();
      plain<T, Class>(op, in[i], expected[i]);
    }
    Op::predefined(op).apply(in, inout, Count, type);
    for (int i = 0; i < Count; ++i)
      EXPECT_TRUE(inout[i] == expected[i])
          << Op::predefined(op).name() << " on " << type.name() << ", element " << i;
  }
}

template <class V, class I> void checkPair(uintptr_t code) {
  struct P {
    V value;
    I index;
  };
  const P cases[][2] = {{{V(1), I(5)}, {V(2), I(3)}},
                        {{V(2), I(5)}, {V(1), I(3)}},
                        {{V(2), I(5)}, {V(2), I(3)}},
                        {{V(2), I(3)}, {V(2), I(5)}},
                        {{V(-1), I(9)}, {V(-2), I(0)}}};
  for (const auto &c : cases) {
    P least = c[1], most = c[1];
    Op::predefined(Op::Minloc).apply(&c[0], &least, 1, Datatype::predefined(code));
    Op::predefined(Op::Maxloc).apply(&c[0], &most, 1, Datatype::predefined(code));
    const P &smaller =
        c[0].value < c[1].value || (c[0].value == c[1].value && c[0].index < c[1].index) ? c[0]
                                                                                         : c[1];
    const P &larger =
        c[0].value > c[1].value || (c[0].value == c[1].value && c[0].index < c[1].index) ? c[0]
                                                                                         : c[1];
    EXPECT_TRUE(least.value == smaller.value && least.index == smaller.index);
    EXPECT_TRUE(most.value == larger.value && most.index == larger.index);
  }
}

TEST(Op, GivesWhatAPlainLoopGives) {
#define GNOMON_TYPE(NAME, CODE, TYPE, CLASS) checkType<TYPE, TypeClass::CLASS>(CODE);
#define GNOMON_PAIR(NAME, CODE, VALUE, INDEX) checkPair<VALUE, INDEX>(CODE);
#define GNOMON_ALIAS(NAME, SAME)
#include "mpi/datatype/Predefined.def"
}

TEST(Op, ReplaceAndNoOp) {
  const int in[] = {1, 2, 3};
  int inout[] = {7, 8, 9};
  Op::predefined(Op::NoOp).apply(in, inout, 3, Datatype::predefined(uintptr_t{0x209}));
  EXPECT_EQ(inout[1], 8);
  Op::predefined(Op::Replace).apply(in, inout, 3, Datatype::predefined(uintptr_t{0x209}));
  EXPECT_EQ(inout[1], 2);
}

void subtract(void *in, void *inout, int *length, MPI_Datatype *type) {
  EXPECT_EQ(*type, reinterpret_cast<MPI_Datatype>(uintptr_t{0x209}));
  for (int i = 0; i < *length; ++i)
    static_cast<int *>(inout)[i] = static_cast<int *>(in)[i] - static_cast<int *>(inout)[i];
}

TEST(Op, UserFunctionsGetInAndInout) {
  Op *op = Op::create(subtract, false);
  const int in[] = {10, 20};
  int inout[] = {1, 2};
  op->apply(in, inout, 2, Datatype::predefined(uintptr_t{0x209}));
  EXPECT_EQ(inout[0], 9);
  EXPECT_EQ(inout[1], 18);
  EXPECT_FALSE(op->commutative());
  op->release();
}

} // namespace
} // namespace gnomon::mpi
