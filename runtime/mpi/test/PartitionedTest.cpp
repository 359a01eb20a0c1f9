// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of partitioned communication.
#include "mpi/request/Partitioned.h"
#include "mpi/test/MpiWorld.h"

#include <numeric>

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

// Intent: other partitions on each side, two rounds, ready in any order: the data arrives, early
// partitions before the request is done, and the operation may be started again.
TEST(Partitioned, PartitionsOfBothSidesDiffer) {
  MpiWorld world(2);
  world.protocol.test = 1e-3;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    std::vector<int> data(12);
    MPI_Request request;
    if (comm.rank() == 0) {
      impl::Psend_init(data.data(), 6, 2, type(MPI_INT), 1, 3, comm, nullptr, &request);
      for (int round = 0; round < 2; ++round) {
        std::iota(data.begin(), data.end(), 100 * round);
        impl::Start(&request);
        impl::Pready_range(0, 1, at<Request>(request));
        world.engine.sleep(5);
        const int rest[] = {5, 3, 4};
        impl::Pready_list(3, rest, at<Request>(request));
        EXPECT_EQ(impl::Pready(3, at<Request>(request)), MPI_ERR_ARG);
        EXPECT_EQ(impl::Pready(6, at<Request>(request)), MPI_ERR_ARG);
        impl::Pready(2, at<Request>(request));
        impl::Wait(&request, nullptr);
      }
    } else {
      impl::Precv_init(data.data(), 3, 4, type(MPI_INT), 0, 3, comm, nullptr, &request);
      for (int round = 0; round < 2; ++round) {
        impl::Start(&request);
        int flag = 0;
        while (!flag)
          impl::Parrived(at<Request>(request), 0, &flag);
        EXPECT_EQ(data[3], 100 * round + 3);
        impl::Parrived(at<Request>(request), 1, &flag);
        EXPECT_FALSE(flag);
        impl::Wait(&request, nullptr);
        EXPECT_EQ(data[11], 100 * round + 11);
        EXPECT_EQ(impl::Parrived(at<Request>(request), 3, &flag), MPI_ERR_ARG);
      }
    }
    EXPECT_EQ(impl::Start(&request), MPI_SUCCESS);
    if (comm.rank() == 0)
      impl::Pready_range(0, 5, at<Request>(request));
    impl::Wait(&request, nullptr);
    EXPECT_EQ(impl::Request_free(&request), MPI_SUCCESS);
  }));
}

// Intent: a receiver started before its sender is made waits for it; data of a type with gaps
// lands at its places; operations of one envelope pair in the order of their making.
TEST(Partitioned, ReceiverFirstAndTypesWithGaps) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([&](Comm &comm) {
    MPI_Request one, two;
    MPI_Datatype gaps;
    impl::Type_vector(2, 1, 2, type(MPI_INT), &gaps);
    impl::Type_commit(&gaps);
    if (comm.rank() == 0) {
      world.engine.sleep(1);
      int first[] = {1, 2, 3, 4}, second[] = {5, 6, 7, 8};
      impl::Psend_init(first, 4, 1, type(MPI_INT), 1, 0, comm, nullptr, &one);
      impl::Psend_init(second, 1, 4, type(MPI_INT), 1, 0, comm, nullptr, &two);
      impl::Start(&two);
      impl::Pready(0, at<Request>(two));
      impl::Start(&one);
      impl::Pready_range(0, 3, at<Request>(one));
      impl::Wait(&one, nullptr);
      impl::Wait(&two, nullptr);
    } else {
      int first[6] = {}, second[6] = {};
      impl::Precv_init(first, 2, 1, at<Datatype>(gaps), 0, 0, comm, nullptr, &one);
      impl::Precv_init(second, 2, 1, at<Datatype>(gaps), 0, 0, comm, nullptr, &two);
      impl::Start(&one);
      impl::Start(&two);
      impl::Wait(&one, nullptr);
      impl::Wait(&two, nullptr);
      EXPECT_EQ((std::vector<int>(first, first + 6)), (std::vector<int>{1, 0, 2, 3, 0, 4}));
      EXPECT_EQ((std::vector<int>(second, second + 6)), (std::vector<int>{5, 0, 6, 7, 0, 8}));
    }
    impl::Request_free(&one);
    impl::Request_free(&two);
  }));
}

// Intent: MPI_PROC_NULL, wildcards and calls on the wrong side.
TEST(Partitioned, SpecialCases) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int value = 0, flag = 0;
    MPI_Request request;
    EXPECT_EQ(
        impl::Precv_init(&value, 1, 1, type(MPI_INT), MPI_ANY_SOURCE, 0, comm, nullptr, &request),
        MPI_ERR_RANK);
    EXPECT_EQ(
        impl::Precv_init(&value, 1, 1, type(MPI_INT), 0, MPI_ANY_TAG, comm, nullptr, &request),
        MPI_ERR_TAG);
    impl::Psend_init(&value, 1, 1, type(MPI_INT), MPI_PROC_NULL, 0, comm, nullptr, &request);
    EXPECT_EQ(impl::Pready(0, at<Request>(request)), MPI_ERR_REQUEST); // not started
    EXPECT_EQ(impl::Parrived(at<Request>(request), 0, &flag), MPI_ERR_REQUEST);
    impl::Start(&request);
    EXPECT_EQ(impl::Pready(-1, at<Request>(request)), MPI_ERR_ARG);
    EXPECT_EQ(impl::Pready(0, at<Request>(request)), MPI_SUCCESS);
    EXPECT_EQ(impl::Pready(0, at<Request>(request)), MPI_ERR_ARG); // ready already
    impl::Wait(&request, nullptr);
    impl::Request_free(&request);
    EXPECT_EQ(impl::Psend_init(&value, PartitionedTags::Count, 0, type(MPI_INT), MPI_PROC_NULL, 0,
                               comm, nullptr, &request),
              MPI_SUCCESS);
    MPI_Request other;
    EXPECT_EQ(impl::Psend_init(&value, 1, 1, type(MPI_INT), 0, 0, comm, nullptr, &other),
              MPI_SUCCESS)
        << "nobody gets what is sent to MPI_PROC_NULL, under any tags";
    impl::Request_free(&request);
    impl::Request_free(&other);
    impl::Precv_init(&value, 1, 1, type(MPI_INT), MPI_PROC_NULL, 0, comm, nullptr, &request);
    EXPECT_EQ(impl::Pready(0, at<Request>(request)), MPI_ERR_REQUEST);
    impl::Start(&request);
    EXPECT_EQ(impl::Pready(0, at<Request>(request)), MPI_ERR_REQUEST);
    EXPECT_EQ(impl::Parrived(at<Request>(request), -1, &flag), MPI_ERR_ARG);
    EXPECT_EQ(impl::Parrived(at<Request>(request), 0, &flag), MPI_SUCCESS);
    EXPECT_TRUE(flag);
    impl::Wait(&request, nullptr);
    impl::Request_free(&request);
  }));
}

/// Whether the receiver's partition is there.
bool arrived(MPI_Request request, int partition) {
  int flag = -1;
  EXPECT_EQ(impl::Parrived(at<Request>(request), partition, &flag), MPI_SUCCESS);
  return flag != 0;
}

// Intent: a partition has arrived with all of the sender's partitions that it overlaps, and with
// these alone; before the sender is made none has, and of a request that is not started all have.
TEST(Partitioned, ArrivesWithWhatItOverlaps) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int data[4] = {1, 2, 3, 4};
    MPI_Request parts, whole;
    if (comm.rank() == 0) {
      world.engine.sleep(10);
      impl::Psend_init(data, 4, 1, type(MPI_INT), 1, 0, comm, nullptr, &parts);
      impl::Psend_init(data, 1, 4, type(MPI_INT), 1, 1, comm, nullptr, &whole);
      impl::Start(&parts);
      impl::Start(&whole);
      impl::Pready_range(1, 2, at<Request>(parts));
      world.engine.sleep(10);
      impl::Pready(3, at<Request>(parts));
      world.engine.sleep(10);
      impl::Pready(0, at<Request>(parts));
      impl::Pready(0, at<Request>(whole));
    } else {
      impl::Precv_init(data, 2, 2, type(MPI_INT), 0, 0, comm, nullptr, &parts);
      impl::Precv_init(data, 4, 1, type(MPI_INT), 0, 1, comm, nullptr, &whole);
      EXPECT_TRUE(arrived(parts, 0));
      impl::Start(&parts);
      EXPECT_FALSE(arrived(parts, 0));
      world.engine.sleep(15);
      impl::Start(&whole);
      EXPECT_FALSE(arrived(parts, 0));
      EXPECT_FALSE(arrived(parts, 1));
      world.engine.sleep(10);
      EXPECT_FALSE(arrived(parts, 0));
      EXPECT_TRUE(arrived(parts, 1));
      for (int p = 0; p < 4; ++p)
        EXPECT_FALSE(arrived(whole, p)) << p;
    }
    impl::Wait(&parts, nullptr);
    impl::Wait(&whole, nullptr);
    impl::Request_free(&parts);
    impl::Request_free(&whole);
  }));
}

// Intent: each call of MPI_Parrived on a started request costs what a test costs, by SMPI's rule more
// with each that fails; one on a request that is not started costs nothing.
TEST(Partitioned, ParrivedPolls) {
  MpiWorld world(2, Settings{.growInjectedTimes = true});
  world.protocol.test = 1;
  world.protocol.iprobe = 100;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int value = 0;
    MPI_Request request;
    if (comm.rank() == 0) {
      impl::Psend_init(&value, 1, 1, type(MPI_INT), 1, 0, comm, nullptr, &request);
      impl::Start(&request);
      world.engine.sleep(5.5);
      impl::Pready(0, at<Request>(request));
    } else {
      impl::Precv_init(&value, 1, 1, type(MPI_INT), 0, 0, comm, nullptr, &request);
      EXPECT_TRUE(arrived(request, 0));
      EXPECT_NEAR(world.now(), 0, 1e-9);
      impl::Start(&request);
      EXPECT_FALSE(arrived(request, 0)); // costs 1
      EXPECT_FALSE(arrived(request, 0)); // 2
      EXPECT_TRUE(arrived(request, 0));  // 3
      EXPECT_NEAR(world.now(), 6, 1e-9);
      EXPECT_TRUE(arrived(request, 0)); // 1
      EXPECT_NEAR(world.now(), 7, 1e-9);
    }
    impl::Wait(&request, nullptr);
    impl::Request_free(&request);
  }));
}

// Intent: what is sent beyond the receiver's end is an error of the receive, and is written
// nowhere.
TEST(Partitioned, Truncates) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int data[6] = {1, 2, 3, 4, 5, 6};
    MPI_Request request;
    if (comm.rank() == 0) {
      impl::Psend_init(data, 3, 2, type(MPI_INT), 1, 0, comm, nullptr, &request);
      impl::Start(&request);
      impl::Pready_range(0, 2, at<Request>(request));
      EXPECT_EQ(impl::Wait(&request, nullptr), MPI_SUCCESS);
    } else {
      std::fill_n(data, 6, 0);
      impl::Precv_init(data, 3, 1, type(MPI_INT), 0, 0, comm, nullptr, &request);
      impl::Start(&request);
      EXPECT_EQ(impl::Wait(&request, nullptr), MPI_ERR_TRUNCATE);
      EXPECT_EQ((std::vector<int>(data, data + 6)), (std::vector<int>{1, 2, 3, 0, 0, 0}));
    }
    impl::Request_free(&request);
  }));
}

// Intent: operations of different communicators do not meet.
TEST(Partitioned, CommunicatorsAreApart) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Comm made;
    impl::Comm_dup(comm, &made);
    Comm &copy = at<Comm>(made);
    int first = 1, second = 2;
    MPI_Request requests[2];
    if (comm.rank() == 0) {
      impl::Psend_init(&first, 1, 1, type(MPI_INT), 1, 0, comm, nullptr, &requests[0]);
      impl::Psend_init(&second, 1, 1, type(MPI_INT), 1, 0, copy, nullptr, &requests[1]);
    } else {
      impl::Precv_init(&second, 1, 1, type(MPI_INT), 0, 0, copy, nullptr, &requests[1]);
      impl::Precv_init(&first, 1, 1, type(MPI_INT), 0, 0, comm, nullptr, &requests[0]);
      first = second = 0;
    }
    impl::Startall(2, requests);
    for (int i = 0; i < 2 && comm.rank() == 0; ++i)
      impl::Pready(0, at<Request>(requests[i]));
    impl::Waitall(2, requests, nullptr);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 2);
    for (MPI_Request &request : requests)
      impl::Request_free(&request);
    impl::Comm_free(&made);
  }));
}

// Intent: partitions of several elements with gaps, on either side, lie where their extent says; a
// type of which one element is a block may have gaps between elements.
TEST(Partitioned, SeveralElementsWithGaps) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Datatype gap;
    impl::Type_create_resized(type(MPI_INT), 0, 2 * sizeof(int), &gap);
    impl::Type_commit(&gap);
    int four[8] = {1, 0, 2, 0, 3, 0, 4, 0}, two[4] = {5, 0, 6, 0};
    const std::vector<int> allFour(four, four + 8), allTwo(two, two + 4);
    MPI_Request requests[2];
    if (comm.rank() == 0) {
      impl::Psend_init(four, 2, 2, at<Datatype>(gap), 1, 0, comm, nullptr, &requests[0]);
      impl::Psend_init(two, 2, 1, at<Datatype>(gap), 1, 1, comm, nullptr, &requests[1]);
    } else {
      std::fill_n(four, 8, 0);
      std::fill_n(two, 4, 0);
      impl::Precv_init(four, 2, 2, at<Datatype>(gap), 0, 0, comm, nullptr, &requests[0]);
      impl::Precv_init(two, 2, 1, at<Datatype>(gap), 0, 1, comm, nullptr, &requests[1]);
    }
    impl::Startall(2, requests);
    for (int i = 0; i < 2 && comm.rank() == 0; ++i)
      impl::Pready_range(0, 1, at<Request>(requests[i]));
    impl::Waitall(2, requests, nullptr);
    EXPECT_EQ(std::vector<int>(four, four + 8), allFour);
    EXPECT_EQ(std::vector<int>(two, two + 4), allTwo);
    for (MPI_Request &request : requests)
      impl::Request_free(&request);
  }));
}

// Intent: what has arrived for a partition is moved to its place once: what the program writes
// there afterwards stays, and what it asks for again is not moved again.
TEST(Partitioned, ArrivedDataIsPlacedOnce) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([&](Comm &comm) {
    MPI_Request request;
    MPI_Datatype gaps;
    impl::Type_vector(2, 1, 2, type(MPI_INT), &gaps);
    impl::Type_commit(&gaps);
    int data[6] = {1, 2, 3, 4, 0, 0}, flag = 0;
    for (int round = 0; round < 2; ++round)
      if (comm.rank() == 0) {
        if (round == 0)
          impl::Psend_init(data, 2, 2, type(MPI_INT), 1, 0, comm, nullptr, &request);
        impl::Start(&request);
        impl::Pready(0, at<Request>(request));
        world.engine.sleep(1);
        impl::Pready(1, at<Request>(request));
        impl::Wait(&request, nullptr);
      } else {
        if (round == 0)
          impl::Precv_init(data, 2, 1, at<Datatype>(gaps), 0, 0, comm, nullptr, &request);
        impl::Start(&request);
        while (!flag)
          impl::Parrived(at<Request>(request), 0, &flag);
        EXPECT_EQ(data[2], 2);
        data[2] = flag = 0;
        impl::Parrived(at<Request>(request), 0, &flag);
        EXPECT_TRUE(flag);
        EXPECT_EQ(data[2], 0);
        impl::Wait(&request, nullptr);
        EXPECT_EQ(data[2], 0);
        EXPECT_EQ(data[3], 3);
        EXPECT_EQ(data[5], 4);
        data[3] = data[5] = flag = 0;
      }
    impl::Request_free(&request);
  }));
}

// Intent: tags belong to one row of messages until they are given back, in whatever order, however
// often all of them have been used.
TEST(PartitionedTags, RowsDoNotOverlap) {
  constexpr int Quarter = PartitionedTags::Count / 4;
  PartitionedTags tags;
  const std::optional<int32_t> kept = tags.take(10);
  EXPECT_EQ(kept, INT32_MIN);
  for (int round = 0; round < 10; ++round) {
    const std::optional<int32_t> one = tags.take(Quarter), two = tags.take(Quarter);
    ASSERT_TRUE(one && two);
    EXPECT_GE(*one, INT32_MIN + 10);
    EXPECT_GE(std::abs(static_cast<int64_t>(*one) - *two), Quarter);
    EXPECT_LE(std::max(*one, *two), INT32_MIN + 3 * Quarter);
    tags.giveBack(*one);
    tags.giveBack(*two);
  }
  EXPECT_EQ(tags.take(4 * Quarter - 9), std::nullopt);
  EXPECT_EQ(tags.take(4 * Quarter - 10), INT32_MIN + 10) << "all that are left";
  EXPECT_EQ(tags.take(1), std::nullopt);
  EXPECT_TRUE(tags.take(0));
  tags.giveBack(INT32_MIN);
  EXPECT_EQ(tags.take(10), INT32_MIN);
}

// Intent: an operation without partitions takes no tags, and ends as it starts.
TEST(PartitionedTags, OfNoPartitions) {
  PartitionedTags tags;
  EXPECT_TRUE(tags.take(0));
  EXPECT_TRUE(tags.take(PartitionedTags::Count));
  EXPECT_EQ(tags.take(1), std::nullopt);
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    char byte = 0;
    MPI_Request requests[2];
    impl::Psend_init(&byte, 0, 1, type(MPI_BYTE), 0, 1, comm, nullptr, &requests[0]);
    impl::Precv_init(&byte, 0, 1, type(MPI_BYTE), 0, 1, comm, nullptr, &requests[1]);
    impl::Startall(2, requests);
    EXPECT_EQ(impl::Waitall(2, requests, nullptr), MPI_SUCCESS);
    for (MPI_Request &request : requests)
      EXPECT_EQ(impl::Request_free(&request), MPI_SUCCESS);
  }));
}

// Intent: there are 2^30 partitions for all operations together; freed ones are there again.
TEST(Partitioned, AllPartitionsAreTaken) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    constexpr int All = PartitionedTags::Count;
    char byte = 0;
    MPI_Request send, receive, other;
    EXPECT_EQ(impl::Psend_init(&byte, All, 0, type(MPI_BYTE), 0, 1, comm, nullptr, &send),
              MPI_SUCCESS);
    EXPECT_EQ(impl::Psend_init(&byte, 1, 1, type(MPI_BYTE), 0, 2, comm, nullptr, &other),
              MPI_ERR_NO_MEM);
    impl::Precv_init(&byte, 1, 0, type(MPI_BYTE), 0, 1, comm, nullptr, &receive);
    impl::Request_free(&send);
    EXPECT_EQ(impl::Psend_init(&byte, 1, 1, type(MPI_BYTE), 0, 2, comm, nullptr, &other),
              MPI_ERR_NO_MEM)
        << "the receiver may still get messages with these tags";
    impl::Request_free(&receive);
    EXPECT_EQ(impl::Psend_init(&byte, 1, 1, type(MPI_BYTE), 0, 2, comm, nullptr, &other),
              MPI_SUCCESS);
    impl::Request_free(&other);
  }));
}

// Intent: threads make partitions ready side by side, each of which parks for what a send costs;
// the operation ends once, when the last message has left.
TEST(Partitioned, ThreadsMakeReadySideBySide) {
  MpiWorld world(2);
  world.protocol.ois = 1;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int data[2] = {7, 8};
    MPI_Request request;
    if (comm.rank() == 1) {
      data[0] = data[1] = 0;
      impl::Precv_init(data, 1, 2, type(MPI_INT), 0, 0, comm, nullptr, &request);
      impl::Start(&request);
      impl::Wait(&request, nullptr);
      EXPECT_EQ(data[0], 7);
      EXPECT_EQ(data[1], 8);
    } else {
      impl::Psend_init(data, 2, 1, type(MPI_INT), 1, 0, comm, nullptr, &request);
      impl::Start(&request);
      world.engine.spawn([](void *argument) { impl::Pready(1, *static_cast<Request *>(argument)); },
                         &at<Request>(request), &comm.owner());
      impl::Pready(0, at<Request>(request));
      impl::Wait(&request, nullptr);
      EXPECT_NEAR(world.now(), 1, 1e-3);
    }
    impl::Request_free(&request);
  }));
}

} // namespace
} // namespace gnomon::mpi
