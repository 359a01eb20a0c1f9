// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The smallest runtime that keeps the pass's contract (gnomon/Module.h): N ranks, round robin, no
/// MPI, no clock. It is the unit test of that contract: what breaks here is the pass, not the
/// simulator. Built as a libgnomon.so of its own. MINI_RANKS says how many ranks (default 3); with
/// MINI_SHARED all share one copy, and every case must fail.
#include "gnomon/Module.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>
#include <vector>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

struct ExitHandler {
  void (*function)(void *);
  void *argument;
};

struct Rank {
  int number = 0;
  std::vector<intptr_t> deltas;           // per module
  std::vector<std::vector<char>> swapped; // per module: its gn_swap while the rank does not run
  std::vector<ExitHandler> exitHandlers;
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool finished = false;
  int code = 0;
};

std::vector<gnomon_module *> &modules() {
  static std::vector<gnomon_module *> all;
  return all;
}

std::vector<std::unique_ptr<Rank>> ranks;
Rank *current = nullptr;
ucontext_t scheduler;
int argumentCount;
char **arguments, **environment;
const intptr_t always0 = 0;

void fail(const char *what) {
  std::fprintf(stderr, "mini-runtime: %s\n", what);
  std::exit(99);
}

bool holds(const gnomon_module &module, const char *address) {
  return (address >= module.private_begin && address < module.data_end) ||
         (address >= module.zero_begin && address < module.private_end);
}

void resolveImports() {
  for (gnomon_module *module : modules())
    for (uint64_t i = 0; i < module->import_count; ++i) {
      gnomon_import &import = module->imports[i];
      import.delta = &always0;
      for (gnomon_module *owner : modules())
        if (holds(*owner, static_cast<char *>(import.address)))
          import.delta = owner->delta;
    }
}

/// A fresh span at the section's own place in a page, filled with what the section holds before any
/// rank runs.
intptr_t copyOf(const gnomon_module &module) {
  if (!module.private_begin || std::getenv("MINI_SHARED"))
    return 0;
  if (module.data_end < module.private_begin || module.zero_begin < module.data_end ||
      module.private_end < module.zero_begin)
    fail("the bounds of the private variables are not in order");
  uint64_t unit = module.alignment > 4096 ? module.alignment : 4096;
  uint64_t bytes = module.private_end - module.private_begin + 2 * unit;
  void *span = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (span == MAP_FAILED)
    fail("no memory for a rank's variables");
  auto begin = reinterpret_cast<uintptr_t>(module.private_begin);
  uintptr_t place = (reinterpret_cast<uintptr_t>(span) / unit + 1) * unit + begin % unit;
  std::memcpy(reinterpret_cast<void *>(place), module.private_begin,
              module.data_end - module.private_begin);
  return static_cast<intptr_t>(place - begin);
}

void relocate(const gnomon_module &module, const Rank &rank, size_t index) {
  for (uint64_t i = 0; i < module.relocation_count; ++i) {
    const gnomon_relocation &relocation = module.relocations[i];
    intptr_t delta = rank.deltas[index];
    if (relocation.import) {
      delta = 0;
      for (size_t owner = 0; owner < modules().size(); ++owner)
        if (relocation.import->delta == modules()[owner]->delta)
          delta = rank.deltas[owner];
    }
    char *slot = relocation.slot + rank.deltas[index];
    intptr_t value;
    std::memcpy(&value, slot, sizeof value);
    value += delta;
    std::memcpy(slot, &value, sizeof value);
  }
}

void swapLibraryState(std::vector<std::vector<char>> &saved) {
  if (std::getenv("MINI_SHARED"))
    return;
  for (size_t i = 0; i < modules().size(); ++i)
    std::swap_ranges(saved[i].begin(), saved[i].end(), modules()[i]->swap_begin);
}

void switchTo(Rank &rank) {
  current = &rank;
  for (size_t i = 0; i < modules().size(); ++i)
    *modules()[i]->delta = rank.deltas[i];
  swapLibraryState(rank.swapped);
  swapcontext(&scheduler, &rank.context);
  swapLibraryState(rank.swapped);
  current = nullptr;
}

void runExitHandlers(Rank &rank) {
  while (!rank.exitHandlers.empty()) {
    ExitHandler handler = rank.exitHandlers.back();
    rank.exitHandlers.pop_back();
    handler.function(handler.argument);
  }
}

void rankBody() {
  Rank &rank = *current;
  int (*programMain)(int, char **, char **) = nullptr;
  for (gnomon_module *module : modules()) {
    for (uint64_t i = 0; i < module->constructor_count; ++i)
      module->constructors[i].function(argumentCount, arguments, environment);
    if (module->main)
      programMain = module->main;
  }
  rank.code = programMain(argumentCount, arguments, environment);
  runExitHandlers(rank);
  for (size_t m = modules().size(); m-- > 0;)
    for (uint64_t i = 0; i < modules()[m]->destructor_count; ++i)
      modules()[m]->destructors[i].function(argumentCount, arguments, environment);
  rank.finished = true;
  swapcontext(&rank.context, &scheduler);
}

std::unique_ptr<Rank> makeRank(int number) {
  auto rank = std::make_unique<Rank>();
  rank->number = number;
  for (gnomon_module *module : modules()) {
    rank->deltas.push_back(copyOf(*module));
    rank->swapped.emplace_back(module->swap_begin, module->swap_end);
  }
  for (size_t i = 0; i < modules().size(); ++i)
    relocate(*modules()[i], *rank, i);
  constexpr size_t stackBytes = 1 << 20;
  rank->stack = std::make_unique<char[]>(stackBytes);
  getcontext(&rank->context);
  rank->context.uc_stack.ss_sp = rank->stack.get();
  rank->context.uc_stack.ss_size = stackBytes;
  makecontext(&rank->context, rankBody, 0);
  return rank;
}

} // namespace

EXPORTED void gnomon_register_module(gnomon_module *module) {
  if (module->version != GNOMON_MODULE_VERSION)
    fail("the record has another version");
  modules().push_back(module);
}

EXPORTED int gnomon_start(gnomon_module *, int argc, char **argv, char **envp) {
  argumentCount = argc;
  arguments = argv;
  environment = envp;
  resolveImports();
  const char *count = std::getenv("MINI_RANKS");
  for (int i = 0; i < (count ? std::atoi(count) : 3); ++i)
    ranks.push_back(makeRank(i));
  int code = 0;
  for (bool running = true; running;) {
    running = false;
    for (auto &rank : ranks)
      if (!rank->finished) {
        running = true;
        switchTo(*rank);
        code |= rank->finished ? rank->code : 0;
      }
  }
  return code;
}

// What the test programs call (rank.h).
EXPORTED int rank_number(void) { return current ? current->number : 0; }
EXPORTED int rank_count(void) { return static_cast<int>(ranks.size()); }
EXPORTED void rank_switch(void) {
  Rank *self = current;
  swapcontext(&self->context, &scheduler);
}

// Destructors of a rank's objects run at its end, not the process's. Both are also called before
// any rank runs.
EXPORTED int __cxa_atexit(void (*function)(void *), void *argument, void *) {
  if (current)
    current->exitHandlers.push_back({function, argument});
  return 0;
}
EXPORTED int __cxa_thread_atexit(void (*function)(void *), void *argument, void *handle) {
  return __cxa_atexit(function, argument, handle);
}
