// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whichever of its sends and receives fails, an algorithm tells it on the rank where it
// failed, once, and leaves no other rank waiting.
#include "coll/Selection.h"
#include "coll/test/Workload.h"

#include <gtest/gtest.h>

#include <string>

namespace gnomon::coll::test {
namespace {

struct Shape {
  int ranks, perHost;
  int64_t segment;
  Load load;
};
/// A host each and some a host, a root that is nobody's leader, messages cut and whole, a vector
/// that goes by host in the medium way (bcast/MpichSmp.cpp).
const Shape shapes[] = {
    {5, 0, -1, {1, 4}}, {6, 3, 16, {4, 8}}, {6, 3, -1, {4, 4}}, {8, 4, -1, {5, 16, 3072}}};

template <class Args> void failOneByOne(const Algorithm<Args> &algorithm, const Shape &shape) {
  Network network{true, 1, 0, shape.segment, 0, shape.perHost};
  Cluster whole(shape.ranks, network);
  if (resultsOf(whole, algorithm, shape.load).empty())
    return;
  const int operations = whole.operations(), step = operations / 60 + 1;
  for (network.failing = 0; network.failing < operations; network.failing += step) {
    Cluster cluster(shape.ranks, network);
    std::vector<int> results = resultsOf(cluster, algorithm, shape.load);
    std::sort(results.begin(), results.end());
    std::vector<int> expected(results.size(), 0);
    expected.back() = Failure;
    ASSERT_EQ(results, expected) << Collective<Args>::name << ":" << algorithm.name << " on "
                                 << shape.ranks << " ranks, operation " << network.failing;
  }
}

TEST(Errors, OfAnyMessageAreTold) {
  for (const Shape &shape : shapes) {
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  for (const Algorithm<ARGS> &algorithm : Collective<ARGS>::table())                               \
    failOneByOne<ARGS>(algorithm, shape);
#include "coll/Collectives.def"
  }
}

} // namespace
} // namespace gnomon::coll::test
