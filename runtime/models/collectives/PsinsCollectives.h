// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Collectives as PSINS's models describe them: all ranks synchronise, then the operation takes
///
///     seconds = steps(n) × (L + b / B)                  steps as in Growth.h
///         logarithmic   barrier (b = 0), bcast, reduce, allreduce, scan, exscan
///         linear        gather, scatter, allgather, alltoall and their v and w forms, reduce_scatter
///
/// for n ranks and b bytes, the largest block that a rank sends to another (of a reduction, the
/// vector). L and B are those of Psins.h: given, or of the routes from rank 0's node, the greatest
/// latency and the least bandwidth; the local ones when all ranks are on one node. The loads of
/// busses and links do not count.
///
/// Source: Tikir et al. 2009, sections 2.3.2 (synchronisation) and 3.1 (each type of collective in
/// linear, logarithmic or constant time). Which type is which the paper does not say;
/// `--coll-model` gives others (CurveFile.h). `psins/collectives=messages` makes them of messages
/// instead.
///
/// Worked example: L = 10 us, B = 100 MB/s: an allreduce of 1 MB on 16 ranks takes
/// 4 × (10 us + 10 ms) = 40.04 ms, an alltoall of 1 MB blocks 15 × 10.01 ms = 150.15 ms.
#pragma once

#include "models/NetworkModel.h"
#include "models/RouteTable.h"

namespace gnomon::models {

class PsinsCollectives : public CollectiveTimes {
public:
  PsinsCollectives(kernel::Engine &engine, const platform::Platform &platform,
                   const Parameters &parameters)
      : machine_(parameters.psins), routes_(engine, platform, parameters) {}
  void onFailure(FailureHandler handler) { routes_.onFailure(handler); }

  bool times(std::string_view) const override { return machine_.collectivesByFormula; }
  double seconds(const CollectiveCall &call) override;

private:
  Parameters::Psins machine_;
  RouteTable routes_;
};

} // namespace gnomon::models
