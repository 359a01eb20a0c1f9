// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whatever stands in a platform file, the loader says what is wrong with it or loads it;
// and what it loads has routes, a survey and a drawing. Anything else (a crash, a hang, a leak, an
// exception that is no InputError) is a bug.
#include "check/Survey.h"
#include "draw/Drawing.h"
#include "platform/Xml.h"
#include "support/Error.h"

#include <cstddef>
#include <numeric>

using namespace gnomon;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    const platform::Platform platform =
        platform::loadXml({reinterpret_cast<const char *>(data), size}, "fuzz.xml");
    check::survey(platform);
    draw::draw(platform);
    std::vector<platform::HostIndex> hosts(platform.hosts().size());
    std::iota(hosts.begin(), hosts.end(), 0u);
    platform.checkReachable(hosts);
  } catch (const InputError &) {
  }
  return 0;
}
