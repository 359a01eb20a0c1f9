// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The nodes of communicators, kept by the communicators' numbers.
#include "coll/Nodes.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace gnomon::coll {

namespace {

PlaceFinder findPlace = nullptr;
uint64_t (*identify)(const Comm &comm) = nullptr;

/// Forgotten all at once when there are too many: communicators come and go.
constexpr size_t MostKept = 256;
std::unordered_map<uint64_t, std::shared_ptr<const Nodes>> kept;

} // namespace

Nodes::Nodes(const std::vector<uint64_t> &places) : node(places.size()) {
  std::map<uint64_t, int> numbers;
  for (size_t r = 0; r < places.size(); ++r) {
    const int next = static_cast<int>(members.size());
    const int number = numbers.try_emplace(places[r], next).first->second;
    if (number == next) {
      members.emplace_back();
      leaders.push_back(static_cast<int>(r));
    }
    consecutive = consecutive && number == static_cast<int>(members.size()) - 1;
    members[static_cast<size_t>(number)].push_back(static_cast<int>(r));
    node[r] = number;
  }
}

int Nodes::within(int rank) const {
  const std::vector<int> &ranks = members[static_cast<size_t>(node[static_cast<size_t>(rank)])];
  return static_cast<int>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

void setPlaceFinder(PlaceFinder finder, uint64_t (*identifier)(const Comm &comm)) {
  findPlace = finder;
  identify = identifier;
  kept.clear();
}

std::shared_ptr<const Nodes> nodesOf(const Call &call) {
  std::shared_ptr<const Nodes> found;
  if (findPlace && !call.members)
    if (auto it = kept.find(identify(call.comm)); it != kept.end())
      return it->second;
  std::vector<uint64_t> places(static_cast<size_t>(call.size));
  for (int r = 0; r < call.size; ++r)
    places[static_cast<size_t>(r)] = findPlace
                                         ? findPlace(call.comm, call.members ? call.members[r] : r)
                                         : static_cast<uint64_t>(r);
  found = std::make_shared<const Nodes>(places);
  if (findPlace && !call.members) {
    if (kept.size() >= MostKept)
      kept.clear();
    kept.emplace(identify(call.comm), found);
  }
  return found;
}

} // namespace gnomon::coll
