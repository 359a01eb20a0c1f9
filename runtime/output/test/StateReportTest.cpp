// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/StateReport.h"

#include "process/ranks/test/Fakes.h"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::process;
using namespace gnomon::process::test;

namespace {

/// Every rank waits for the next, in MPI_Recv.
struct Ring {
  Machine machine{1};
  World world{machine.engine, machine.platform, machine.network,
              machine.costs,  machine.compute,  {}};
  explicit Ring(uint32_t ranks) {
    static const auto Count = [](const Rank &rank) {
      return *static_cast<const uint32_t *>(rank.waitsFor);
    };
    static uint32_t count;
    count = ranks;
    for (uint32_t i = 0; i < ranks; ++i) {
      auto rank = Rank::make(machine.engine);
      rank->number = i;
      rank->call = {"MPI_Recv", reinterpret_cast<const void *>(&abort)};
      rank->waitsFor = &count;
      rank->describeWait = [](const Rank &self, const void *) {
        return "from rank " + std::to_string((self.number + 1) % Count(self));
      };
      rank->listAwaited = [](const Rank &self, const void *, std::vector<uint32_t> &awaited) {
        awaited.push_back((self.number + 1) % Count(self));
      };
      world.ranks.push_back(std::move(rank));
    }
  }
};

// Intent: a deadlock report names each rank, its call, whom it waits for, and the cycle.
TEST(StateReport, NamesEveryRankAndTheCycle) {
  Ring ring(3);
  std::string text = output::deadlockReport(ring.world);
  EXPECT_NE(text.find("deadlock at 0 s: 3 of 3 ranks wait for ever"), std::string::npos) << text;
  EXPECT_NE(text.find("  rank 0: MPI_Recv at "), std::string::npos) << text;
  EXPECT_NE(text.find(": from rank 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("cycle: rank 0 waits for rank 1 waits for rank 2 waits for rank 0"),
            std::string::npos)
      << text;
}

// Intent: a thousand ranks in one call are one entry, with the first and the last of them.
TEST(StateReport, ManyRanksAreGrouped) {
  Ring ring(1000);
  std::string text = output::stateReport(ring.world);
  EXPECT_NE(text.find("1000 ranks (0-999): MPI_Recv"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 999: from rank 0"), std::string::npos) << text;
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 5);
}

// Intent: a chain that ends in a rank that has finished is no cycle, and the ended rank is counted.
TEST(StateReport, AChainIsNoCycle) {
  Ring ring(3);
  ring.world.ranks[2]->finished = true;
  EXPECT_TRUE(output::findCycle(ring.world).empty());
  EXPECT_NE(output::deadlockReport(ring.world).find("1 rank has ended"), std::string::npos);
}

} // namespace
