// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reduction operations (MPI 4.1, section 6.9): the predefined ones on every class of types for
/// which they are legal, and the user's. Predefined ops are shared by all ranks and immortal.
#pragma once

#include "mpi/datatype/Datatype.h"

#include <cstdint>

// As the generated mpi.h declares them (a repeated typedef is legal).
typedef struct MPI_ABI_Op *MPI_Op;

namespace gnomon::mpi {

/// The user's function, MPI_User_function. Fortran's has the same convention: it reads its INTEGER
/// handle and length through the pointers, and a handle is the same number in both languages.
using UserFunction = void (*)(void *in, void *inout, int *length, MPI_Datatype *type);

/// Gives a type that its user has freed a handle for the time of a call of the user's function, and
/// takes it back: an operation that was started before goes on with both (MPI 4.0, section 5.1.9).
struct TypeLender {
  MPI_Datatype (*lend)(const Datatype &type);
  void (*takeBack)(MPI_Datatype handle);
};

class Op {
public:
  /// The ABI's numbers of the predefined ops.
  enum Code : uint16_t {
    Null = 0x20,
    Sum = 0x21,
    Min = 0x22,
    Max = 0x23,
    Prod = 0x24,
    Band = 0x28,
    Bor = 0x29,
    Bxor = 0x2a,
    Land = 0x30,
    Lor = 0x31,
    Lxor = 0x32,
    Minloc = 0x38,
    Maxloc = 0x39,
    Replace = 0x3c,
    NoOp = 0x3d
  };

  bool isPredefined() const { return user_ == nullptr; }
  bool commutative() const { return commutative_; }
  /// Whether the op may be applied to \p type. User ops may always: what they do is theirs.
  bool accepts(const Datatype &type) const;
  /// inout[i] = in[i] op inout[i] for count elements; accepts(type) must hold. The order of
  /// operands matters for ops that do not commute: `in` holds the lower ranks' contribution.
  void apply(const void *in, void *inout, int64_t count, const Datatype &type) const;

  const char *name() const { return name_; }
  MPI_Op handle() const { return handle_; }
  void setHandle(MPI_Op handle) { handle_ = handle; }

  /// The shared object of a predefined op; a broken invariant if \p handle is none.
  static Op &predefined(MPI_Op handle);
  static Op &predefined(Code code);
  /// Null when \p handle is not that of a predefined op.
  static Op *findPredefined(MPI_Op handle);
  /// A user op with one reference, which the caller owns.
  static Op *create(UserFunction function, bool commutative, const TypeLender *lender = nullptr);

  void retain() const { ++references_; }
  void release() const;

  Op(const Op &) = delete;
  Op &operator=(const Op &) = delete;

private:
  Op() = default;
  ~Op() = default;
  friend struct PredefinedOps;

  Code code_ = Null;
  bool commutative_ = true;
  mutable uint32_t references_ = 1;
  UserFunction user_ = nullptr;
  const TypeLender *lender_ = nullptr;
  MPI_Op handle_ = nullptr;
  const char *name_ = "";
};

} // namespace gnomon::mpi
