// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of communicators: dup, split, create, names, comparison, disagreement.
#include "mpi/comm/Topology.h"
#include "mpi/test/MpiWorld.h"

#include <cstring>
#include <set>

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

/// Everybody shifts its rank by one: a communicator works and is closed.
void checkWorks(Comm &comm) {
  int size = comm.size(), mine = comm.rank(), got = -1;
  impl::Sendrecv(&mine, 1, type(MPI_INT), (mine + 1) % size, 0, &got, 1, type(MPI_INT),
                 (mine + size - 1) % size, 0, comm, nullptr);
  EXPECT_EQ(got, (mine + size - 1) % size);
}

// Intent: split groups by color, orders by key then rank, leaves MPI_UNDEFINED out.
TEST(Communicator, Split) {
  MpiWorld world(10);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int rank = comm.rank();
    MPI_Comm part;
    int color = rank == 9 ? MPI_UNDEFINED : rank % 3;
    impl::Comm_split(comm, color, -rank, &part);
    if (rank == 9) {
      EXPECT_EQ(part, MPI_COMM_NULL);
      return;
    }
    Comm &mine = at<Comm>(part);
    EXPECT_EQ(mine.size(), 3);
    EXPECT_EQ(mine.rank(), 2 - rank / 3); // keys count down
    EXPECT_EQ(mine.process(0), uint32_t(6 + rank % 3));
    checkWorks(mine);
    impl::Comm_free(&part);
    EXPECT_EQ(part, MPI_COMM_NULL);
  }));
}

// Intent: equal keys keep the order of the parent; members of one color are kept as a range.
TEST(Communicator, SplitKeepsOrder) {
  MpiWorld world(6);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Comm part;
    impl::Comm_split(comm, comm.rank() % 2, 0, &part);
    EXPECT_EQ(at<Comm>(part).rank(), comm.rank() / 2);
  }));
}

// Intent: a duplicate has the same group and another context: messages do not cross.
TEST(Communicator, DupIsSeparate) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Comm handle;
    impl::Comm_dup(comm, &handle);
    Comm &copy = at<Comm>(handle);
    int result;
    impl::Comm_compare(comm, copy, &result);
    EXPECT_EQ(result, MPI_CONGRUENT);
    impl::Comm_compare(copy, copy, &result);
    EXPECT_EQ(result, MPI_IDENT);
    int one = 1, two = 2, got = 0;
    if (comm.rank() == 0) {
      impl::Send(&one, 1, type(MPI_INT), 1, 0, comm);
      impl::Send(&two, 1, type(MPI_INT), 1, 0, copy);
    } else {
      impl::Recv(&got, 1, type(MPI_INT), 0, 0, copy, nullptr);
      EXPECT_EQ(got, 2);
      impl::Recv(&got, 1, type(MPI_INT), 0, 0, comm, nullptr);
      EXPECT_EQ(got, 1);
    }
  }));
}

// Intent: a nonblocking dup lets ranks go on, is complete when all have called, and gives one
// context.
TEST(Communicator, Idup) {
  MpiWorld world(3);
  EXPECT_TRUE(world.run([&](Comm &comm) {
    MPI_Comm a, b;
    MPI_Request requests[2];
    world.engine.sleep(comm.rank());
    impl::Comm_idup(comm, &a, &requests[0]);
    impl::Comm_idup(comm, &b, &requests[1]);
    EXPECT_EQ(world.now(), comm.rank());
    impl::Waitall(2, requests, nullptr);
    EXPECT_EQ(world.now(), 2);
    EXPECT_NE(at<Comm>(a).id(), at<Comm>(b).id());
    checkWorks(at<Comm>(a));
    checkWorks(at<Comm>(b));
  }));
}

// Intent: create gives the members a communicator in the group's order, the others MPI_COMM_NULL;
// disjoint groups at once work.
TEST(Communicator, Create) {
  MpiWorld world(7);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Group all, some;
    impl::Comm_group(comm, &all);
    int first[] = {5, 1, 3}, second[] = {0, 2};
    bool odd = comm.rank() % 2;
    impl::Group_incl(at<Group>(all), odd ? 3 : 2, odd ? first : second, &some);
    MPI_Comm handle;
    impl::Comm_create(comm, at<Group>(some), &handle);
    if (comm.rank() == 4 || comm.rank() == 6) {
      EXPECT_EQ(handle, MPI_COMM_NULL);
    } else {
      EXPECT_EQ(at<Comm>(handle).size(), odd ? 3 : 2);
      if (comm.rank() == 5) {
        EXPECT_EQ(at<Comm>(handle).rank(), 0);
      }
      checkWorks(at<Comm>(handle));
    }
    impl::Group_free(&some);
    EXPECT_EQ(some, MPI_GROUP_NULL);
  }));
}

// Intent: create_group involves only the members: the others call nothing.
TEST(Communicator, CreateGroup) {
  MpiWorld world(6);
  EXPECT_TRUE(world.run([](Comm &comm) {
    if (comm.rank() % 2)
      return;
    MPI_Group all, some;
    impl::Comm_group(comm, &all);
    int ranks[] = {4, 0, 2};
    impl::Group_incl(at<Group>(all), 3, ranks, &some);
    uint32_t last = 0;
    for (int round = 0; round < 3; ++round) {
      MPI_Comm handle;
      impl::Comm_create_group(comm, at<Group>(some), 5, &handle);
      Comm &mine = at<Comm>(handle);
      EXPECT_EQ(mine.size(), 3);
      EXPECT_EQ(mine.process(0), 4u);
      EXPECT_NE(mine.id(), last);
      last = mine.id();
      checkWorks(mine);
    }
  }));
}

// Intent: groups that overlap, made one after another with the same tag and first member, are not
// mixed up.
TEST(Communicator, CreateGroupsInARow) {
  MpiWorld world(4);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Group all;
    impl::Comm_group(comm, &all);
    int sets[][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {0, 1, 2}};
    for (auto &ranks : sets) {
      MPI_Group some;
      impl::Group_incl(at<Group>(all), 3, ranks, &some);
      if (at<Group>(some).rank() < 0)
        continue;
      MPI_Comm handle;
      impl::Comm_create_group(comm, at<Group>(some), 0, &handle);
      EXPECT_EQ(at<Comm>(handle).process(2), uint32_t(ranks[2]));
      checkWorks(at<Comm>(handle));
    }
  }));
}

// Intent: split_type shared gives the ranks of one simulated host.
TEST(Communicator, SplitTypeShared) {
  MpiWorld world(6);
  for (auto &rank : world.world.ranks)
    rank->host = rank->number / 3;
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Comm node;
    impl::Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, nullptr, &node);
    EXPECT_EQ(at<Comm>(node).size(), 3);
    EXPECT_EQ(at<Comm>(node).rank(), comm.rank() % 3);
  }));
}

// Intent: making a communicator takes simulated time, ceil(log2 P) rounds of one message here, and
// synchronises.
TEST(Communicator, CreationCostsTime) {
  MpiWorld world(6);
  world.network.bytesPerSecond = 1e300;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    world.engine.sleep(comm.rank() == 2 ? 1 : 0);
    MPI_Comm copy;
    impl::Comm_dup(comm, &copy);
    EXPECT_NEAR(world.now(), 1 + 3 * world.network.latencySeconds, 1e-6);
    EXPECT_GE(world.now(), 1);
  }));
}

// Intent: names are kept, cut at their limit, and MPI_COMM_WORLD has one.
TEST(Communicator, Names) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    char name[MPI_MAX_OBJECT_NAME];
    int length = 0;
    impl::Comm_get_name(comm, name, &length);
    EXPECT_STREQ(name, "MPI_COMM_WORLD");
    EXPECT_EQ(length, 14);
    impl::Comm_set_name(comm, std::string(1000, 'x').c_str());
    impl::Comm_get_name(comm, name, &length);
    EXPECT_EQ(length, MPI_MAX_OBJECT_NAME - 1);
  }));
}

// Intent: a request keeps its communicator alive beyond MPI_Comm_free; predefined ones cannot be
// freed.
TEST(Communicator, FreeWithPendingRequest) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Comm handle;
    impl::Comm_dup(comm, &handle);
    int value = comm.rank(), got = -1;
    MPI_Request request;
    impl::Irecv(&got, 1, type(MPI_INT), 1 - value, 0, at<Comm>(handle), &request);
    impl::Send(&value, 1, type(MPI_INT), 1 - value, 0, at<Comm>(handle));
    impl::Comm_free(&handle);
    impl::Wait(&request, nullptr);
    EXPECT_EQ(got, 1 - value);
    MPI_Comm worldHandle = MPI_COMM_WORLD;
    EXPECT_EQ(impl::Comm_free(&worldHandle), MPI_ERR_COMM);
    EXPECT_EQ(impl::Comm_free(&handle), MPI_ERR_COMM);
  }));
}

// Intent: ranks that call different constructors on one communicator are told so.
TEST(CommunicatorDeathTest, Disagreement) {
  EXPECT_EXIT(
      {
        MpiWorld world(2);
        world.run([](Comm &comm) {
          MPI_Comm made;
          if (comm.rank() == 0)
            impl::Comm_dup(comm, &made);
          else
            impl::Comm_split(comm, 0, 0, &made);
        });
      },
      testing::ExitedWithCode(1),
      "rank 1: MPI_Comm_split on MPI_COMM_WORLD, on which rank 0 calls MPI_Comm_dup");
}

// Intent: the grid of a communicator is one object for all ranks that describe it equally; one that
// describes it otherwise has its own.
TEST(Communicator, RanksShareTheirGrid) {
  MpiWorld world(6);
  std::set<const Topology *> grids;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    const int dims[] = {3, 2}, periods[] = {1, comm.rank() == 4};
    MPI_Comm grid;
    EXPECT_EQ(impl::Cart_create(comm, 2, dims, periods, 0, &grid), MPI_SUCCESS);
    grids.insert(at<Comm>(grid).topology.get());
    EXPECT_EQ(at<Comm>(grid).topology->grid()->periodic[1], comm.rank() == 4);
  }));
  EXPECT_EQ(grids.size(), 2u);
}

// Intent: 4096 ranks split several times without lists per rank: the members are shared.
TEST(Communicator, ManyRanks) {
  MpiWorld world(4096);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Comm half, row;
    impl::Comm_split(comm, comm.rank() % 2, comm.rank(), &half);
    impl::Comm_split(at<Comm>(half), comm.rank() / 64, 0, &row);
    EXPECT_EQ(at<Comm>(row).size(), 32);
    EXPECT_EQ(at<Comm>(half).process(7), uint32_t(comm.rank() % 2 + 14));
  }));
}

} // namespace
} // namespace gnomon::mpi
