// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// routes PLATFORM: every route of a platform, one a line, as routes-simgrid.cpp prints them.
#include "platform/Platform.h"

#include <cstdio>

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  const gnomon::platform::Platform platform = gnomon::platform::load(argv[1]);
  const auto hosts = static_cast<gnomon::platform::HostIndex>(platform.hosts().size());
  gnomon::platform::Route route;
  for (gnomon::platform::HostIndex from = 0; from < hosts; ++from)
    for (gnomon::platform::HostIndex to = 0; to < hosts; ++to) {
      platform.route(from, to, route);
      std::printf("%s %s %.9e:", platform.hosts()[from].name.str().c_str(),
                  platform.hosts()[to].name.str().c_str(), route.latencySeconds);
      for (gnomon::platform::LinkIndex link : route.links)
        std::printf(" %s@%.9e", platform.links()[link].name.str().c_str(),
                    platform.links()[link].bandwidth);
      std::puts("");
    }
}
