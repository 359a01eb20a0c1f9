// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/merge/Merging.h"

#include "process/image/Mappings.h"
#include "process/image/Programs.h"
#include "process/image/Real.h"
#include "process/merge/Pace.h"
#include "process/ranks/CycleClock.h"
#include "process/ranks/Job.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/SwitchHook.h"
#include "support/Error.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace gnomon::process::merge {
namespace {

constexpr size_t PageBytes = MergedMemory::PageBytes;
/// Of one look: a millisecond or two.
constexpr size_t PagesOfLook = 2048;
/// A rank's globals that are smaller share pages with other ranks'.
constexpr size_t LeastGlobalsBytes = 4 * PageBytes;
/// What malloc keeps in front of a large block, in the block's first page.
constexpr size_t HeaderBytes = 64;

struct State {
  MergedMemory memory{mappingsLeft() / 4};
  Pace pace;
  Report report;
  std::vector<size_t> modulesSeen; ///< by rank: so many modules' globals are areas
  double lookedAt = 0;             ///< CPU seconds of the thread
  /// Nothing is due before so many seconds after this reading of the cycle counter, which costs less.
  uint64_t askedAt = 0;
  double waitSeconds = 0;
};
State *state = nullptr; ///< never unmade: blocks outlive static objects

char *roundUp(char *address) {
  return reinterpret_cast<char *>(wholePages(reinterpret_cast<uintptr_t>(address)));
}
char *roundDown(char *address) {
  return address - reinterpret_cast<uintptr_t>(address) % PageBytes;
}

/// The whole pages of a block, its header among them where the page is all its own.
char *firstPage(char *block) {
  char *header = block - HeaderBytes;
  return header == roundDown(header) ? header : roundUp(block);
}

/// Signals of the outside may run the program's code.
class SignalsHeld {
public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
      sigdelset(&all, fault);
    sigprocmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld &) = delete;
  SignalsHeld &operator=(const SignalsHeld &) = delete;

private:
  sigset_t before_{};
};

/// Whether there are threads that may write to the ranks' memory: any beside the simulation's own
/// and the watchdog's. The folder's links are two more than threads.
bool othersRun() {
  struct stat folder{};
  constexpr nlink_t Known = 2 + 2;
  return stat("/proc/self/task", &folder) != 0 || folder.st_nlink > Known;
}

/// Its copies of the globals of modules that were not there before.
void addGlobals(const Rank &rank) {
  if (rank.number >= state->modulesSeen.size())
    state->modulesSeen.resize(rank.number + 1, 0);
  const Images &images = simulation()->images;
  for (size_t &seen = state->modulesSeen[rank.number]; seen < modules().size(); ++seen) {
    const gnomon_module &module = *modules()[seen];
    const auto bytes = static_cast<size_t>(module.private_end - module.private_begin);
    if (bytes < LeastGlobalsBytes || !belongsTo(module, rank.app->program))
      continue;
    char *begin = images.placeOf(module, module.private_begin, rank.number);
    if (begin == module.private_begin)
      continue; // it runs on the section itself
    state->memory.add(rank.number, roundUp(begin), roundDown(begin + bytes),
                      images.hasTables(module) ? Backing::File : Backing::Anonymous);
  }
}

int64_t gainedPages(const Figures &figures) {
  return static_cast<int64_t>(figures.mergedPages + figures.zeroPages) -
         static_cast<int64_t>(figures.splitPages);
}

void look(const Rank &rank) {
  const double begin = threadCpuSeconds();
  const Figures before = state->memory.latestFigures();
  if (othersRun()) {
    ++state->report.disturbed;
  } else {
    const SignalsHeld held;
    addGlobals(rank);
    state->memory.look(rank.number, PagesOfLook);
    ++state->report.looks;
  }
  const Figures &now = state->memory.latestFigures();
  const double seconds = threadCpuSeconds() - begin;
  state->report.seconds += seconds;
  state->pace.took(seconds, now.lookedAtPages - before.lookedAtPages,
                   gainedPages(now) - gainedPages(before));
}

/// \p rank's turn is over.
void rests(const Rank &rank) {
  if (cycleSeconds(state->askedAt, readCycles()) < state->waitSeconds)
    return;
  const int saved = errno;
  if (state->pace.left(threadCpuSeconds() - state->lookedAt) <= 0) {
    look(rank);
    state->lookedAt = threadCpuSeconds();
  }
  state->askedAt = readCycles();
  state->waitSeconds = state->pace.left(threadCpuSeconds() - state->lookedAt);
  errno = saved;
}

} // namespace

void start() {
  state = new State;
  if (const int error = state->memory.error())
    throw InputError(
        "--merge-pages", 0,
        std::string("cannot find out which pages are in memory (/proc/self/pagemap): ") +
            strerror(error) + "; run without it");
  state->lookedAt = threadCpuSeconds();
  detail::on = true;
  setTurnHook(rests);
}

void stop() {
  detail::on = false;
  setTurnHook(nullptr);
}

std::optional<Report> report() {
  if (!state)
    return std::nullopt;
  state->report.figures = state->memory.figures();
  return state->report;
}

void noteBlock(char *block, size_t bytes) {
  const Rank *rank = currentRank();
  if (rank && rank->burst.runs() && rank->burst.inProgram()) // not the runtime's own
    state->memory.add(rank->number, firstPage(block), roundDown(block + bytes), Backing::Anonymous);
}

void noteResized(char *block, size_t bytes) {
  state->memory.resize(firstPage(block), roundUp(block + bytes));
}

void noteFreed(char *block) { state->memory.forget(firstPage(block)); }

void leaveAlone(const void *begin, size_t bytes) {
  const auto *first = static_cast<const char *>(begin);
  state->memory.leaveAlone(first, first + bytes);
}

} // namespace gnomon::process::merge
