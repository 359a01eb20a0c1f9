// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The fake world of room p2p's tests with MPI state on it; tests call gnomon::impl directly, as
/// the generated entries do after their checks.
#pragma once

#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/Info.h"
#include "mpi/RankState.h"
#include "mpi/comm/Comm.h"
#include "mpi/comm/Group.h"
#include "mpi/datatype/Datatype.h"
#include "p2p/test/FakeWorld.h"

#include <gtest/gtest.h>

namespace gnomon::test {

class MpiWorld : public FakeWorld {
public:
  explicit MpiWorld(uint32_t ranks, mpi::Settings settings = {})
      : FakeWorld(ranks), settings_(settings) {}
  ~MpiWorld() {
    if (ready_)
      mpi::tearDown();
  }
  /// Runs \p program(comm) on every rank, between MPI_Init and MPI_Finalize; comm is
  /// MPI_COMM_WORLD.
  bool run(std::function<void(mpi::Comm &)> program) {
    mpi::setUp(world, settings_);
    ready_ = true;
    return FakeWorld::run([program](process::Rank &rank) {
      impl::Init(nullptr, nullptr);
      program(*mpi::state(rank).world);
      impl::Finalize();
    });
  }

private:
  mpi::Settings settings_;
  bool ready_ = false;
};

/// The object of a handle on the calling rank.
template <class T> T &at(mpi::HandleOf<T> handle) {
  T *object = mpi::find<T>(*process::currentRank(), handle);
  EXPECT_NE(object, nullptr);
  return *object;
}
inline mpi::Datatype &type(MPI_Datatype handle) { return mpi::Datatype::predefined(handle); }

/// An entry's end: the error handler's turn.
inline int raise(int error, mpi::Comm *comm = nullptr, const char *function = "MPI_Test_call") {
  return error ? mpi::raiseError(comm, error, function, "") : error;
}

} // namespace gnomon::test
