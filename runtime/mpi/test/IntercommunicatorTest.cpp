// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of intercommunicators: how they are made, whom ranks name, what is made from them.
#include "mpi/test/MpiWorld.h"

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

/// The ranks below \p low and the others, with an intercommunicator between them; the leaders are
/// the last of each.
Comm &makeInter(Comm &world, int low, int tag = 5) {
  const bool isLow = world.rank() < low;
  MPI_Comm part, inter;
  impl::Comm_split(world, isLow, 0, &part);
  const int last = at<Comm>(part).size() - 1;
  EXPECT_EQ(impl::Intercomm_create(at<Comm>(part), last, &world, isLow ? world.size() - 1 : low - 1,
                                   tag, &inter),
            MPI_SUCCESS);
  impl::Comm_free(&part);
  return at<Comm>(inter);
}

int compare(Comm &one, Comm &other) {
  int result = -1;
  impl::Comm_compare(one, other, &result);
  return result;
}

/// Every rank sends its world rank to every rank of the other group, which knows who that is.
void checkWorks(Comm &inter, Comm &world) {
  for (int peer = 0; peer < inter.peers(); ++peer) {
    const int mine = world.rank();
    int got = -1;
    MPI_Status status;
    impl::Sendrecv(&mine, 1, type(MPI_INT), peer, inter.rank(), &got, 1, type(MPI_INT), peer, peer,
                   inter, &status);
    EXPECT_EQ(uint32_t(got), inter.process(peer));
    EXPECT_EQ(status.MPI_SOURCE, peer);
  }
}

// Intent: local and remote sides are told apart: size, rank, groups, ranks in messages; the handle
// says that it is an intercommunicator.
TEST(Intercommunicator, Create) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Comm &inter = makeInter(comm, 2);
    const bool low = comm.rank() < 2;
    int flag = 0, size = 0, remote = 0;
    impl::Comm_test_inter(inter, &flag);
    EXPECT_EQ(flag, 1);
    impl::Comm_test_inter(comm, &flag);
    EXPECT_EQ(flag, 0);
    impl::Comm_size(inter, &size);
    impl::Comm_remote_size(inter, &remote);
    EXPECT_EQ(size, low ? 2 : 3);
    EXPECT_EQ(remote, low ? 3 : 2);
    EXPECT_EQ(inter.rank(), low ? comm.rank() : comm.rank() - 2);
    MPI_Group mine, theirs;
    impl::Comm_group(inter, &mine);
    impl::Comm_remote_group(inter, &theirs);
    EXPECT_EQ(at<Group>(mine).members()->process(0), low ? 0u : 2u);
    EXPECT_EQ(at<Group>(theirs).members()->process(0), low ? 2u : 0u);
    EXPECT_EQ(at<Group>(theirs).rank(), -1);
    checkWorks(inter, comm);
  }));
}

// Intent: a receive from any source and a probe say the rank in the remote group; no process is no
// message.
TEST(Intercommunicator, AnySourceAndProbe) {
  MpiWorld world(4);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Comm &inter = makeInter(comm, 3);
    int value = comm.rank();
    MPI_Status status;
    if (comm.rank() == 2)
      impl::Send(&value, 1, type(MPI_INT), 0, 9, inter);
    if (comm.rank() == 3) {
      impl::Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status);
      EXPECT_EQ(status.MPI_SOURCE, 2);
      MPI_Message message;
      impl::Mprobe(MPI_ANY_SOURCE, 9, inter, &message, &status);
      impl::Mrecv(&value, 1, type(MPI_INT), &message, &status);
      EXPECT_EQ(value, 2);
      EXPECT_EQ(status.MPI_SOURCE, 2);
    }
    impl::Recv(&value, 1, type(MPI_INT), MPI_PROC_NULL, 0, inter, &status);
    EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  }));
}

// Intent: all of both groups in one communicator, those that say high last.
TEST(Intercommunicator, Merge) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Comm &inter = makeInter(comm, 2);
    const bool low = comm.rank() < 2;
    for (int lowFirst : {1, 0}) {
      MPI_Comm merged;
      EXPECT_EQ(impl::Intercomm_merge(inter, low != lowFirst, &merged), MPI_SUCCESS);
      const int expected = lowFirst ? comm.rank() : low ? comm.rank() + 3 : comm.rank() - 2;
      EXPECT_EQ(at<Comm>(merged).rank(), expected);
      EXPECT_EQ(at<Comm>(merged).size(), 5);
      EXPECT_FALSE(at<Comm>(merged).isInter());
    }
    MPI_Comm merged; // nobody is high: any order, the same for all
    impl::Intercomm_merge(inter, 0, &merged);
    EXPECT_EQ(at<Comm>(merged).process(at<Comm>(merged).rank()), uint32_t(comm.rank()));
    // Ranks of one group that disagree are told so.
    EXPECT_EQ(impl::Intercomm_merge(inter, comm.rank() == 1, &merged), MPI_ERR_ARG);
    EXPECT_EQ(merged, MPI_COMM_NULL);
  }));
}

// Intent: duplicates, blocking or not, keep both groups and have a context of their own.
TEST(Intercommunicator, Duplicates) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Comm &inter = makeInter(comm, 2);
    MPI_Comm blocking, nonblocking, informed;
    MPI_Request request;
    impl::Comm_dup(inter, &blocking);
    impl::Comm_idup(inter, &nonblocking, &request);
    impl::Wait(&request, nullptr);
    MPI_Info info;
    impl::Info_create(&info);
    impl::Info_set(at<Info>(info), "mpi_assert_no_any_tag", "true");
    impl::Comm_idup_with_info(inter, &at<Info>(info), &informed, &request);
    impl::Wait(&request, nullptr);
    ASSERT_TRUE(at<Comm>(informed).info);
    EXPECT_EQ(*at<Comm>(informed).info->find("mpi_assert_no_any_tag"), "true");
    for (MPI_Comm handle : {blocking, nonblocking, informed}) {
      Comm &copy = at<Comm>(handle);
      EXPECT_EQ(compare(inter, copy), MPI_CONGRUENT);
      EXPECT_NE(copy.id(), inter.id());
      checkWorks(copy, comm);
      impl::Comm_free(&handle);
    }
    EXPECT_EQ(compare(inter, inter), MPI_IDENT);
    EXPECT_EQ(compare(inter, comm), MPI_UNEQUAL);
  }));
}

// Intent: a communicator with the same local group and another remote one is another one.
TEST(Intercommunicator, CompareLooksAtBothGroups) {
  MpiWorld world(4);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Comm &inter = makeInter(comm, 2);
    MPI_Comm turned;
    // The order of the upper group is turned round.
    impl::Comm_split(inter, 0, comm.rank() < 2 ? comm.rank() : -comm.rank(), &turned);
    EXPECT_EQ(compare(inter, at<Comm>(turned)), MPI_SIMILAR);
    checkWorks(at<Comm>(turned), comm);
  }));
}

// Intent: split pairs the colors of both groups; a color that only one group has gives nothing.
TEST(Intercommunicator, Split) {
  MpiWorld world(8);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Comm &inter = makeInter(comm, 4);
    const int colors[] = {0, 1, 0, 3, 0, 1, 0, 2}; // lower, upper
    const int color = colors[comm.rank()];
    MPI_Comm part;
    impl::Comm_split(inter, color, -comm.rank(), &part);
    if (color >= 2) {
      EXPECT_EQ(part, MPI_COMM_NULL);
      return;
    }
    Comm &mine = at<Comm>(part);
    EXPECT_EQ(mine.size(), color == 0 ? 2 : 1);
    EXPECT_EQ(mine.peers(), color == 0 ? 2 : 1);
    if (color == 0)
      EXPECT_EQ(mine.process(0), comm.rank() < 4 ? 6u : 2u); // keys count down
    checkWorks(mine, comm);
  }));
}

// Intent: create takes a part of each group; without a remote part there is no communicator.
TEST(Intercommunicator, CreateFromGroups) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Comm &inter = makeInter(comm, 2);
    MPI_Group mine, part;
    impl::Comm_group(inter, &mine);
    const int last = inter.size() - 1;
    impl::Group_incl(at<Group>(mine), 1, &last, &part);
    MPI_Comm made;
    impl::Comm_create(inter, at<Group>(part), &made);
    if (inter.rank() == last) {
      EXPECT_EQ(at<Comm>(made).process(0), comm.rank() < 2 ? 4u : 1u);
      checkWorks(at<Comm>(made), comm);
    } else {
      EXPECT_EQ(made, MPI_COMM_NULL);
    }
    impl::Comm_create(inter, at<Group>(comm.rank() < 2 ? part : MPI_GROUP_EMPTY), &made);
    EXPECT_EQ(made, MPI_COMM_NULL);
  }));
}

// Intent: intercommunicators of one peer communicator whose leaders are all different, and two of
// the same leaders, one after the other, do not take each other's.
TEST(Intercommunicator, ManyAtATime) {
  MpiWorld world(6);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Comm pair;
    for (int shift : {1, 3}) {
      // 0-1 2-3 4-5, then 0-3 1-4 2-5
      const int peer = shift == 1 ? comm.rank() ^ 1 : (comm.rank() + 3) % 6;
      impl::Intercomm_create(state(comm.owner()).self(), 0, &comm, peer, 0, &pair);
      EXPECT_EQ(at<Comm>(pair).process(0), uint32_t(peer));
      checkWorks(at<Comm>(pair), comm);
    }
    EXPECT_EQ(compare(makeInter(comm, 2), makeInter(comm, 2)), MPI_CONGRUENT);
    // An intercommunicator may be the peer communicator of another one.
    Comm &inter = makeInter(comm, 3);
    impl::Intercomm_create(state(comm.owner()).self(), 0, &inter, inter.rank(), 0, &pair);
    EXPECT_EQ(at<Comm>(pair).process(0), uint32_t((comm.rank() + 3) % 6));
  }));
}

// Intent: attributes are copied to duplicates and a freed intercommunicator is gone.
TEST(Intercommunicator, AttributesAndFree) {
  MpiWorld world(3);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Comm &inter = makeInter(comm, 1);
    int key = 0, value = 3, flag = 0;
    impl::Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    impl::Comm_set_attr(inter, key, &value);
    MPI_Comm copy;
    impl::Comm_dup(inter, &copy);
    int *found = nullptr;
    impl::Comm_get_attr(at<Comm>(copy), key, &found, &flag);
    EXPECT_TRUE(flag);
    EXPECT_EQ(found, &value);
    EXPECT_EQ(impl::Comm_free(&copy), MPI_SUCCESS);
    EXPECT_EQ(copy, MPI_COMM_NULL);
  }));
}

// Intent: wrong arguments have their error classes, and say so on the ranks that they matter to.
TEST(Intercommunicator, Errors) {
  MpiWorld world(4);
  EXPECT_TRUE(world.run([](Comm &comm) {
    Comm &inter = makeInter(comm, 2);
    Comm &self = state(comm.owner()).self();
    int size;
    MPI_Comm made;
    MPI_Group group;
    EXPECT_EQ(impl::Comm_remote_size(comm, &size), MPI_ERR_COMM);
    EXPECT_EQ(impl::Comm_remote_group(comm, &group), MPI_ERR_COMM);
    EXPECT_EQ(impl::Intercomm_merge(comm, 0, &made), MPI_ERR_COMM);
    EXPECT_EQ(impl::Intercomm_create(inter, 0, &comm, 0, 0, &made), MPI_ERR_COMM);
    EXPECT_EQ(impl::Intercomm_create(self, 0, nullptr, 0, 0, &made), MPI_ERR_COMM);
    EXPECT_EQ(impl::Intercomm_create(self, 1, &comm, 0, 0, &made), MPI_ERR_RANK);
    EXPECT_EQ(impl::Intercomm_create(self, 0, &comm, 4, 0, &made), MPI_ERR_RANK);
    EXPECT_EQ(impl::Intercomm_create(self, 0, &comm, comm.rank(), 0, &made), MPI_ERR_RANK);
    EXPECT_EQ(impl::Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, nullptr, &made), MPI_ERR_COMM);
    // Groups that overlap: 0 and 1, led by 0, and 1 and 2, led by 2.
    const int rank = comm.rank();
    MPI_Comm lower, upper;
    impl::Comm_split(comm, rank < 2 ? 0 : MPI_UNDEFINED, 0, &lower);
    impl::Comm_split(comm, rank == 1 || rank == 2 ? 0 : MPI_UNDEFINED, 0, &upper);
    if (rank < 2)
      EXPECT_EQ(impl::Intercomm_create(at<Comm>(lower), 0, &comm, 2, 0, &made), MPI_ERR_COMM);
    if (rank == 1 || rank == 2)
      EXPECT_EQ(impl::Intercomm_create(at<Comm>(upper), 1, &comm, 0, 0, &made), MPI_ERR_COMM);
  }));
}

} // namespace
} // namespace gnomon::mpi
