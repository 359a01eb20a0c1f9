// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/PageCost.h"

#include "process/image/Real.h"
#include "process/ranks/BurstClock.h"
#include "process/ranks/Rank.h"
#include "process/ranks/Simulation.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <sys/mman.h>
#include <sys/resource.h>
#include <utility>

namespace gnomon::process {
namespace {

constexpr uint32_t BatchPages = 8, MostPages = 64;
/// The program's pages for one of our own.
constexpr uint64_t PagesApart = 100;
constexpr size_t StartBatches = 16;
/// A batch weighs like so many pages of the ones before.
constexpr double Memory = 64;
/// Two batches in a row that differ from those by this factor are the host's new state.
constexpr double Far = 2;
/// However wrong c is, so much of a stretch stays.
constexpr double LeastShare = 0.1;

constexpr size_t PageBytes = 4096;

/// Of the thread, that were made many in one call: the program's by notePagesAhead, and our own.
thread_local uint64_t pagesTogether = 0;

/// \p pages that were never used, as the program's: what was used is given back a MiB at a time.
/// Null: no memory.
char *unusedPages(uint32_t pages) {
  constexpr size_t Bytes = 256 * PageBytes;
  static char *next = nullptr, *end = nullptr;
  if (next == nullptr || static_cast<size_t>(end - next) < pages * PageBytes) {
    if (end)
      munmap(end - Bytes, Bytes);
    void *memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    next = end = nullptr;
    if (memory == MAP_FAILED)
      return nullptr;
    madvise(memory, Bytes, MADV_NOHUGEPAGE);
    next = static_cast<char *>(memory);
    end = next + Bytes;
  }
  return std::exchange(next, next + pages * PageBytes);
}

double makePages(uint32_t pages) {
  char *page = unusedPages(pages);
  if (!page)
    return 0;
  const double begin = threadCpuSeconds();
  for (uint32_t i = 0; i < pages; ++i, page += PageBytes)
    *static_cast<volatile char *>(page) = 1;
  return threadCpuSeconds() - begin;
}

double makeTogether(uint32_t pages) {
  char *begin = unusedPages(pages);
  const double before = threadCpuSeconds();
  if (!begin || madvise(begin, pages * PageBytes, MADV_POPULATE_WRITE) != 0)
    return 0;
  const double seconds = threadCpuSeconds() - before;
  pagesTogether += pages;
  return seconds;
}

uint64_t madePages() {
  rusage usage{};
  GNOMON_REAL(getrusage)(RUSAGE_THREAD, &usage);
  return faultsOf(usage);
}

/// Lower quartile of what a page takes, over batches at the start; fills \p batches, in order.
double lowerQuartile(std::array<double, StartBatches> &batches, double (*make)(uint32_t),
                     uint32_t pages) {
  for (double &batch : batches)
    batch = make(pages) / pages;
  std::sort(batches.begin(), batches.end());
  return batches[StartBatches / 4];
}

} // namespace

bool areFaultsDear(double byFaultsSeconds, double togetherSeconds) {
  constexpr double Dear = 4;
  return togetherSeconds > 0 && byFaultsSeconds > Dear * togetherSeconds;
}

void notePagesAhead(uint64_t pages, double seconds) {
  pagesTogether += pages;
  Rank *rank = currentRank();
  if (!simulation() || !rank || !rank->burst.inProgram() || !simulation()->pages.enabled())
    return;
  const double before = threadCpuSeconds();
  const double charged = simulation()->pages.ahead(pages, seconds);
  rank->burst.takeOut(seconds - charged + threadCpuSeconds() - before);
}

uint64_t faultsOf(const rusage &usage) {
  const auto all = static_cast<uint64_t>(usage.ru_minflt) + static_cast<uint64_t>(usage.ru_majflt);
  return all - pagesTogether;
}

void PageCost::enable(Source source, double knownSeconds) {
  *this = PageCost();
  source_ = source;
  knownSeconds_ = knownSeconds;
  made_ = source_.made();
}

void PageCost::look(double reading) {
  made_ = source_.made();
  lookedAt_ = reading;
}

void PageCost::calibrate() {
  std::array<double, StartBatches> byFaults{}, batches{};
  const double fault = lowerQuartile(byFaults, source_.make, BatchPages);
  const double together = lowerQuartile(batches, source_.together, MostPages);
  figures_.bestSeconds = areFaultsDear(fault, together) ? together : fault;
  figures_.nominalSeconds = knownSeconds_ > 0 ? knownSeconds_ : figures_.bestSeconds;
  figures_.mostSeconds = byFaults.back();
  present_ = std::accumulate(byFaults.begin(), byFaults.end(), 0.0) / StartBatches;
}

/// In a stretch, whose pages our own are not.
void PageCost::calibrateInProgram() {
  const uint64_t before = source_.made();
  calibrate();
  made_ += source_.made() - before;
}

/// The program has made \p pages more.
void PageCost::reference(uint64_t pages) {
  due_ += pages;
  if (due_ < BatchPages * PagesApart)
    return;
  if (figures_.nominalSeconds == 0)
    calibrate();
  const auto batch = static_cast<uint32_t>(std::min<uint64_t>(due_ / PagesApart, MostPages));
  due_ = 0;
  const double each = source_.make(batch) / batch;
  const bool far = each > Far * present_ || Far * each < present_;
  const double memory = far && wasFar_ ? 0 : Memory;
  present_ = (memory * present_ + batch * each) / (memory + batch);
  wasFar_ = far;
  figures_.mostSeconds = std::max(figures_.mostSeconds, each);
}

double PageCost::excess(uint64_t pages) const {
  return static_cast<double>(pages) * std::max(0.0, present_ - figures_.nominalSeconds);
}

double PageCost::ahead(uint64_t pages, double seconds) {
  if (figures_.nominalSeconds == 0)
    calibrateInProgram();
  const double charged = static_cast<double>(pages) * figures_.nominalSeconds;
  figures_.aheadPages += pages;
  figures_.leftOutSeconds += seconds - charged;
  figures_.aheadLeftOutSeconds += seconds - charged;
  return charged;
}

double PageCost::stretch(double seconds, double reading) {
  if (!source_.made || seconds < LongStretchSeconds)
    return 0;
  const uint64_t pages = source_.made() - made_;
  reference(pages);
  look(reading);
  const double leftOut = std::min(excess(pages), (1 - LeastShare) * seconds);
  figures_.leftOutSeconds += leftOut;
  return leftOut;
}

void keepPagesSteady(PageCost::Source source, double knownSeconds) {
  if (Simulation *running = simulation();
      running && running->settings.compute == ComputeMode::Measured)
    running->pages.enable(source, knownSeconds);
}

void keepPagesSteady(double knownSeconds) {
  keepPagesSteady({makePages, makeTogether, madePages}, knownSeconds);
}

void takeOutPages(BurstClock &clock, double reading) {
  if (PageCost &pages = simulation()->pages; pages.enabled())
    clock.takeOut(pages.stretch(clock.metered(reading), reading));
}

double pageExcess(uint64_t pages) { return simulation() ? simulation()->pages.excess(pages) : 0; }

PageCost::Figures pageFigures() {
  return simulation() ? simulation()->pages.figures() : PageCost::Figures();
}

} // namespace gnomon::process
