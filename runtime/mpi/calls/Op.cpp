// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on reduction operations.
#include "mpi/datatype/Op.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/Handle.h"
#include "process/ranks/Rank.h"

namespace gnomon::mpi {

template <> Op *findPredefined<Op>(process::Rank &, MPI_Op handle) {
  return Op::findPredefined(handle);
}

} // namespace gnomon::mpi

namespace gnomon::impl {

using namespace mpi;

namespace {

constexpr TypeLender lender = {
    [](const Datatype &type) {
      return insert<Datatype>(*process::currentRank(), const_cast<Datatype *>(&type));
    },
    [](MPI_Datatype handle) { erase<Datatype>(*process::currentRank(), handle); }};

} // namespace

int Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op) {
  Op *object = Op::create(user_fn, commute != 0, &lender);
  *op = insert<Op>(*process::currentRank(), object);
  object->setHandle(*op);
  return MPI_SUCCESS;
}

int Op_free(MPI_Op *op) {
  process::Rank &rank = *process::currentRank();
  Op *object = find<Op>(rank, *op);
  if (!object)
    return fail(rank, MPI_ERR_OP, "the handle names no op");
  if (object->isPredefined())
    return fail(rank, MPI_ERR_OP,
                std::string(object->name()) + " is predefined and cannot be freed");
  erase<Op>(rank, *op);
  object->release();
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

int Op_commutative(Op &op, int *commute) {
  *commute = op.commutative();
  return MPI_SUCCESS;
}

int Reduce_local(const void *inbuf, void *inoutbuf, MPI_Count count, Datatype &datatype, Op &op) {
  if (!op.accepts(datatype)) {
    const std::string name = datatype.name().empty() ? "a derived datatype" : datatype.name();
    return fail(*process::currentRank(), MPI_ERR_OP,
                std::string(op.name()) + " cannot be applied to " + name);
  }
  op.apply(inbuf, inoutbuf, count, datatype);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
