// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The cheapest points at which a slice may be cut so that some of what it holds is no longer needed: a minimum cut
/// (Ford and Fulkerson 1956, by Dinic's algorithm 1970) between its roots and those nodes.
#pragma once

#include "slice/Demands.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gnomon {

/// The points (Demands::Point::item) of a set of least cost without which no way leads from a root to a node of
/// \p unwanted; of several such sets, the one nearest to the roots. Empty: no way does anyhow. Nothing: no points suffice,
/// or they cost 2^50 and more together. \p cost: above 0.
std::optional<std::vector<const void *>>
cheapestCut(const Demands &demands, const std::vector<int> &unwanted,
            llvm::function_ref<uint64_t(const void *)> cost);

/// Of each of \p points (Demands::Point::item), which of \p ends its value rests on by a way through no other of them:
/// their places in \p ends, ascending.
std::vector<std::vector<size_t>> restOn(const Demands &demands, llvm::ArrayRef<const void *> points,
                                        llvm::ArrayRef<int> ends);

} // namespace gnomon
