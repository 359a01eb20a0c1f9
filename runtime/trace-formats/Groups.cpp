// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/Groups.h"

#include <algorithm>

namespace gnomon::trace {

const Group *Groups::group(int64_t comm) const {
  const std::vector<Group> &all = source_.communicators();
  return comm > Self && static_cast<size_t>(comm) < all.size() ? &all[static_cast<size_t>(comm)]
                                                               : nullptr;
}

bool Groups::isInter(int64_t comm) const {
  const Group *of = group(comm);
  return of && !of->remote.empty();
}

Groups::Groups(const Source &source) : source_(source) {
  for (const Group &group : source.communicators()) {
    bool same = group.remote.empty() && group.members.size() == source.facts().ranks;
    for (uint32_t i = 0; same && i < group.members.size(); ++i)
      same = group.members[i] == i;
    isWorld_.push_back(same);
  }
}

bool Groups::isWorld(int64_t comm) const {
  if (comm == World || (comm == Self && source_.facts().ranks == 1))
    return true;
  return group(comm) && isWorld_[static_cast<size_t>(comm)];
}

uint32_t Groups::size(int64_t comm) const {
  if (comm == World)
    return source_.facts().ranks;
  if (comm == Self)
    return 1;
  const Group *of = group(comm);
  return of ? static_cast<uint32_t>(of->members.size()) : 0;
}

std::optional<uint32_t> Groups::world(int64_t comm, int64_t peer, uint32_t rank) const {
  if (peer < 0)
    return std::nullopt;
  if (comm == Self)
    return peer == 0 ? std::optional(rank) : std::nullopt;
  const Group *of = group(comm);
  if (comm != World && !of)
    return std::nullopt;
  const std::vector<uint32_t> *members = comm == World        ? nullptr
                                         : of->remote.empty() ? &of->members
                                                              : &of->remote;
  const uint64_t count = members ? members->size() : source_.facts().ranks;
  if (static_cast<uint64_t>(peer) >= count)
    return std::nullopt;
  return members ? (*members)[static_cast<size_t>(peer)] : static_cast<uint32_t>(peer);
}

std::optional<uint32_t> Groups::rankIn(int64_t comm, uint32_t rank) const {
  if (comm == World)
    return rank;
  if (comm == Self)
    return 0;
  const Group *of = group(comm);
  if (!of)
    return std::nullopt;
  const auto found = std::find(of->members.begin(), of->members.end(), rank);
  if (found == of->members.end())
    return std::nullopt;
  return static_cast<uint32_t>(found - of->members.begin());
}

std::optional<int64_t> Groups::flatTag(int64_t comm, int64_t tag, int64_t most) const {
  const bool several = source_.communicators().size() > 2;
  if (comm == World && tag >= 0 && tag <= most && (!several || tag < TagsOfCommunicator))
    return tag;
  if (tag < 0 || tag >= TagsOfCommunicator || comm < 0 || comm > most / TagsOfCommunicator - 1)
    return std::nullopt;
  return comm * TagsOfCommunicator + tag;
}

} // namespace gnomon::trace
