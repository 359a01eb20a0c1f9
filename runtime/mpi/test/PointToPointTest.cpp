// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of MPI's point-to-point functions.
#include "mpi/request/Status.h"
#include "mpi/test/MpiWorld.h"

#include <algorithm>
#include <numeric>

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

// Intent: messages of one sender with one tag arrive in the order in which they were sent, whatever
// their protocol.
TEST(PointToPoint, Order) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    constexpr int Count = 30;
    if (comm.rank() == 0) {
      std::vector<std::vector<int>> data;
      std::vector<MPI_Request> requests(Count);
      for (int i = 0; i < Count; ++i)
        data.emplace_back(i % 3 ? 10 : 30000, i);
      for (int i = 0; i < Count; ++i)
        impl::Isend(data[size_t(i)].data(), int(data[size_t(i)].size()), type(MPI_INT), 1, 5, comm,
                    &requests[size_t(i)]);
      impl::Waitall(Count, requests.data(), nullptr);
      for (MPI_Request request : requests)
        EXPECT_EQ(request, MPI_REQUEST_NULL);
    } else {
      std::vector<int> got(30000);
      for (int i = 0; i < Count; ++i) {
        MPI_Status status;
        impl::Recv(got.data(), 30000, type(MPI_INT), MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        EXPECT_EQ(got[0], i);
        EXPECT_EQ(status.MPI_SOURCE, 0);
        EXPECT_EQ(status.MPI_TAG, 5);
        EXPECT_EQ(statusBytes(status), i % 3 ? 40 : 120000);
      }
    }
  }));
}

// Intent: non-contiguous data goes out of and into non-contiguous buffers, detached and rendezvous,
// early and late receives.
TEST(PointToPoint, DerivedTypes) {
  for (int blocks : {5, 20000})
    for (bool late : {false, true}) {
      MpiWorld world(2);
      EXPECT_TRUE(world.run([&](Comm &comm) {
        Datatype *column = Datatype::vector(blocks, 1, 3, type(MPI_INT));
        column->commit();
        std::vector<int> matrix(size_t(blocks) * 3, -1);
        if (comm.rank() == 0) {
          for (int i = 0; i < blocks; ++i)
            matrix[size_t(i) * 3] = i;
          impl::Send(matrix.data(), 1, *column, 1, 0, comm);
        } else {
          if (late)
            runtime().world.engine.sleep(1);
          impl::Recv(matrix.data(), 1, *column, 0, 0, comm, nullptr);
          for (int i = 0; i < blocks; ++i) {
            ASSERT_EQ(matrix[size_t(i) * 3], i);
            ASSERT_EQ(matrix[size_t(i) * 3 + 1], -1);
          }
        }
        column->release();
      }));
    }
}

// Intent: MPI_PROC_NULL is done at once and leaves buffers and time alone.
TEST(PointToPoint, ProcNull) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int value = 7;
    MPI_Status status{};
    MPI_Request request;
    impl::Send(&value, 1, type(MPI_INT), MPI_PROC_NULL, 0, comm);
    impl::Recv(&value, 1, type(MPI_INT), MPI_PROC_NULL, 0, comm, &status);
    EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
    EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
    EXPECT_EQ(statusBytes(status), 0);
    impl::Irecv(&value, 1, type(MPI_INT), MPI_PROC_NULL, 0, comm, &request);
    impl::Wait(&request, &status);
    EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
    impl::Probe(MPI_PROC_NULL, 3, comm, &status);
    impl::Sendrecv(&value, 1, type(MPI_INT), MPI_PROC_NULL, 0, &value, 1, type(MPI_INT),
                   MPI_PROC_NULL, 0, comm, &status);
    EXPECT_EQ(value, 7);
  }));
  EXPECT_EQ(world.now(), 0);
}

// Intent: everybody shifts at once with rendezvous messages: sendrecv does not deadlock, replace
// keeps the old value safe.
TEST(PointToPoint, SendrecvRing) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int size = comm.size(), right = (comm.rank() + 1) % size,
        left = (comm.rank() + size - 1) % size;
    std::vector<int> data(50000, comm.rank()), got(50000);
    MPI_Status status;
    impl::Sendrecv(data.data(), 50000, type(MPI_INT), right, 1, got.data(), 50000, type(MPI_INT),
                   left, 1, comm, &status);
    EXPECT_EQ(got[49999], left);
    EXPECT_EQ(status.MPI_SOURCE, left);
    impl::Sendrecv_replace(data.data(), 50000, type(MPI_INT), right, 2, left, 2, comm, nullptr);
    EXPECT_EQ(data[0], left);
  }));
}

// Intent: an early message of a collective is lent, and holds what was sent all the same: where its
// receiver is late and the sender goes on, and where a rank receives where it sends from.
TEST(PointToPoint, SendrecvOfCollectives) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([](Comm &comm) {
    const int size = comm.size(), rank = comm.rank(), right = (rank + 1) % size,
              left = (rank + size - 1) % size;
    auto shift = [&](int *out, int *in) {
      EXPECT_EQ(sendrecv(out, 4, type(MPI_INT), right, 1, in, 4, type(MPI_INT), left, 1, comm,
                         Channel::Collective, nullptr),
                MPI_SUCCESS);
    };
    for (int round = 0; round < 3; ++round) {
      const std::vector<int> sent(4, 10 * rank + round), expected(4, 10 * left + round);
      std::vector<int> out = sent, in(4), both = sent;
      if (rank == round)
        runtime().world.engine.sleep(1);
      shift(out.data(), in.data());
      std::ranges::fill(out, -1);
      EXPECT_EQ(in, expected);
      if (rank == round)
        runtime().world.engine.sleep(1);
      shift(both.data(), both.data());
      EXPECT_EQ(both, expected);
    }
  }));
}

// Intent: a synchronous send to a rank that never receives is a deadlock, a small standard send is
// not.
TEST(PointToPoint, SynchronousWaits) {
  for (bool synchronous : {false, true}) {
    MpiWorld world(2);
    EXPECT_EQ(world.run([&](Comm &comm) {
      if (comm.rank() == 1)
        return;
      if (synchronous)
        impl::Ssend(nullptr, 0, type(MPI_INT), 1, 0, comm);
      else
        impl::Send(nullptr, 0, type(MPI_INT), 1, 0, comm);
    }),
              !synchronous);
  }
}

// Intent: a deadlock report names peer, tag, communicator, and the message that nearly fits.
TEST(PointToPoint, DescribesWhatItWaitsFor) {
  MpiWorld world(2);
  EXPECT_FALSE(world.run([](Comm &comm) {
    int value = 0;
    if (comm.rank() == 0)
      impl::Recv(&value, 1, type(MPI_INT), 1, 7, comm, nullptr);
    else
      impl::Ssend(&value, 1, type(MPI_INT), 0, 8, comm);
  }));
  auto text = [&](size_t rank) {
    auto &r = *world.world.ranks[rank];
    return r.describeWait ? r.describeWait(r, r.waitsFor) : "";
  };
  EXPECT_EQ(text(0), "receive from rank 1, tag 7, MPI_COMM_WORLD; unmatched there: a "
                     "message from rank 1, tag 8");
  EXPECT_EQ(text(1), "send of 4 bytes to rank 0, tag 8, MPI_COMM_WORLD, that no receive "
                     "has matched");
}

// Intent: a matched probe takes its message out of matching, and other receives get the next one.
TEST(PointToPoint, MatchedProbe) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    if (comm.rank() == 0) {
      for (int i = 1; i <= 3; ++i)
        impl::Send(&i, 1, type(MPI_INT), 1, 4, comm);
      return;
    }
    MPI_Message first, none;
    MPI_Status status;
    int got = 0, flag = 0;
    impl::Mprobe(MPI_ANY_SOURCE, 4, comm, &first, &status);
    EXPECT_EQ(statusBytes(status), 4);
    impl::Recv(&got, 1, type(MPI_INT), 0, 4, comm, nullptr);
    EXPECT_EQ(got, 2);
    impl::Mrecv(&got, 1, type(MPI_INT), &first, &status);
    EXPECT_EQ(got, 1);
    EXPECT_EQ(first, MPI_MESSAGE_NULL);
    EXPECT_EQ(status.MPI_TAG, 4);
    impl::Improbe(0, 4, comm, &flag, &first, &status);
    EXPECT_TRUE(flag);
    MPI_Request request;
    impl::Imrecv(&got, 1, type(MPI_INT), &first, &request);
    impl::Wait(&request, nullptr);
    EXPECT_EQ(got, 3);
    impl::Improbe(0, 4, comm, &flag, &none, nullptr);
    EXPECT_FALSE(flag);
    EXPECT_EQ(impl::Mrecv(&got, 1, type(MPI_INT), &none, nullptr), MPI_ERR_REQUEST);
    none = MPI_MESSAGE_NO_PROC;
    EXPECT_EQ(impl::Mrecv(&got, 1, type(MPI_INT), &none, &status), MPI_SUCCESS);
    EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  }));
}

// Intent: buffered sends ask for an attached buffer that is large enough; detach gives it back.
TEST(PointToPoint, BufferedSend) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    std::vector<char> data(100000, 'x'), got(100000), space(100000 + MPI_BSEND_OVERHEAD);
    if (comm.rank() == 1) {
      impl::Recv(got.data(), 100000, type(MPI_CHAR), 0, 0, comm, nullptr);
      EXPECT_EQ(got, data);
      return;
    }
    EXPECT_EQ(impl::Bsend(data.data(), 1, type(MPI_CHAR), 1, 0, comm), MPI_ERR_BUFFER);
    impl::Buffer_attach(space.data(), int(space.size()));
    EXPECT_EQ(impl::Buffer_attach(space.data(), 1), MPI_ERR_BUFFER);
    EXPECT_EQ(impl::Bsend(data.data(), 100000, type(MPI_CHAR), 1, 0, comm), MPI_SUCCESS);
    void *address = nullptr;
    MPI_Count size = 0;
    impl::Buffer_detach(&address, &size);
    EXPECT_EQ(address, space.data());
    EXPECT_EQ(size, MPI_Count(space.size()));
  }));
}

// Intent: the internal calls on the collective channel do not match the program's receives.
TEST(PointToPoint, ChannelsAreApart) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int value = comm.rank(), got = -1;
    if (comm.rank() == 0) {
      send(&value, 1, type(MPI_INT), 1, 3, comm, Channel::Collective);
      value = 42;
      send(&value, 1, type(MPI_INT), 1, 3, comm, Channel::User);
    } else {
      impl::Recv(&got, 1, type(MPI_INT), MPI_ANY_SOURCE, MPI_ANY_TAG, comm, nullptr);
      EXPECT_EQ(got, 42);
      recv(&got, 1, type(MPI_INT), 0, 3, comm, Channel::Collective);
      EXPECT_EQ(got, 0);
    }
  }));
}

} // namespace
} // namespace gnomon::mpi
