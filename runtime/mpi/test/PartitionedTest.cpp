// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of partitioned communication.
#include "mpi/Partitioned.h"
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
    EXPECT_EQ(impl::Pready(0, at<Request>(request)), MPI_SUCCESS);
    impl::Wait(&request, nullptr);
    impl::Request_free(&request);
  }));
}

} // namespace
} // namespace gnomon::mpi
