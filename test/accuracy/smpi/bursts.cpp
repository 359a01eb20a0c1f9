// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bursts PLATFORM FLOPS: when bursts of FLOPS operations end that start at once, one on each host
/// and a second one on every other host, as bursts-simgrid.cpp prints it.
#include "models/CpuModel.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Burst {
  gnomon::kernel::Engine *engine;
  const gnomon::platform::Host *host;
  uint32_t number;
  double end = -1;
};

void ended(void *object, uint64_t) {
  auto *burst = static_cast<Burst *>(object);
  burst->end = burst->engine->now().seconds;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const gnomon::platform::Platform platform = gnomon::platform::load(argv[1]);
  gnomon::kernel::Engine engine;
  gnomon::models::CpuModel cpu(engine, platform);
  std::vector<Burst> bursts;
  bursts.reserve(platform.hosts().size() * 2);
  for (uint32_t host = 0; host < platform.hosts().size(); ++host)
    for (uint32_t number = 0; number < 1 + host % 2; ++number) {
      bursts.push_back({&engine, &platform.hosts()[host], number});
      cpu.compute(host, std::atof(argv[2]), {ended, &bursts.back(), 0});
    }
  engine.run();
  for (const Burst &burst : bursts)
    std::printf("%s %u %.9f\n", burst.host->name.str().c_str(), burst.number, burst.end);
}
