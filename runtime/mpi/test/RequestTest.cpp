// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of requests: waiting for all, any, some; tests; persistent ones; freeing; cancelling;
/// tasks.
#include "mpi/request/Request.h"
#include "mpi/request/PointToPoint.h"
#include "mpi/request/Polling.h"
#include "mpi/request/Status.h"
#include "mpi/request/WaitNote.h"
#include "mpi/test/MpiWorld.h"

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

/// Rank 0 receives one int from each other rank; rank r sends at r seconds.
void staggered(Comm &comm,
               const std::function<void(std::vector<MPI_Request> &, std::vector<int> &)> &root) {
  int others = comm.size() - 1;
  if (comm.rank() != 0) {
    runtime().world.engine.sleep(comm.rank());
    int value = comm.rank();
    impl::Send(&value, 1, type(MPI_INT), 0, 0, comm);
    return;
  }
  std::vector<MPI_Request> requests(static_cast<size_t>(others));
  std::vector<int> values(static_cast<size_t>(others));
  for (int i = 0; i < others; ++i) // the last sender first
    impl::Irecv(&values[size_t(i)], 1, type(MPI_INT), others - i, 0, comm, &requests[size_t(i)]);
  root(requests, values);
}

// Intent: Waitany gives the requests in order of completion, then MPI_UNDEFINED.
TEST(Request, WaitanyInOrderOfCompletion) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([&](Comm &comm) {
    staggered(comm, [&](auto &requests, auto &values) {
      for (int i = 3; i >= 0; --i) {
        int index = -1;
        MPI_Status status;
        impl::Waitany(4, requests.data(), &index, &status);
        EXPECT_EQ(index, i);
        EXPECT_EQ(status.MPI_SOURCE, 4 - i);
        EXPECT_EQ(values[size_t(i)], 4 - i);
        EXPECT_EQ(requests[size_t(i)], MPI_REQUEST_NULL);
      }
      int index = -1;
      impl::Waitany(4, requests.data(), &index, nullptr);
      EXPECT_EQ(index, MPI_UNDEFINED);
    });
  }));
}

// Intent: Waitsome gives all that are done at the date of the first, in order of index.
TEST(Request, WaitsomeTakesAllThatAreDone) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([&](Comm &comm) {
    staggered(comm, [&](auto &requests, auto &) {
      runtime().world.engine.sleep(2.5);
      int count = 0, indices[4];
      MPI_Status statuses[4];
      impl::Waitsome(4, requests.data(), &count, indices, statuses);
      ASSERT_EQ(count, 2);
      EXPECT_EQ(indices[0], 2);
      EXPECT_EQ(indices[1], 3);
      EXPECT_EQ(statuses[0].MPI_SOURCE, 2);
      impl::Waitsome(4, requests.data(), &count, indices, nullptr);
      ASSERT_EQ(count, 1);
      EXPECT_EQ(indices[0], 1);
      impl::Waitsome(4, requests.data(), &count, indices, nullptr);
      impl::Waitsome(4, requests.data(), &count, indices, nullptr);
      EXPECT_EQ(count, MPI_UNDEFINED);
    });
  }));
}

// Intent: Waitall returns when the last is done, and the receives' costs are paid one after another
// from their completion on: completions at 1, 2, 3, 4 s (+ 1.004 us of network), each costing 1.5
// s: 1 + 4 × 1.5 s.
TEST(Request, WaitallPaysReceivesInOrder) {
  MpiWorld world(5);
  world.protocol.orCost = 1.5;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    staggered(comm, [&](auto &requests, auto &values) {
      MPI_Status statuses[4];
      impl::Waitall(4, requests.data(), statuses);
      EXPECT_EQ(values, (std::vector<int>{4, 3, 2, 1}));
      EXPECT_EQ(statuses[3].MPI_SOURCE, 1);
      EXPECT_NEAR(world.now(), 1 + world.network.seconds(4) + 4 * 1.5, 1e-12);
    });
  }));
}

// Intent: by SMPI's rule the n-th failed MPI_Test in a row costs n times smpi/test, a successful one
// costs its turn too: polls at 0.1 × (1, 3, 6, 10) s; the message comes at 0.55 s.
TEST(Request, TestCostsGrow) {
  MpiWorld world(2, Settings{.growInjectedTimes = true});
  world.protocol.test = 0.1;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int value = 0;
    if (comm.rank() == 0) {
      world.engine.sleep(0.55);
      impl::Send(&value, 1, type(MPI_INT), 1, 0, comm);
      return;
    }
    MPI_Request request;
    impl::Irecv(&value, 1, type(MPI_INT), 0, 0, comm, &request);
    std::vector<double> dates;
    for (int flag = 0; !flag;) {
      impl::Test(&request, &flag, nullptr);
      dates.push_back(world.now());
    }
    ASSERT_EQ(dates.size(), 3u);
    EXPECT_NEAR(dates[0], 0.1, 1e-12);
    EXPECT_NEAR(dates[1], 0.3, 1e-12);
    EXPECT_NEAR(dates[2], 0.6, 1e-12);
  }));
}

// Intent: without SMPI's rule every test costs the same.
TEST(Request, TestCostsStay) {
  MpiWorld world(2);
  world.protocol.test = 0.1;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int value = 0, polls = 0;
    if (comm.rank() == 0) {
      world.engine.sleep(0.55);
      impl::Send(&value, 1, type(MPI_INT), 1, 0, comm);
      return;
    }
    MPI_Request request;
    impl::Irecv(&value, 1, type(MPI_INT), 0, 0, comm, &request);
    for (int flag = 0; !flag; ++polls)
      impl::Test(&request, &flag, nullptr);
    EXPECT_EQ(polls, 6);
  }));
}

// Intent: a test of n requests costs one test and an eighth for each further one; by SMPI's rule n
// tests, the later ones more, but for MPI_Testany.
TEST(Request, CostsOfTestsOfSeveral) {
  for (bool grows : {false, true}) {
    MpiWorld world(1, Settings{.growInjectedTimes = grows});
    world.protocol.test = 0.1;
    EXPECT_TRUE(world.run([&](Comm &comm) {
      int values[3], flag, index, count, indices[3];
      MPI_Request requests[3];
      for (int i = 0; i < 3; ++i)
        impl::Irecv(&values[i], 1, type(MPI_INT), 0, i, comm, &requests[i]);
      impl::Testall(3, requests, &flag, nullptr);
      EXPECT_NEAR(world.now(), grows ? 0.1 + 0.2 + 0.3 : 0.125, 1e-12);
      impl::Testany(3, requests, &index, &flag, nullptr);
      EXPECT_NEAR(world.now(), grows ? 0.6 + 0.1 : 0.25, 1e-12);
      impl::Testsome(3, requests, &count, indices, nullptr);
      EXPECT_NEAR(world.now(), grows ? 0.7 + 0.4 + 0.5 + 0.6 : 0.375, 1e-12);
      for (MPI_Request &request : requests) {
        impl::Cancel(&request);
        impl::Wait(&request, nullptr);
      }
    }));
  }
}

// Intent: a report between the end of what a rank waited for and its next step says that it goes
// on, not that it waits for 0 requests.
TEST(Request, NoteOfWhatIsDone) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Request handle;
    impl::Isend(nullptr, 0, type(MPI_INT), MPI_PROC_NULL, 0, comm, &handle);
    Request *request = &at<Request>(handle);
    WaitNote note{WaitNote::Kind::All};
    note.requests = {&request, 1};
    EXPECT_EQ(note.text(comm.owner()), "all of its requests, which are done: it goes on");
    impl::Wait(&handle, nullptr);
  }));
}

// Intent: Testall, Testany and Testsome see what is done and nothing else.
TEST(Request, TestsOfSeveral) {
  MpiWorld world(3);
  world.protocol.test = 1e-3;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    staggered(comm, [&](auto &requests, auto &) {
      int flag = 1, index = 0, count = -1, indices[2];
      impl::Testall(2, requests.data(), &flag, nullptr);
      EXPECT_FALSE(flag);
      impl::Testany(2, requests.data(), &index, &flag, nullptr);
      EXPECT_FALSE(flag);
      EXPECT_EQ(index, MPI_UNDEFINED);
      impl::Testsome(2, requests.data(), &count, indices, nullptr);
      EXPECT_EQ(count, 0);
      world.engine.sleep(1.1);
      impl::Testany(2, requests.data(), &index, &flag, nullptr);
      EXPECT_TRUE(flag);
      EXPECT_EQ(index, 1);
      world.engine.sleep(2);
      MPI_Status statuses[2];
      impl::Testall(2, requests.data(), &flag, statuses);
      EXPECT_TRUE(flag);
      EXPECT_EQ(statuses[0].MPI_SOURCE, 2);
      impl::Testsome(2, requests.data(), &count, indices, nullptr);
      EXPECT_EQ(count, MPI_UNDEFINED);
      impl::Testany(2, requests.data(), &index, &flag, nullptr);
      EXPECT_TRUE(flag);
    });
  }));
}

// Intent: persistent requests are started again and again, keep their handles, and are inactive in
// between.
TEST(Request, Persistent) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int value = 0;
    MPI_Request request;
    if (comm.rank() == 0)
      impl::Send_init(&value, 1, type(MPI_INT), 1, 0, comm, &request);
    else
      impl::Recv_init(&value, 1, type(MPI_INT), 0, 0, comm, &request);
    MPI_Status status;
    impl::Wait(&request, &status); // inactive
    EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
    for (int i = 1; i <= 3; ++i) {
      if (comm.rank() == 0)
        value = 10 * i;
      EXPECT_EQ(impl::Startall(1, &request), MPI_SUCCESS);
      EXPECT_EQ(impl::Start(&request), MPI_ERR_REQUEST); // active already
      impl::Wait(&request, &status);
      EXPECT_EQ(value, 10 * i);
      EXPECT_NE(request, MPI_REQUEST_NULL);
    }
    impl::Request_free(&request);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
  }));
  EXPECT_EQ(runtime().requests.live(), 0u);
}

// Intent: a request freed while active still delivers, and is destroyed later.
TEST(Request, FreeWhileActive) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int value = 9, got = 0;
    MPI_Request request;
    if (comm.rank() == 0) {
      impl::Irecv(&got, 1, type(MPI_INT), 1, 0, comm, &request);
      impl::Request_free(&request);
      EXPECT_EQ(request, MPI_REQUEST_NULL);
      runtime().world.engine.sleep(2);
      EXPECT_EQ(got, 9);
      MPI_Request next; // the sweep
      impl::Irecv(&got, 1, type(MPI_INT), MPI_PROC_NULL, 0, comm, &next);
      impl::Request_free(&next);
    } else {
      runtime().world.engine.sleep(1);
      impl::Send(&value, 1, type(MPI_INT), 0, 0, comm);
    }
  }));
}

// Intent: an unmatched receive is cancelled, its status says so, and a later message is not taken
// by it.
TEST(Request, Cancel) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int got = 0, value = 3, flag = 0;
    MPI_Request request;
    MPI_Status status;
    impl::Irecv(&got, 1, type(MPI_INT), 0, 0, comm, &request);
    EXPECT_EQ(impl::Cancel(&request), MPI_SUCCESS);
    impl::Wait(&request, &status);
    impl::Test_cancelled(&status, &flag);
    EXPECT_TRUE(flag);
    impl::Send(&value, 1, type(MPI_INT), 0, 0, comm);
    impl::Recv(&got, 1, type(MPI_INT), 0, 0, comm, &status);
    impl::Test_cancelled(&status, &flag);
    EXPECT_FALSE(flag);
    EXPECT_EQ(got, 3);
  }));
}

// Intent: handles that name nothing are errors with their index, never a crash.
TEST(Request, InvalidHandles) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    auto bogus = reinterpret_cast<MPI_Request>(uintptr_t{9} << 27 | 77);
    MPI_Request pair[2] = {MPI_REQUEST_NULL, bogus};
    int flag, index;
    EXPECT_EQ(impl::Wait(&bogus, nullptr), MPI_ERR_REQUEST);
    EXPECT_EQ(impl::Test(&bogus, &flag, nullptr), MPI_ERR_REQUEST);
    EXPECT_EQ(impl::Waitany(2, pair, &index, nullptr), MPI_ERR_REQUEST);
    EXPECT_EQ(impl::Waitall(2, pair, nullptr), MPI_ERR_REQUEST);
    EXPECT_NE(state(comm.owner()).rare().failure.find("array_of_requests[1]"), std::string::npos);
    MPI_Request freed;
    int value;
    impl::Irecv(&value, 1, type(MPI_INT), MPI_PROC_NULL, 0, comm, &freed);
    MPI_Request copy = freed;
    impl::Wait(&freed, nullptr);
    EXPECT_EQ(impl::Wait(&copy, nullptr), MPI_ERR_REQUEST);
  }));
}

// Intent: a receive buffer that is too short: MPI_ERR_TRUNCATE naming both sides; Waitall says in
// which status.
TEST(Request, Truncation) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int data[4] = {1, 2, 3, 4};
    if (comm.rank() == 0) {
      impl::Send(data, 4, type(MPI_INT), 1, 7, comm);
      impl::Send(data, 4, type(MPI_INT), 1, 8, comm);
      return;
    }
    int got[4] = {};
    EXPECT_EQ(impl::Recv(got, 3, type(MPI_INT), 0, 7, comm, nullptr), MPI_ERR_TRUNCATE);
    EXPECT_EQ(state(comm.owner()).rare().failure,
              "a message of 16 bytes from rank 0, tag 7, does not fit the receive buffer of 12 "
              "bytes on rank 1 of MPI_COMM_WORLD");
    EXPECT_EQ(got[3], 0);
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[2];
    impl::Irecv(got, 1, type(MPI_INT), 0, 8, comm, &requests[1]);
    EXPECT_EQ(impl::Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
    EXPECT_EQ(statuses[0].MPI_ERROR, MPI_SUCCESS);
    EXPECT_EQ(statuses[1].MPI_ERROR, MPI_ERR_TRUNCATE);
    EXPECT_EQ(statusBytes(statuses[1]), 4);
  }));
}

// Intent: MPI_Get_count counts whole elements; part of one, or data of a type without bytes, is
// MPI_UNDEFINED.
TEST(Request, GetCount) {
  MPI_Status status{};
  setStatus(&status, 0, 0, 24);
  auto count = [&](Datatype &type) {
    MPI_Count result = -1;
    impl::Get_count(&status, type, &result);
    return result;
  };
  EXPECT_EQ(count(type(MPI_INT)), 6);
  EXPECT_EQ(count(type(MPI_DOUBLE)), 3);
  EXPECT_EQ(count(type(MPI_LONG_DOUBLE)), MPI_UNDEFINED);
  Datatype *empty = Datatype::contiguous(0, type(MPI_INT));
  EXPECT_EQ(count(*empty), MPI_UNDEFINED);
  setStatus(&status, 0, 0, 0);
  EXPECT_EQ(count(*empty), 0);
  EXPECT_EQ(count(type(MPI_INT)), 0);
  empty->release();
}

// Intent: tasks are waited for like other requests and pass their error on; persistent ones start
// again.
TEST(Request, Tasks) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Request *task = newTask(comm, "MPI_Ibarrier");
    MPI_Request handle = expose(*task);
    auto end = [](void *request, uint64_t error) {
      completeTask(*static_cast<Request *>(request), static_cast<int>(error));
    };
    runtime().world.engine.after(1, {end, task, MPI_ERR_OP});
    EXPECT_EQ(impl::Wait(&handle, nullptr), MPI_ERR_OP);
    EXPECT_EQ(runtime().world.engine.now().seconds, 1);

    int starts = 0;
    Collective::Actions actions;
    actions.start = [](Request &request, void *count) {
      ++*static_cast<int *>(count);
      completeTask(request);
    };
    Request *again = newPersistentCollective(comm, "MPI_Barrier_init", actions, &starts);
    MPI_Request persistent = expose(*again);
    for (int i = 0; i < 3; ++i) {
      impl::Start(&persistent);
      EXPECT_EQ(impl::Wait(&persistent, nullptr), MPI_SUCCESS);
    }
    EXPECT_EQ(starts, 3);
    impl::Request_free(&persistent);
    EXPECT_EQ(runtime().requests.live(), 0u);
  }));
}

// Intent: a wait on several requests says which ones are missing.
TEST(Request, DescribesWaits) {
  MpiWorld world(1);
  EXPECT_FALSE(world.run([](Comm &comm) {
    int a, b;
    MPI_Request requests[2];
    impl::Irecv(&a, 1, type(MPI_INT), 0, 1, comm, &requests[0]);
    impl::Irecv(&b, 1, type(MPI_INT), MPI_ANY_SOURCE, 2, comm, &requests[1]);
    impl::Waitall(2, requests, nullptr);
  }));
  auto &rank = *world.world.ranks[0];
  EXPECT_EQ(rank.describeWait(rank, rank.waitsFor),
            "all of 2 requests: MPI_Irecv from rank 0, tag 1, MPI_COMM_WORLD; MPI_Irecv from any "
            "rank, tag 2, MPI_COMM_WORLD");
}

// Intent: a detached send is done at once, and can be cancelled all the same as long as no receive
// has matched it: before its flow, during it, after it; the receiver never sees the message.
TEST(Request, DetachedSendsAreCancelled) {
  MpiWorld world(2);
  world.protocol.async = 100; // 8 bytes leave at once, 400 wait for their receive
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int values[100] = {};
    if (comm.rank() == 1) {
      world.engine.sleep(3);
      int flag = 0;
      impl::Iprobe(0, 5, comm, &flag, nullptr);
      EXPECT_FALSE(flag);
      EXPECT_EQ(runtime().fabric.liveMessages(), 1u);
      impl::Recv(values, 2, type(MPI_INT), 0, 6, comm, nullptr);
      return;
    }
    auto sendAndCancel = [&](int count, double after, int tag) {
      MPI_Request request;
      MPI_Status status;
      int cancelled = -1;
      impl::Isend(values, count, type(MPI_INT), 1, tag, comm, &request);
      if (after > 0)
        world.engine.sleep(after);
      impl::Cancel(&request);
      impl::Wait(&request, &status);
      impl::Test_cancelled(&status, &cancelled);
      return cancelled;
    };
    EXPECT_EQ(sendAndCancel(2, 0, 5), 1);
    EXPECT_EQ(sendAndCancel(2, 1, 5), 1);
    EXPECT_EQ(sendAndCancel(100, 0, 5), 1);
    MPI_Request request;
    MPI_Status status;
    int cancelled = -1;
    impl::Isend(values, 2, type(MPI_INT), 1, 6, comm, &request);
    world.engine.sleep(4); // received by now
    impl::Cancel(&request);
    impl::Wait(&request, &status);
    impl::Test_cancelled(&status, &cancelled);
    EXPECT_EQ(cancelled, 0);
  }));
}

// Intent: the request of a send that is done when it is posted keeps only what its reports and its
// cancelling need; one that waits for its receive keeps the rest.
TEST(Request, DoneSendsKeepLess) {
  MpiWorld world(2);
  world.protocol.detached = 100;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int values[100] = {};
    if (comm.rank() == 1) {
      impl::Recv(values, 2, type(MPI_INT), 0, 5, comm, nullptr);
      impl::Recv(values, 100, type(MPI_INT), 0, 6, comm, nullptr);
      return;
    }
    Request *small = isend(values, 2, type(MPI_INT), 1, 5, comm, Channel::User);
    Request *large = isend(values, 100, type(MPI_INT), 1, 6, comm, Channel::User);
    EXPECT_TRUE(small->done());
    EXPECT_FALSE(large->done());
    EXPECT_LT(small->sizeBytes(), large->sizeBytes());
    EXPECT_EQ(describe(*small), "send to rank 1, tag 5, MPI_COMM_WORLD");
    EXPECT_EQ(describe(*large), "send to rank 1, tag 6, MPI_COMM_WORLD");
    EXPECT_EQ(wait(small), MPI_SUCCESS);
    EXPECT_EQ(wait(large), MPI_SUCCESS);
  }));
}

} // namespace
} // namespace gnomon::mpi
