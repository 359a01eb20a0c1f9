// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of loops that poll for what can never come.
#include "mpi/request/Polling.h"
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

// Intent: what polls cost by SMPI's rule is added up: 0.1 × (1 + 2 + 3) s of tests, the successful one too, and
// 0.02 s of a probe; other calls and computation add nothing.
TEST(Polling, AddsUpWhatPollsCost) {
  MpiWorld world(2, Settings{.growInjectedTimes = true});
  world.protocol.test = 0.1;
  world.protocol.iprobe = 0.02;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int value = 0, flag = 0;
    if (comm.rank() == 0) {
      world.engine.sleep(0.55);
      impl::Send(&value, 1, type(MPI_INT), 1, 0, comm);
      EXPECT_EQ(currentState().polledSeconds, 0);
      return;
    }
    MPI_Request request;
    impl::Irecv(&value, 1, type(MPI_INT), 0, 0, comm, &request);
    while (!flag)
      impl::Test(&request, &flag, nullptr);
    EXPECT_NEAR(currentState().polledSeconds, 0.6, 1e-12);
    world.engine.sleep(5);
    impl::Iprobe(0, 0, comm, &flag, nullptr);
    EXPECT_NEAR(currentState().polledSeconds, 0.62, 1e-12);
  }));
}

// Intent: polls of threads at once count once: those of [1, 3] and [2, 5] s cost 4 s, then one
// within them nothing, and one after a gap its own.
TEST(Polling, CountsPollsOfThreadsAtOnceOnce) {
  MpiWorld world(1);
  struct Poll {
    MpiWorld *world;
    double begin, seconds;
  };
  static constexpr auto enter = [](void *argument) {
    const auto &poll = *static_cast<Poll *>(argument);
    poll.world->engine.sleep(poll.begin);
    payPoll(state(*poll.world->world.ranks[0]), poll.seconds, 0);
    poll.world->engine.exitCurrent();
  };
  Poll polls[] = {{&world, 1, 2}, {&world, 2, 3}, {&world, 3, 1}, {&world, 7, 1}};
  EXPECT_TRUE(world.run([&](Comm &) {
    for (Poll &poll : polls)
      world.engine.spawn(enter, &poll, world.world.ranks[0].get());
    const double dates[] = {2.5, 3.5, 4.5, 7.5, 9}, sums[] = {0, 2, 2, 4, 5};
    for (int i = 0; i < 5; ++i) {
      world.engine.sleep(dates[i] - world.now());
      EXPECT_NEAR(currentState().polledSeconds, sums[i], 1e-12) << dates[i];
    }
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
