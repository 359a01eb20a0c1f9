// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Handles.h"

#include <algorithm>
#include <numeric>

namespace gnomon::acquisition {

std::vector<uint32_t> processesOf(MPI_Group group) {
  int size = 0;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Group_size(group, &size);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> ranks(static_cast<size_t>(size)), processes(static_cast<size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  PMPI_Group_translate_ranks(group, size, ranks.data(), world, processes.data());
  PMPI_Group_free(&world);
  return {processes.begin(), processes.end()};
}

namespace {

std::vector<uint32_t> membersOf(MPI_Comm comm, int (*groupOf)(MPI_Comm, MPI_Group *)) {
  MPI_Group group = MPI_GROUP_NULL;
  groupOf(comm, &group);
  std::vector<uint32_t> members = processesOf(group);
  PMPI_Group_free(&group);
  return members;
}

} // namespace

int64_t Communicators::newRow(MPI_Comm comm) {
  int isInter = 0;
  PMPI_Comm_test_inter(comm, &isInter);
  trace::Group group{membersOf(comm, PMPI_Comm_group), {}};
  if (isInter)
    group.remote = membersOf(comm, PMPI_Comm_remote_group);
  // Both sides of an intercommunicator must write the same: its first process comes first.
  if (isInter && std::ranges::min(group.remote) < std::ranges::min(group.members))
    std::swap(group.members, group.remote);
  return sink_.communicator(group);
}

int64_t Communicators::add(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL)
    return trace::NullRow;
  return rows_[comm] = newRow(comm);
}

int64_t Communicators::addLater(const MPI_Comm *comm, MPI_Comm from) {
  const int64_t row = newRow(from);
  later_.emplace_back(comm, row);
  return row;
}

int64_t Communicators::rowOf(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD)
    return trace::World;
  if (comm == MPI_COMM_SELF)
    return trace::Self;
  if (comm == MPI_COMM_NULL)
    return trace::NullRow;
  const auto known = rows_.find(comm);
  if (known != rows_.end())
    return known->second;
  const auto made = std::find_if(later_.begin(), later_.end(),
                                 [&](const auto &entry) { return *entry.first == comm; });
  if (made == later_.end())
    return trace::NullRow;
  const int64_t row = made->second;
  later_.erase(made);
  return rows_[comm] = row;
}

int64_t Windows::numberOf(MPI_Win win) const {
  const auto known = numbers_.find(win);
  return known == numbers_.end() ? 0 : known->second;
}

int64_t Windows::add(MPI_Win win) { return numbers_[win] = ++made_; }

std::string nameOf(MPI_Op op) {
  static const std::pair<MPI_Op, const char *> predefined[] = {
      {MPI_SUM, "MPI_SUM"},         {MPI_MIN, "MPI_MIN"},       {MPI_MAX, "MPI_MAX"},
      {MPI_PROD, "MPI_PROD"},       {MPI_BAND, "MPI_BAND"},     {MPI_BOR, "MPI_BOR"},
      {MPI_BXOR, "MPI_BXOR"},       {MPI_LAND, "MPI_LAND"},     {MPI_LOR, "MPI_LOR"},
      {MPI_LXOR, "MPI_LXOR"},       {MPI_MINLOC, "MPI_MINLOC"}, {MPI_MAXLOC, "MPI_MAXLOC"},
      {MPI_REPLACE, "MPI_REPLACE"}, {MPI_NO_OP, "MPI_NO_OP"}};
  for (const auto &[handle, name] : predefined)
    if (op == handle)
      return name;
  int commutes = 1;
  PMPI_Op_commutative(op, &commutes);
  return std::string(commutes ? trace::UserOp : trace::UserOpInOrder);
}

int sizeOf(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

int peersOf(MPI_Comm comm) {
  int isInter = 0, size = 0;
  PMPI_Comm_test_inter(comm, &isInter);
  (isInter ? PMPI_Comm_remote_size : PMPI_Comm_size)(comm, &size);
  return size;
}

int gridDimensions(MPI_Comm comm) {
  int kind = MPI_UNDEFINED, dimensions = 0;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_CART)
    PMPI_Cartdim_get(comm, &dimensions);
  return dimensions;
}

namespace {

struct Neighbours {
  int sources = 0, destinations = 0;
};

Neighbours neighboursOf(MPI_Comm comm) {
  int kind = MPI_UNDEFINED, isWeighted = 0, rank = 0;
  Neighbours found;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_CART)
    found.sources = found.destinations = 2 * gridDimensions(comm);
  else if (kind == MPI_DIST_GRAPH)
    PMPI_Dist_graph_neighbors_count(comm, &found.sources, &found.destinations, &isWeighted);
  else if (kind == MPI_GRAPH) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &found.sources);
    found.destinations = found.sources;
  }
  return found;
}

} // namespace

int sourceCount(MPI_Comm comm) { return neighboursOf(comm).sources; }
int destinationCount(MPI_Comm comm) { return neighboursOf(comm).destinations; }

bool atRoot(int root, MPI_Comm comm) {
  int isInter = 0, rank = 0;
  PMPI_Comm_test_inter(comm, &isInter);
  PMPI_Comm_rank(comm, &rank);
  return isInter ? root == MPI_ROOT : root == rank;
}

bool hasDisplacements(MPI_Win win) {
  int *flavor = nullptr, found = 0;
  PMPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &found);
  return !found || *flavor != MPI_WIN_FLAVOR_DYNAMIC;
}

} // namespace gnomon::acquisition
