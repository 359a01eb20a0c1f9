// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Members of groups.
#include "mpi/comm/Group.h"

#include "mpi/RankState.h"

#include <algorithm>

namespace gnomon::mpi {

MembersRef Members::range(uint32_t first, uint32_t count, int32_t stride) {
  auto members = std::make_shared<Members>();
  members->first_ = first;
  members->count_ = count;
  members->stride_ = count > 1 ? stride : 1;
  return members;
}

MembersRef Members::list(std::vector<uint32_t> processes) {
  auto count = static_cast<uint32_t>(processes.size());
  if (count == 0)
    return range(0, 0);
  int64_t stride = count > 1 ? int64_t{processes[1]} - processes[0] : 1;
  bool strided = true;
  for (size_t i = 1; i < processes.size() && strided; ++i)
    strided = int64_t{processes[i]} - processes[i - 1] == stride;
  if (strided)
    return range(processes[0], count, static_cast<int32_t>(stride));
  auto members = std::make_shared<Members>();
  members->count_ = count;
  members->list_ = std::move(processes);
  return members;
}

int Members::rankOf(uint32_t process) const {
  if (list_.empty()) {
    int64_t distance = int64_t{process} - first_;
    if (count_ == 0 || distance % stride_ != 0)
      return -1;
    int64_t rank = distance / stride_;
    return rank >= 0 && rank < count_ ? static_cast<int>(rank) : -1;
  }
  if (byProcess_.empty()) {
    byProcess_.reserve(count_);
    for (uint32_t rank = 0; rank < count_; ++rank)
      byProcess_.emplace_back(list_[rank], static_cast<int32_t>(rank));
    std::sort(byProcess_.begin(), byProcess_.end());
  }
  auto found = std::lower_bound(byProcess_.begin(), byProcess_.end(), std::pair{process, 0});
  return found != byProcess_.end() && found->first == process ? found->second : -1;
}

bool Members::sameOrder(const Members &other) const {
  if (this == &other)
    return true;
  if (count_ != other.count_)
    return false;
  if (list_.empty() && other.list_.empty())
    return count_ == 0 || (first_ == other.first_ && stride_ == other.stride_);
  return list_ == other.list_; // both kept as ranges when they are ranges
}

bool Members::sameSet(const Members &other) const {
  if (count_ != other.count_)
    return false;
  for (int rank = 0; rank < size(); ++rank)
    if (other.rankOf(process(rank)) < 0)
      return false;
  return true;
}

template <> Group *findPredefined<Group>(process::Rank &, MPI_Group handle) {
  static Group empty(Members::range(0, 0), 0);
  return reinterpret_cast<uintptr_t>(handle) == 0x109 ? &empty : nullptr;
}

} // namespace gnomon::mpi
