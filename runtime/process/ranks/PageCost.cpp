// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/PageCost.h"

#include "process/image/Real.h"
#include "process/ranks/BurstClock.h"
#include "process/ranks/Simulation.h"

#include <algorithm>
#include <array>
#include <sys/mman.h>
#include <sys/resource.h>

namespace gnomon::process {
namespace {

constexpr uint32_t BatchPages = 8, MostPages = 64;
/// The program's pages for one of our own.
constexpr uint64_t PagesApart = 100;
constexpr size_t StartBatches = 16;
/// A batch weighs like so many pages of the ones before.
constexpr double Memory = 24;
/// However wrong c is, so much of a stretch stays.
constexpr double LeastShare = 0.1;

/// From memory that was never used, as the program's: what was used is given back a MiB at a time.
double makePages(uint32_t pages) {
  constexpr size_t PageBytes = 4096, Bytes = 256 * PageBytes;
  static char *next = nullptr, *end = nullptr;
  if (next == nullptr || static_cast<size_t>(end - next) < pages * PageBytes) {
    if (end)
      munmap(end - Bytes, Bytes);
    void *memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    next = end = nullptr;
    if (memory == MAP_FAILED)
      return 0;
    madvise(memory, Bytes, MADV_NOHUGEPAGE);
    next = static_cast<char *>(memory);
    end = next + Bytes;
  }
  const double begin = threadCpuSeconds();
  for (uint32_t i = 0; i < pages; ++i, next += PageBytes)
    *static_cast<volatile char *>(next) = 1;
  return threadCpuSeconds() - begin;
}

uint64_t madePages() {
  rusage usage{};
  GNOMON_REAL(getrusage)(RUSAGE_THREAD, &usage);
  return static_cast<uint64_t>(usage.ru_minflt) + static_cast<uint64_t>(usage.ru_majflt);
}

} // namespace

void PageCost::enable(Source source) {
  *this = PageCost();
  source_ = source;
  made_ = source_.made();
}

void PageCost::look(double reading) {
  made_ = source_.made();
  lookedAt_ = reading;
}

void PageCost::calibrate() {
  std::array<double, StartBatches> batches{};
  double sum = 0;
  for (double &batch : batches)
    sum += batch = source_.make(BatchPages) / BatchPages;
  std::sort(batches.begin(), batches.end());
  figures_.nominalSeconds = batches[StartBatches / 4];
  figures_.mostSeconds = batches.back();
  present_ = sum / StartBatches;
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
  present_ = (Memory * present_ + batch * each) / (Memory + batch);
  figures_.mostSeconds = std::max(figures_.mostSeconds, each);
}

double PageCost::excess(uint64_t pages) const {
  return static_cast<double>(pages) * std::max(0.0, present_ - figures_.nominalSeconds);
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

void keepPagesSteady(PageCost::Source source) {
  if (Simulation *running = simulation();
      running && running->settings.compute == ComputeMode::Measured)
    running->pages.enable(source);
}

void keepPagesSteady() { keepPagesSteady({makePages, madePages}); }

void takeOutPages(BurstClock &clock, double reading) {
  if (PageCost &pages = simulation()->pages; pages.enabled())
    clock.takeOut(pages.stretch(clock.metered(reading), reading));
}

double pageExcess(uint64_t pages) { return simulation() ? simulation()->pages.excess(pages) : 0; }

PageCost::Figures pageFigures() {
  return simulation() ? simulation()->pages.figures() : PageCost::Figures();
}

} // namespace gnomon::process
