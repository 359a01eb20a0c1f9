// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/Modules.h"

#include "support/Error.h"

#include <algorithm>
#include <cstdio>
#include <link.h>
#include <unistd.h>

namespace gnomon::process {
namespace {

struct Range {
  uintptr_t begin, end;
  const gnomon_module *module = nullptr;
};

struct Registry {
  std::vector<gnomon_module *> modules;
  std::vector<Range> ranges; ///< where the modules' files are mapped
  std::vector<const uint64_t *> counters;
};

Registry &registry() {
  // Never destroyed: a rank's last destructors may still ask.
  static auto *instance = new Registry;
  return *instance;
}

ModuleListener listener = nullptr;

struct RangeSearch {
  uintptr_t address;
  Range found;
};

int compareRange(dl_phdr_info *info, size_t, void *data) {
  auto *search = static_cast<RangeSearch *>(data);
  Range range{UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD)
      continue;
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + header.p_memsz);
  }
  if (search->address < range.begin || search->address >= range.end)
    return 0;
  search->found = range;
  return 1;
}

} // namespace

size_t modulesLoaded = 0;

void setModuleListener(ModuleListener function) { listener = function; }

void addModule(gnomon_module &module) {
  if (module.version != GNOMON_MODULE_VERSION) {
    dprintf(STDERR_FILENO,
            "gnomon: %s was built for version %u of the runtime's interface, this runtime has "
            "version %u; "
            "build it again with this installation's flag\n",
            module.name ? module.name : "a module", module.version, GNOMON_MODULE_VERSION);
    _exit(static_cast<int>(ExitCode::BadInput));
  }
  Registry &all = registry();
  all.modules.push_back(&module);
  if (module.instructions)
    all.counters.push_back(module.instructions);
  onlyCounter = all.counters.size() == 1 ? all.counters.front() : nullptr;
  RangeSearch search{reinterpret_cast<uintptr_t>(&module), {}};
  if (dl_iterate_phdr(compareRange, &search)) {
    search.found.module = &module;
    all.ranges.push_back(search.found);
  }
  ++modulesLoaded;
  if (listener)
    listener(module);
}

const std::vector<gnomon_module *> &modules() { return registry().modules; }

uint64_t allCounters() {
  uint64_t sum = 0;
  for (const uint64_t *counter : registry().counters)
    sum += *counter;
  return sum;
}

bool programCounts() { return !registry().counters.empty(); }

gnomon_module *mainModule() {
  for (gnomon_module *module : registry().modules)
    if (module->main)
      return module;
  return nullptr;
}

const gnomon_module *moduleAt(const void *address) {
  auto value = reinterpret_cast<uintptr_t>(address);
  for (const Range &range : registry().ranges)
    if (value >= range.begin && value < range.end)
      return range.module;
  return nullptr;
}

bool inFlaggedModule(const void *address) { return moduleAt(address) != nullptr; }

bool anyModuleHas(uint32_t flag) {
  for (gnomon_module *module : registry().modules)
    if (module->flags & flag)
      return true;
  return false;
}

} // namespace gnomon::process

extern "C" __attribute__((visibility("default"))) void
gnomon_register_module(gnomon_module *module) {
  gnomon::process::addModule(*module);
}
