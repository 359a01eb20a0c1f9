// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which ranks of a communicator share a host, for algorithms that go by host and for the choice of
/// MPICH, which looks at it.
#pragma once

#include "coll/Arguments.h"

#include <memory>
#include <vector>

namespace gnomon::coll {

struct Nodes {
  std::vector<int> node;                 ///< by rank; numbered in the order of their lowest ranks
  std::vector<std::vector<int>> members; ///< by node, ascending; the first is the node's leader
  std::vector<int> leaders;              ///< by node
  bool consecutive = true;               ///< the ranks of each node follow one another

  /// \p places: for each rank, a number that ranks on the same host have in common.
  explicit Nodes(const std::vector<uint64_t> &places);
  /// Some node has several ranks.
  bool shared() const { return members.size() < node.size(); }
  /// The place of \p rank among its node's members.
  int within(int rank) const;
};

/// Those of a communicator, found once.
std::shared_ptr<const Nodes> nodesOf(const Call &call);

/// Whether \p call is among all ranks of a communicator some of which share a host.
inline bool hierarchical(const Call &call) { return !call.members && nodesOf(call)->shared(); }
template <class Args> bool hierarchical(const Args &args) {
  return hierarchical(static_cast<const Call &>(args));
}
inline constexpr const char *SeveralOnAHost = "several ranks on a host";

/// Where a rank of a communicator runs; without a finder each rank has a host of its own.
using PlaceFinder = uint64_t (*)(const Comm &comm, int rank);
/// \p identify gives each communicator a number of its own.
void setPlaceFinder(PlaceFinder finder, uint64_t (*identify)(const Comm &comm));

/// What a rank of \p call calls among \p members (its rank there: \p place) alone.
template <class Args> Args among(const Args &args, const std::vector<int> &members, int place) {
  Args part = args;
  part.rank = place;
  part.size = static_cast<int>(members.size());
  part.members = members.data();
  return part;
}

} // namespace gnomon::coll
