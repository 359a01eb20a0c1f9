// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions behind gnomon/smpi/smpi.h, for programs annotated for SMPI, in C and in Fortran;
/// and the marks of bursts in objects that no pass has seen, which mean nothing there.
#include "process/burst/Bursts.h"
#include "process/ranks/Simulation.h"
#include "support/Check.h"

#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>

using namespace gnomon::process;

namespace {

/// As if the rank had computed so many flop of the measuring machine.
void compute(double flops) {
  Rank *rank = currentRank();
  if (!rank || !rank->burst.runs() || !computationCosts() || !(flops > 0))
    return;
  rank->burst.goLongWay(*rank);
  rank->burst.charge(flops / flopsPerCost());
}

double hostSpeed() {
  const double given = simulation() ? simulation()->settings.hostSpeedFlops : 0;
  return given > 0 ? given : measuredHostSpeed();
}

/// Allocations that ranks share, by place in the source and size.
struct SharedBlocks {
  using Key = std::pair<std::string, size_t>;
  struct Block {
    void *data;
    uint32_t users;
  };
  std::map<Key, Block> blocks;
  std::map<void *, Key> keys;
};

SharedBlocks &shared() {
  static SharedBlocks blocks;
  return blocks;
}

bool skips() { return burst::bursts() && burst::bursts()->skips(); }

} // namespace

#define GNOMON_EXPORTED __attribute__((visibility("default")))

extern "C" {

GNOMON_EXPORTED double gnomon_smpi_flops(double seconds) { return seconds * hostSpeed(); }
GNOMON_EXPORTED void smpi_execute_flops(double flops) { compute(flops); }
GNOMON_EXPORTED void smpi_execute_flops_benched(double flops) { compute(flops); }
GNOMON_EXPORTED void smpi_execute(double seconds) { compute(gnomon_smpi_flops(seconds)); }
GNOMON_EXPORTED void smpi_execute_benched(double seconds) { compute(gnomon_smpi_flops(seconds)); }
GNOMON_EXPORTED void smpi_execute_flops_(const double *flops) { compute(*flops); }
GNOMON_EXPORTED void smpi_execute_flops_benched_(const double *flops) { compute(*flops); }
GNOMON_EXPORTED void smpi_execute_(const double *seconds) { smpi_execute(*seconds); }
GNOMON_EXPORTED void smpi_execute_benched_(const double *seconds) { smpi_execute(*seconds); }

GNOMON_EXPORTED void *smpi_shared_malloc(size_t bytes, const char *file, int line) {
  if (!skips()) // Results are to be exact.
    return std::malloc(bytes);
  const SharedBlocks::Key key{fmt::format("{}:{}", file, line), bytes};
  auto [found, isNew] = shared().blocks.try_emplace(key);
  if (isNew) {
    found->second.data = std::malloc(bytes ? bytes : 1);
    if (!found->second.data) {
      shared().blocks.erase(found);
      return nullptr;
    }
    shared().keys.emplace(found->second.data, key);
  }
  ++found->second.users;
  return found->second.data;
}

/// Parts of it are to be private: all of it is.
GNOMON_EXPORTED void *smpi_shared_malloc_partial(size_t bytes, const size_t *, int) {
  return std::malloc(bytes);
}

GNOMON_EXPORTED void smpi_shared_free(void *data) {
  const auto key = shared().keys.find(data);
  if (key == shared().keys.end())
    return std::free(data);
  const auto block = shared().blocks.find(key->second);
  CHECK(block != shared().blocks.end() && block->second.users > 0, "a shared block has users");
  if (--block->second.users > 0)
    return;
  std::free(data);
  shared().blocks.erase(block);
  shared().keys.erase(key);
}

GNOMON_EXPORTED void gnomon_mark_burst_begin(const char *, double) {}
GNOMON_EXPORTED void gnomon_mark_burst_end(void) {}

} // extern "C"
