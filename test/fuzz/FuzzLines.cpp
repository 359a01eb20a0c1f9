// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a host file and a one-line platform are understood or refused with an InputError,
// whatever they hold. The first byte says which: '@' a host file, anything else a platform.
#include "draw/Drawing.h"
#include "platform/BuiltIn.h"
#include "platform/HostFile.h"
#include "support/Error.h"

#include <cstddef>
#include <string>

using namespace gnomon;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  try {
    if (text.starts_with("@")) {
      static const platform::Platform small =
          *platform::loadBuiltIn("cluster:n=8,bw=1Gbps,lat=1us");
      constexpr uint32_t Ranks = 20;
      platform::placeRanks(platform::parseHostFile(text.substr(1), "fuzz.hosts"), small, Ranks);
    } else if (auto platform = platform::loadBuiltIn(text)) {
      platform::Route route;
      platform->route(0, static_cast<uint32_t>(platform->hosts().size() - 1), route);
      draw::draw(*platform);
    }
  } catch (const InputError &) {
  }
  return 0;
}
