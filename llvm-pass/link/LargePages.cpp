// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/LargePages.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

#include "llvm-c/Target.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/mman.h>

using namespace llvm;

namespace gnomon {
namespace {

constexpr uintptr_t PageBytes = uintptr_t{2} << 20;

/// Addresses.
struct Range {
  uintptr_t first, last;
};

/// The large pages that lie whole in it; none: `last` is not behind `first`.
Range largePagesOf(const Range &range) {
  return {(range.first + PageBytes - 1) & ~(PageBytes - 1), range.last & ~(PageBytes - 1)};
}

/// The large pages that lie whole in those of the process's mappings that \p wanted says yes to: begin, end, line of
/// /proc/self/maps.
template <typename Wanted> SmallVector<Range, 2> largePagesIn(Wanted wanted) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> maps(std::fopen("/proc/self/maps", "re"),
                                                              &std::fclose);
  SmallVector<Range, 2> found;
  char line[512];
  unsigned long begin = 0, end = 0;
  while (maps && std::fgets(line, sizeof line, maps.get())) {
    if (std::sscanf(line, "%lx-%lx", &begin, &end) != 2 || !wanted(begin, end, StringRef(line)))
      continue;
    if (const Range range = largePagesOf({begin, end}); range.first < range.last)
      found.push_back(range);
  }
  return found;
}

/// Whether the user wants the link's memory left as it is.
bool isUnwanted() {
  const char *wish = std::getenv("GNOMON_LARGE_PAGES");
  return wish && StringRef(wish) == "0";
}

/// Whether memory that asks for large pages gets some.
bool mayAskForLargePages() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> setting(
      std::fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re"), &std::fclose);
  char line[64];
  return setting && std::fgets(line, sizeof line, setting.get()) &&
         !StringRef(line).contains("[never]");
}

/// Parts of the range, which is LLVM's code: all but what lies between the code of other machines than this one, that is
/// between the functions by which these are made known. A third of the library generates code for them.
SmallVector<Range, 3> partsInUse(const Range &code) {
  const auto own = reinterpret_cast<uintptr_t>(&LLVMInitializeX86Target);
  uintptr_t machines[] = {
#define LLVM_TARGET(NAME) reinterpret_cast<uintptr_t>(&LLVMInitialize##NAME##Target),
#include "llvm/Config/Targets.def"
  };
  std::sort(std::begin(machines), std::end(machines));
  const uintptr_t *const place = std::find(std::begin(machines), std::end(machines), own);
  const uintptr_t *const last = std::end(machines) - 1;
  const uintptr_t before = place == machines ? own : place[-1],
                  behind = place == last ? own : place[1];
  SmallVector<Range, 3> parts;
  for (const Range &part :
       {Range{code.first, std::clamp(machines[0], code.first, code.last)},
        Range{std::clamp(before, code.first, code.last), std::clamp(behind, code.first, code.last)},
        Range{std::clamp(*last, code.first, code.last), code.last}})
    if (const Range whole = largePagesOf(part); whole.first < whole.last)
      parts.push_back(whole);
  return parts;
}

/// A copy of what the range holds, which takes its place at once: it is code that is being run.
void moveIntoLargePages(const Range &range) {
  const size_t bytes = range.last - range.first, room = bytes + PageBytes;
  void *const whole =
      mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED)
    return;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(whole),
                  copy = (begin + PageBytes - 1) & ~(PageBytes - 1);
  madvise(reinterpret_cast<void *>(copy), bytes, MADV_HUGEPAGE);
  std::memcpy(reinterpret_cast<void *>(copy), reinterpret_cast<const void *>(range.first), bytes);
  if (mprotect(reinterpret_cast<void *>(copy), bytes, PROT_READ | PROT_EXEC) != 0 ||
      mremap(reinterpret_cast<void *>(copy), bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
             reinterpret_cast<void *>(range.first)) == MAP_FAILED) {
    munmap(whole, room);
    return;
  }
  munmap(whole, copy - begin);
  munmap(reinterpret_cast<void *>(copy + bytes), begin + room - (copy + bytes));
}

} // namespace

PreservedAnalyses LargePagesPass::run(Module &, ModuleAnalysisManager &) {
  if (isUnwanted())
    return PreservedAnalyses::all();
  constexpr int Collapse = 25; // MADV_COLLAPSE, which the headers of Debian 12 do not have yet
  for (const Range &heap :
       largePagesIn([](uintptr_t, uintptr_t, StringRef line) { return line.contains("[heap]"); }))
    madvise(reinterpret_cast<void *>(heap.first), heap.last - heap.first, Collapse);
  return PreservedAnalyses::all();
}

PreservedAnalyses LargeCodePass::run(Module &module, ModuleAnalysisManager &) {
  if (isUnwanted() || module.getInstructionCount() < least_ || !mayAskForLargePages())
    return PreservedAnalyses::all();
  const auto code = reinterpret_cast<uintptr_t>(&verifyModule);
  for (const Range &range : largePagesIn(
           [&](uintptr_t begin, uintptr_t end, StringRef) { return begin <= code && code < end; }))
    for (const Range &part : partsInUse(range))
      moveIntoLargePages(part);
  return PreservedAnalyses::all();
}

} // namespace gnomon
