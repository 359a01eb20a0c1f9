// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: once warm, messages cost no allocation, in no model: not for flows that are alone, nor
// for flows that share.
#include "models/Registry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {
uint64_t allocations = 0;
}

void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = malloc(bytes ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { free(memory); }
void operator delete(void *memory, size_t) noexcept { free(memory); }

using namespace gnomon;

namespace {

/// All hosts send to the next one, again and again.
struct Rounds {
  Rounds(const char *cluster, const models::NetworkEntry &entry)
      : platform(platform::load(cluster)),
        network(entry.make(engine, platform, models::makeParameters(entry.settings({}, {})))) {}

  platform::Platform platform;
  kernel::Engine engine;
  std::unique_ptr<models::NetworkModel> network;
  uint32_t waiting = 0;
  int left = 0;

  void start() {
    waiting = static_cast<uint32_t>(platform.hosts().size());
    for (uint32_t host = 0; host < platform.hosts().size(); ++host)
      network->transfer(host, static_cast<uint32_t>((host + 1) % platform.hosts().size()), 1000,
                        kernel::Action::of<&Rounds::end>(this));
  }
  void end(uint64_t) {
    if (--waiting == 0 && --left > 0)
      start();
  }
  uint64_t allocationsOf(int rounds) {
    uint64_t before = allocations;
    left = rounds;
    start();
    engine.run();
    return allocations - before;
  }
};

} // namespace

TEST(Allocation, NoneOnceWarm) {
  for (const models::NetworkEntry &entry : models::networkModels())
    for (const char *cluster :
         {"cluster:n=2,bw=1Gbps,lat=1us", "cluster:n=64,bw=1Gbps,lat=1us,bb_bw=4Gbps"}) {
      Rounds traffic(cluster, entry);
      // A batch that comes again is learned in its first rounds (KnownWaves.h).
      EXPECT_GT(traffic.allocationsOf(5), 0u) << "the counter counts";
      EXPECT_EQ(traffic.allocationsOf(100), 0u) << entry.name << " on " << cluster;
    }
}
