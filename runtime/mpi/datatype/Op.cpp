// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The reduction operations themselves. Each legal (op, type) pair is one loop without calls or
/// branches on the op, so that the compiler can vectorise it; a table built once from
/// Predefined.def finds it.
///
/// Legal pairs are MPI 4.1's (section 6.9.2), and like MPICH we also take MPI_CHAR as an integer
/// and the logical ops on floating types, which programs rely on.
#include "mpi/datatype/Op.h"
#include "process/fold/Nowhere.h"

#include "support/Check.h"

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <type_traits>

namespace gnomon::mpi {

namespace {

using Kernel = void (*)(const void *in, void *inout, int64_t count);

struct SumOf {
  template <class T> static T of(T a, T b) { return static_cast<T>(a + b); }
};
struct ProdOf {
  template <class T> static T of(T a, T b) { return static_cast<T>(a * b); }
};
struct MinOf {
  template <class T> static T of(T a, T b) { return b < a ? b : a; }
};
struct MaxOf {
  template <class T> static T of(T a, T b) { return a < b ? b : a; }
};
struct BandOf {
  template <class T> static T of(T a, T b) { return static_cast<T>(a & b); }
};
struct BorOf {
  template <class T> static T of(T a, T b) { return static_cast<T>(a | b); }
};
struct BxorOf {
  template <class T> static T of(T a, T b) { return static_cast<T>(a ^ b); }
};
struct LandOf {
  template <class T> static T of(T a, T b) {
    return static_cast<T>(int(a != T(0)) & int(b != T(0)));
  }
};
struct LorOf {
  template <class T> static T of(T a, T b) {
    return static_cast<T>(int(a != T(0)) | int(b != T(0)));
  }
};
struct LxorOf {
  template <class T> static T of(T a, T b) {
    return static_cast<T>(int(a != T(0)) ^ int(b != T(0)));
  }
};

/// Signed overflow in a user's sum wraps, as in every MPI library; in C++ it is undefined, so add
/// unsigned.
template <class T> struct Wrapping {
  using Type = T;
};
template <class T>
  requires(std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) >= 4 && sizeof(T) <= 8)
struct Wrapping<T> {
  using Type = std::make_unsigned_t<T>;
};
template <> struct Wrapping<__int128> {
  using Type = unsigned __int128;
};

template <class T, class F> void loopOver(const void *inBuffer, void *inoutBuffer, int64_t count) {
  const auto *in = static_cast<const T *>(inBuffer);
  auto *inout = static_cast<T *>(inoutBuffer);
  for (int64_t i = 0; i < count; ++i)
    inout[i] = F::of(in[i], inout[i]);
}

template <class V, class I> struct Pair {
  V value;
  I index;
};

/// The smaller (larger) value; of equal values the smaller index.
template <class V, class I, bool Least>
void locate(const void *inBuffer, void *inoutBuffer, int64_t count) {
  const auto *in = static_cast<const Pair<V, I> *>(inBuffer);
  auto *inout = static_cast<Pair<V, I> *>(inoutBuffer);
  for (int64_t i = 0; i < count; ++i) {
    const bool better = Least ? in[i].value < inout[i].value : in[i].value > inout[i].value;
    if (better) {
      inout[i] = in[i];
    } else if (in[i].value == inout[i].value) {
      inout[i].index = std::min(in[i].index, inout[i].index);
    }
  }
}

constexpr size_t OpCount = 0x40, TypeCount = 0x100;
constexpr uint16_t FirstType = 0x200;

/// [op][type]; null where the pair is illegal. 64 x 256 pointers, built once.
using Table = std::array<std::array<Kernel, TypeCount>, OpCount>;

template <class T, TypeClass Class> void enter(Table &table, size_t type) {
  constexpr bool arithmetic = Class == TypeClass::Integer || Class == TypeClass::Floating;
  constexpr bool bits = Class == TypeClass::Integer || Class == TypeClass::Byte;
  if constexpr (arithmetic || Class == TypeClass::Complex) {
    using W = typename Wrapping<T>::Type;
    table[Op::Sum][type] = loopOver<W, SumOf>;
    table[Op::Prod][type] = loopOver<W, ProdOf>;
  }
  if constexpr (arithmetic) {
    table[Op::Min][type] = loopOver<T, MinOf>;
    table[Op::Max][type] = loopOver<T, MaxOf>;
  }
  if constexpr (bits) {
    table[Op::Band][type] = loopOver<T, BandOf>;
    table[Op::Bor][type] = loopOver<T, BorOf>;
    table[Op::Bxor][type] = loopOver<T, BxorOf>;
  }
  if constexpr (arithmetic || Class == TypeClass::Logical) {
    // A bool read as such must be 0 or 1; users store other bytes in it too.
    using L = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
    table[Op::Land][type] = loopOver<L, LandOf>;
    table[Op::Lor][type] = loopOver<L, LorOf>;
    table[Op::Lxor][type] = loopOver<L, LxorOf>;
  }
}

template <class V, class I> void enterPair(Table &table, size_t type) {
  table[Op::Minloc][type] = locate<V, I, true>;
  table[Op::Maxloc][type] = locate<V, I, false>;
}

const Table &loops() {
  static const Table built = [] {
    Table table{};
#define GNOMON_TYPE(NAME, CODE, TYPE, CLASS) enter<TYPE, TypeClass::CLASS>(table, CODE - FirstType);
#define GNOMON_PAIR(NAME, CODE, VALUE, INDEX) enterPair<VALUE, INDEX>(table, CODE - FirstType);
#define GNOMON_ALIAS(NAME, SAME)
#include "mpi/datatype/Predefined.def"
    return table;
  }();
  return built;
}

Kernel find(Op::Code op, const Datatype &type) {
  const uint16_t code = type.predefinedCode();
  return code == 0 ? nullptr : loops()[op][code - FirstType];
}

} // namespace

struct PredefinedOps {
  std::array<Op *, OpCount> byCode{};

  PredefinedOps() {
    add(Op::Sum, "MPI_SUM"), add(Op::Min, "MPI_MIN"), add(Op::Max, "MPI_MAX");
    add(Op::Prod, "MPI_PROD"), add(Op::Band, "MPI_BAND"), add(Op::Bor, "MPI_BOR");
    add(Op::Bxor, "MPI_BXOR"), add(Op::Land, "MPI_LAND"), add(Op::Lor, "MPI_LOR");
    add(Op::Lxor, "MPI_LXOR"), add(Op::Minloc, "MPI_MINLOC"), add(Op::Maxloc, "MPI_MAXLOC");
    add(Op::Replace, "MPI_REPLACE"), add(Op::NoOp, "MPI_NO_OP");
    byCode[Op::Replace]->commutative_ = byCode[Op::NoOp]->commutative_ = false;
  }
  static const PredefinedOps &instance() {
    static const PredefinedOps ops;
    return ops;
  }
  static Op *make(UserFunction function, bool commutative) {
    auto *op = new Op;
    op->user_ = function;
    op->commutative_ = commutative;
    op->name_ = "user-defined op";
    return op;
  }

private:
  void add(Op::Code code, const char *name) {
    Op *op = new Op;
    op->code_ = code;
    op->name_ = name;
    op->handle_ = reinterpret_cast<MPI_Op>(static_cast<uintptr_t>(code));
    byCode[code] = op;
  }
};

Op *Op::findPredefined(MPI_Op handle) {
  const auto code = reinterpret_cast<uintptr_t>(handle);
  return code < OpCount ? PredefinedOps::instance().byCode[code] : nullptr;
}

Op &Op::predefined(MPI_Op handle) {
  Op *op = findPredefined(handle);
  CHECK(op, "a predefined op's handle");
  return *op;
}

Op &Op::predefined(Code code) {
  return predefined(reinterpret_cast<MPI_Op>(static_cast<uintptr_t>(code)));
}

Op *Op::create(UserFunction function, bool commutative, const TypeLender *lender) {
  Op *op = PredefinedOps::make(function, commutative);
  op->lender_ = lender;
  return op;
}

void Op::release() const {
  if (--references_ == 0) {
    CHECK(!isPredefined(), "a predefined op lives for ever");
    delete this;
  }
}

bool Op::accepts(const Datatype &type) const {
  if (user_ || code_ == Replace || code_ == NoOp || process::fold::replays())
    return true; // a replay knows types by their sizes
  return find(code_, type) != nullptr;
}

void Op::apply(const void *in, void *inout, int64_t count, const Datatype &type) const {
  if (count <= 0 || process::fold::isNowhere(in) || process::fold::isNowhere(inout))
    return;
  // Apart: the common way saves no registers for its sake.
  const auto applyUser = [&]() __attribute__((noinline)) {
    // The user's function takes an int: longer operands go in pieces.
    const bool lent = !type.handle() && lender_;
    MPI_Datatype handle = lent ? lender_->lend(type) : type.handle();
    auto *source = static_cast<char *>(const_cast<void *>(in));
    auto *target = static_cast<char *>(inout);
    for (int64_t left = count; left > 0;) {
      int length = static_cast<int>(std::min<int64_t>(left, std::numeric_limits<int>::max()));
      MPI_Datatype given = handle; // the function may change what it is given
      user_(source, target, &length, &given);
      left -= length;
      source += length * type.extent();
      target += length * type.extent();
    }
    if (lent)
      lender_->takeBack(handle);
  };
  if (user_)
    return applyUser();
  if (const Kernel kernel = find(code_, type)) [[likely]]
    return kernel(in, inout, count);
  if (code_ == Replace)
    copyTyped(in, count, type, inout, count, type);
  else // it has no effect; or in a replay: of numbers that nobody needs, between two buffers of an algorithm
    CHECK(code_ == NoOp || process::fold::replays(),
          "an op is applied only to types that it accepts");
}

} // namespace gnomon::mpi
