// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of groups.
#include "mpi/test/MpiWorld.h"

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;

std::vector<int> ranksOf(MPI_Group handle) {
  Group &group = at<Group>(handle);
  std::vector<int> ranks;
  for (int i = 0; i < group.size(); ++i)
    ranks.push_back(static_cast<int>(group.members()->process(i)));
  return ranks;
}

using Ranks = std::vector<int>;

// Intent: members that form a range cost no list, and look-ups in both representations agree with a
// search.
TEST(Members, RangesAndLists) {
  std::vector<std::vector<uint32_t>> cases = {
      {}, {7}, {0, 1, 2, 3}, {9, 7, 5}, {4, 4 + 1000000}, {3, 1, 4, 15, 9, 2, 6}};
  for (const auto &processes : cases) {
    auto members = Members::list(processes);
    ASSERT_EQ(members->size(), int(processes.size()));
    for (int rank = 0; rank < members->size(); ++rank)
      EXPECT_EQ(members->process(rank), processes[size_t(rank)]);
    for (uint32_t process = 0; process < 20; ++process) {
      auto at = std::find(processes.begin(), processes.end(), process);
      EXPECT_EQ(members->rankOf(process), at == processes.end() ? -1 : int(at - processes.begin()));
    }
  }
}

// Intent: the set operations keep the orders that the standard gives.
TEST(Group, SetOperations) {
  MpiWorld world(8);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Group all, a, b, made;
    impl::Comm_group(comm, &all);
    int first[] = {5, 2, 0, 7}, second[] = {7, 3, 2};
    impl::Group_incl(at<Group>(all), 4, first, &a);
    impl::Group_incl(at<Group>(all), 3, second, &b);
    impl::Group_union(at<Group>(a), at<Group>(b), &made);
    EXPECT_EQ(ranksOf(made), (Ranks{5, 2, 0, 7, 3}));
    impl::Group_intersection(at<Group>(a), at<Group>(b), &made);
    EXPECT_EQ(ranksOf(made), (Ranks{2, 7}));
    impl::Group_difference(at<Group>(a), at<Group>(b), &made);
    EXPECT_EQ(ranksOf(made), (Ranks{5, 0}));
    impl::Group_difference(at<Group>(a), at<Group>(a), &made);
    EXPECT_EQ(made, MPI_GROUP_EMPTY);
    impl::Group_excl(at<Group>(all), 4, first, &made);
    EXPECT_EQ(ranksOf(made), (Ranks{1, 3, 4, 6}));
    int rank = 0;
    impl::Group_rank(at<Group>(made), &rank);
    EXPECT_EQ(rank, comm.rank() == 3 ? 1 : rank);
    if (comm.rank() == 0) {
      EXPECT_EQ(rank, MPI_UNDEFINED);
    }
  }));
}

// Intent: ranges go up and down, and exclude as well as include.
TEST(Group, Ranges) {
  MpiWorld world(10);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Group all, made;
    impl::Comm_group(comm, &all);
    int ranges[][3] = {{1, 7, 3}, {9, 8, -1}};
    impl::Group_range_incl(at<Group>(all), 2, ranges, &made);
    EXPECT_EQ(ranksOf(made), (Ranks{1, 4, 7, 9, 8}));
    impl::Group_range_excl(at<Group>(all), 2, ranges, &made);
    EXPECT_EQ(ranksOf(made), (Ranks{0, 2, 3, 5, 6}));
    int zero[][3] = {{1, 3, 0}}, twice[][3] = {{1, 3, 1}, {3, 5, 1}}, beyond[][3] = {{1, 10, 1}};
    EXPECT_EQ(impl::Group_range_incl(at<Group>(all), 1, zero, &made), MPI_ERR_ARG);
    EXPECT_EQ(impl::Group_range_incl(at<Group>(all), 2, twice, &made), MPI_ERR_RANK);
    EXPECT_EQ(impl::Group_range_incl(at<Group>(all), 1, beyond, &made), MPI_ERR_RANK);
  }));
}

// Intent: translation knows members, strangers and MPI_PROC_NULL; comparison tells order from
// contents.
TEST(Group, TranslateAndCompare) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Group all, a, b;
    impl::Comm_group(comm, &all);
    int first[] = {4, 0, 2}, second[] = {0, 2, 4};
    impl::Group_incl(at<Group>(all), 3, first, &a);
    impl::Group_incl(at<Group>(all), 3, second, &b);
    int ranks[] = {0, 1, MPI_PROC_NULL, 4}, translated[4];
    impl::Group_translate_ranks(at<Group>(all), 4, ranks, at<Group>(a), translated);
    EXPECT_EQ(translated[0], 1);
    EXPECT_EQ(translated[1], MPI_UNDEFINED);
    EXPECT_EQ(translated[2], MPI_PROC_NULL);
    EXPECT_EQ(translated[3], 0);
    int result;
    impl::Group_compare(at<Group>(a), at<Group>(b), &result);
    EXPECT_EQ(result, MPI_SIMILAR);
    impl::Group_compare(at<Group>(a), at<Group>(a), &result);
    EXPECT_EQ(result, MPI_IDENT);
    impl::Group_compare(at<Group>(a), at<Group>(all), &result);
    EXPECT_EQ(result, MPI_UNEQUAL);
  }));
}

} // namespace
} // namespace gnomon::mpi
