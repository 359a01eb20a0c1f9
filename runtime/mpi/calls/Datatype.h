// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What MPI's functions on datatypes share.
#pragma once

#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/Handle.h"
#include "mpi/RankState.h"
#include "mpi/datatype/Datatype.h"

namespace gnomon::impl {

inline process::Rank &caller() { return *process::currentRank(); }

/// Enters a new type, made by this form of its constructor, into the caller's table and gives the
/// user its handle.
inline int give(mpi::Datatype *type, MPI_Datatype *newtype,
                mpi::CountForm form = mpi::CountForm::Plain) {
  type->setForm(form);
  const MPI_Datatype handle = mpi::insert<mpi::Datatype>(caller(), type);
  type->setHandle(handle);
  *newtype = handle;
  return MPI_SUCCESS;
}

inline int invalidArgument(const std::string &detail) {
  return mpi::fail(caller(), MPI_ERR_ARG, detail);
}

} // namespace gnomon::impl
