// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// routes-simgrid PLATFORM: every route of a platform by Debian's SimGrid, one a line: two hosts
/// and the links between them. Not a part of Gnomon's build: compare-routes.sh compiles it.
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  if (std::getenv("SEAL")) // complete the zones, as a run does: Floyd's table, hosts without links
    engine.seal_platform();
  for (const simgrid::s4u::Host *from : engine.get_all_hosts())
    for (const simgrid::s4u::Host *to : engine.get_all_hosts()) {
      std::vector<simgrid::s4u::Link *> links;
      double latency = 0;
      from->route_to(to, links, &latency);
      std::printf("%s %s %.9e:", from->get_cname(), to->get_cname(), latency);
      for (const simgrid::s4u::Link *link : links)
        std::printf(" %s@%.9e", link->get_cname(), link->get_bandwidth());
      std::puts("");
    }
}
