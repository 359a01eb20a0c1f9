// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The cheapest points at which a slice may be cut so that some of what it holds is no longer needed: a minimum cut
/// (Ford and Fulkerson 1956, by Dinic's algorithm 1970) between its roots and those nodes.
#pragma once

#include "slice/Demands.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gnomon {

class Cutter {
public:
  explicit Cutter(Demands demands);
  ~Cutter();

  /// The points (Demands::Point::item) of a set of least cost without which no way leads from a root to a node of
  /// \p unwanted; of several such sets, the one nearest to the roots. A point that several nodes have counts at each.
  /// Empty: no way does anyhow. Nothing: no points suffice, or they cost 2^50 and more together. \p cost: above 0.
  std::optional<std::vector<const void *>>
  cheapest(llvm::ArrayRef<int> unwanted, llvm::function_ref<uint64_t(const void *)> cost);

  /// Of each of \p points (Demands::Point::item), which of \p ends its value rests on by a way through no other of
  /// them: their places in \p ends, ascending.
  std::vector<std::vector<size_t>> restOn(llvm::ArrayRef<const void *> points,
                                          llvm::ArrayRef<int> ends);

private:
  class Graph;
  std::vector<Demands::Point> points_;
  int firstBehind_;        ///< the number of the node behind the first point's
  std::vector<int> roots_; ///< what is needed first
  std::unique_ptr<Graph> graph_;
  std::vector<bool> early_; ///< what roots lead to without a point; found with the first cut
};

} // namespace gnomon
