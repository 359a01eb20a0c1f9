// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bursts-simgrid PLATFORM FLOPS: bursts.cpp by Debian's SimGrid. Not a part of Gnomon's build:
/// compare-platforms.sh compiles it.
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  const double flops = std::atof(argv[2]);
  unsigned index = 0;
  for (simgrid::s4u::Host *host : engine.get_all_hosts()) { // by name: as the platform has them
    for (unsigned number = 0; number < 1 + index % 2; ++number)
      simgrid::s4u::Actor::create("burst", host, [host, number, flops] {
        simgrid::s4u::this_actor::execute(flops);
        std::printf("%s %u %.9f\n", host->get_cname(), number, simgrid::s4u::Engine::get_clock());
      });
    ++index;
  }
  engine.run();
}
