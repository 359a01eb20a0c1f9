// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on groups.
#include "mpi/comm/Group.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/RankState.h"

#include <fmt/format.h>
#include <vector>

namespace gnomon::impl {

using namespace mpi;

namespace {

int give(std::vector<uint32_t> processes, MPI_Group *newgroup) {
  process::Rank &rank = *process::currentRank();
  if (processes.empty()) {
    *newgroup = MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
  }
  *newgroup = insert<Group>(rank, new Group(Members::list(std::move(processes)), rank.number));
  return MPI_SUCCESS;
}

int wrongRank(const std::string &name, int value, const Group &group) {
  return fail(*process::currentRank(), MPI_ERR_RANK,
              fmt::format("invalid {}: {} is no rank of a group of {}", name, value, group.size()));
}

int checkLength(int n) {
  if (n >= 0)
    return MPI_SUCCESS;
  return fail(*process::currentRank(), MPI_ERR_ARG, fmt::format("invalid n: {}", n));
}

/// Every rank in [0, size), none twice; \p chosen says which.
int choose(const Group &group, const std::vector<int> &ranks, const char *name,
           std::vector<bool> &chosen) {
  chosen.assign(static_cast<size_t>(group.size()), false);
  for (size_t i = 0; i < ranks.size(); ++i) {
    std::string where = fmt::format("{}[{}]", name, i);
    if (ranks[i] < 0 || ranks[i] >= group.size())
      return wrongRank(where, ranks[i], group);
    auto rank = static_cast<size_t>(ranks[i]);
    if (chosen[rank])
      return fail(*process::currentRank(), MPI_ERR_RANK,
                  fmt::format("invalid {}: rank {} stands twice", where, ranks[i]));
    chosen[rank] = true;
  }
  return MPI_SUCCESS;
}

int include(const Group &group, const std::vector<int> &ranks, const char *name,
            MPI_Group *newgroup) {
  std::vector<bool> chosen;
  if (int error = choose(group, ranks, name, chosen))
    return error;
  std::vector<uint32_t> processes;
  processes.reserve(ranks.size());
  for (int rank : ranks)
    processes.push_back(group.members()->process(rank));
  return give(std::move(processes), newgroup);
}

int exclude(const Group &group, const std::vector<int> &ranks, const char *name,
            MPI_Group *newgroup) {
  std::vector<bool> chosen;
  if (int error = choose(group, ranks, name, chosen))
    return error;
  std::vector<uint32_t> processes;
  for (int rank = 0; rank < group.size(); ++rank)
    if (!chosen[static_cast<size_t>(rank)])
      processes.push_back(group.members()->process(rank));
  return give(std::move(processes), newgroup);
}

/// The ranks of (first, last, stride) triplets.
int expand(const Group &group, int n, int (*ranges)[3], std::vector<int> &ranks) {
  for (int i = 0; i < n; ++i) {
    auto [first, last, stride] = ranges[i];
    std::string where = fmt::format("ranges[{}]", i);
    if (stride == 0)
      return fail(*process::currentRank(), MPI_ERR_ARG, "invalid " + where + ": its stride is 0");
    if (first < 0 || first >= group.size())
      return wrongRank(where, first, group);
    if (last < 0 || last >= group.size())
      return wrongRank(where, last, group);
    for (int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride)
      ranks.push_back(static_cast<int>(rank));
  }
  return MPI_SUCCESS;
}

/// Members of \p group that are (not) in \p other, in the order of group.
std::vector<uint32_t> filter(const Group &group, const Group &other, bool in) {
  std::vector<uint32_t> processes;
  for (int rank = 0; rank < group.size(); ++rank) {
    uint32_t process = group.members()->process(rank);
    if ((other.members()->rankOf(process) >= 0) == in)
      processes.push_back(process);
  }
  return processes;
}

} // namespace

int Group_size(Group &group, int *size) {
  *size = group.size();
  return MPI_SUCCESS;
}

int Group_rank(Group &group, int *rank) {
  bool member = group.size() > 0 && group.rank() >= 0;
  *rank = member ? group.rank() : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int Group_translate_ranks(Group &group1, int n, const int *ranks1, Group &group2, int *ranks2) {
  if (int error = checkLength(n))
    return error;
  for (int i = 0; i < n; ++i) {
    if (ranks1[i] == MPI_PROC_NULL) {
      ranks2[i] = MPI_PROC_NULL;
      continue;
    }
    if (ranks1[i] < 0 || ranks1[i] >= group1.size())
      return wrongRank(fmt::format("ranks1[{}]", i), ranks1[i], group1);
    int rank = group2.members()->rankOf(group1.members()->process(ranks1[i]));
    ranks2[i] = rank >= 0 ? rank : MPI_UNDEFINED;
  }
  return MPI_SUCCESS;
}

int Group_compare(Group &group1, Group &group2, int *result) {
  if (group1.members()->sameOrder(*group2.members()))
    *result = MPI_IDENT;
  else
    *result = group1.members()->sameSet(*group2.members()) ? MPI_SIMILAR : MPI_UNEQUAL;
  return MPI_SUCCESS;
}

int Group_union(Group &group1, Group &group2, MPI_Group *newgroup) {
  std::vector<uint32_t> processes;
  for (int rank = 0; rank < group1.size(); ++rank)
    processes.push_back(group1.members()->process(rank));
  auto others = filter(group2, group1, false);
  processes.insert(processes.end(), others.begin(), others.end());
  return give(std::move(processes), newgroup);
}

int Group_intersection(Group &group1, Group &group2, MPI_Group *newgroup) {
  return give(filter(group1, group2, true), newgroup);
}

int Group_difference(Group &group1, Group &group2, MPI_Group *newgroup) {
  return give(filter(group1, group2, false), newgroup);
}

int Group_incl(Group &group, int n, const int *ranks, MPI_Group *newgroup) {
  if (int error = checkLength(n))
    return error;
  return include(group, std::vector<int>(ranks, ranks + n), "ranks", newgroup);
}

int Group_excl(Group &group, int n, const int *ranks, MPI_Group *newgroup) {
  if (int error = checkLength(n))
    return error;
  return exclude(group, std::vector<int>(ranks, ranks + n), "ranks", newgroup);
}

int Group_range_incl(Group &group, int n, int (*ranges)[3], MPI_Group *newgroup) {
  std::vector<int> ranks;
  if (int error = checkLength(n))
    return error;
  if (int error = expand(group, n, ranges, ranks))
    return error;
  return include(group, ranks, "member", newgroup);
}

int Group_range_excl(Group &group, int n, int (*ranges)[3], MPI_Group *newgroup) {
  std::vector<int> ranks;
  if (int error = checkLength(n))
    return error;
  if (int error = expand(group, n, ranges, ranks))
    return error;
  return exclude(group, ranks, "member", newgroup);
}

int Group_free(MPI_Group *group) {
  process::Rank &rank = *process::currentRank();
  Group *freed = find<Group>(rank, *group);
  if (!freed)
    return fail(rank, MPI_ERR_GROUP, "invalid group: the handle names no group");
  if (*group != MPI_GROUP_EMPTY) {
    erase<Group>(rank, *group);
    delete freed;
  }
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
