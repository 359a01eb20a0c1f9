// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of loops that poll for what can never come.
#include "mpi/Polling.h"
#include "mpi/test/MpiWorld.h"

namespace gnomon::mpi {
namespace {

using test::MpiWorld;
using test::type;

// Intent: while (!flag) MPI_Test on a receive that nobody sends to ends with exit code 4 and a
// message.
TEST(PollingDeathTest, TestForEver) {
  EXPECT_EXIT(
      {
        MpiWorld world(2);
        world.run([](Comm &comm) {
          int value, flag = 0;
          if (comm.rank() == 1)
            impl::Recv(&value, 1, type(MPI_INT), 0, 0, comm, nullptr);
          MPI_Request request;
          impl::Irecv(&value, 1, type(MPI_INT), 1, 0, comm, &request);
          while (!flag)
            impl::Test(&request, &flag, nullptr);
        });
      },
      testing::ExitedWithCode(4),
      "no progress.*\n.*rank 0: polls.*\n.*rank 1: receive from rank 0");
}

// Intent: two ranks that probe each other in vain are found out together.
TEST(PollingDeathTest, IprobeForEver) {
  EXPECT_EXIT(
      {
        MpiWorld world(2);
        world.run([](Comm &comm) {
          for (int flag = 0; !flag;)
            impl::Iprobe(1 - comm.rank(), 0, comm, &flag, nullptr);
        });
      },
      testing::ExitedWithCode(4), "no progress");
}

// Intent: a rank that computes for a long time is progress to come: the others' polls are not in
// vain.
TEST(Polling, WaitsForALongComputation) {
  MpiWorld world(2, Settings{.growInjectedTimes = false});
  world.protocol.test = 1e-4;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int value = 0;
    if (comm.rank() == 1) {
      world.engine.sleep(300); // three million polls
      impl::Send(&value, 1, type(MPI_INT), 0, 0, comm);
      return;
    }
    MPI_Request request;
    impl::Irecv(&value, 1, type(MPI_INT), 1, 0, comm, &request);
    for (int flag = 0; !flag;)
      impl::Test(&request, &flag, nullptr);
  }));
}

// Intent: a turn of a loop that waits for memory takes 0.1 us, later 1/64 of what the loop has
// taken so far and 0.1 ms at most; always 0.1 us where polls do not grow.
TEST(Polling, TurnsOfSpinsGrowWithWhatTheyHaveTaken) {
  EXPECT_DOUBLE_EQ(spinSeconds(0, true), 1e-7);
  EXPECT_DOUBLE_EQ(spinSeconds(64, true), 1e-7);
  double taken = 64e-7;
  for (uint64_t turn = 64; turn < 400; ++turn) {
    EXPECT_NEAR(spinSeconds(turn, true), taken / 64, 1e-12 * taken) << turn;
    taken += spinSeconds(turn, true);
  }
  EXPECT_DOUBLE_EQ(spinSeconds(1000, true), 1e-4);
  EXPECT_DOUBLE_EQ(spinSeconds(UINT64_MAX, true), 1e-4);
  EXPECT_DOUBLE_EQ(spinSeconds(1000, false), 1e-7);
}

} // namespace
} // namespace gnomon::mpi
