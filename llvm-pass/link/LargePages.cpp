// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/LargePages.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/mman.h>

using namespace llvm;

namespace gnomon {

PreservedAnalyses LargePagesPass::run(Module &, ModuleAnalysisManager &) {
  constexpr uintptr_t PageBytes = uintptr_t{2} << 20;
  constexpr int Collapse = 25; // MADV_COLLAPSE, which the headers of Debian 12 do not have yet
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> maps(std::fopen("/proc/self/maps", "re"),
                                                              &std::fclose);
  char line[512];
  unsigned long begin = 0, end = 0;
  while (maps && std::fgets(line, sizeof line, maps.get())) {
    if (!std::strstr(line, "[heap]") || std::sscanf(line, "%lx-%lx", &begin, &end) != 2)
      continue;
    const uintptr_t first = (begin + PageBytes - 1) & ~(PageBytes - 1),
                    last = end & ~(PageBytes - 1);
    if (first < last)
      madvise(reinterpret_cast<void *>(first), last - first, Collapse);
  }
  return PreservedAnalyses::all();
}

} // namespace gnomon
