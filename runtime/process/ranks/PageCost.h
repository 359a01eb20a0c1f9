// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What it costs to make pages. The first use of a page takes the kernel from one to over ten
/// microseconds, by the state of the host's memory: on a virtual machine one and the same program
/// took from 0.6 to 2 s of system time within minutes, at the same user time (docs/adr/0015). That
/// says nothing of the target. So pages are charged at what they take at best:
///
///   charged = T − n (c − c₀)
///
/// for a stretch of T seconds that made n pages. c is what a page takes now: pages of our own are
/// made beside the program's, a hundredth of as many. c₀ is what pages took at best in earlier runs on
/// this machine, else in this one: the lower quartile of the batches that were made at the start. Where
/// a fault is dear (areFaultsDear), c₀ is a page's that is made in one call with others. Runs that execute everything get the pages of their large blocks so, ahead of
/// their use (libc/Allocation.cpp); those that skip have faults, and are to charge a page alike.
///
/// Worked example: c₀ = 1 µs, c = 3 µs. A stretch of 10 ms with 1,000 pages is charged 8 ms.
#pragma once

#include <cstdint>
#include <sys/resource.h>

namespace gnomon::process {

class BurstClock;

class PageCost {
public:
  /// Where pages are made and counted: this process, or a test's.
  struct Source {
    /// CPU seconds that it takes to make so many pages, by a fault each.
    double (*make)(uint32_t pages);
    /// The same, in one call; 0: the kernel cannot.
    double (*together)(uint32_t pages);
    /// Pages that the thread has made so far.
    uint64_t (*made)();
  };
  struct Figures {
    double nominalSeconds = 0; ///< c₀; 0: no page was looked at
    double bestSeconds = 0;    ///< the same of this run alone
    double mostSeconds = 0;    ///< greatest mean of a batch
    /// Σ n (c − c₀), of the thread, and of pages that were made ahead: below 0 where those took less than c₀.
    double leftOutSeconds = 0;
    uint64_t aheadPages = 0;        ///< made ahead of their use
    double aheadLeftOutSeconds = 0; ///< of leftOutSeconds, for those
  };

  /// Stretches shorter than this are not looked at: to count the pages takes a system call.
  static constexpr double LongStretchSeconds = 100e-6;

  /// \p knownSeconds: c₀ as earlier runs know it; 0: they do not.
  void enable(Source source, double knownSeconds = 0);
  bool enabled() const { return source_.made; }
  /// The program's code runs from \p reading of the thread's clock on.
  void leave(double reading) {
    if (source_.made && reading - lookedAt_ > LongStretchSeconds) [[unlikely]]
      look(reading);
  }
  /// It has run up to \p reading, \p seconds so far. Returns what is to be left out of them.
  double stretch(double seconds, double reading);
  /// What is to be left out of something that made \p pages pages.
  double excess(uint64_t pages) const;
  /// \p pages were made ahead of their use, in so many seconds. Returns what they are charged.
  double ahead(uint64_t pages, double seconds);
  const Figures &figures() const { return figures_; }

private:
  void look(double reading);
  void reference(uint64_t pages);
  void calibrate();
  void calibrateInProgram();

  Source source_{nullptr, nullptr, nullptr};
  double knownSeconds_ = 0;
  uint64_t made_ = 0;   ///< by the latest look
  double lookedAt_ = 0; ///< reading of the thread's clock then
  uint64_t due_ = 0;    ///< pages of the program since the latest batch of our own
  double present_ = 0;  ///< c
  bool wasFar_ = false; ///< the latest batch, from c
  Figures figures_;
};

/// Whether a page takes so much longer by a fault than in one call with others that such calls are
/// worth it, though a program may never use all that it allocates. A fault takes half a microsecond
/// where the processor helps the hypervisor, and the page most of it: nothing is won there. Under a
/// hypervisor without such help it takes 10 us, and the page 0.8 (docs/adr/0015).
/// \p togetherSeconds: 0 where the kernel cannot.
bool areFaultsDear(double byFaultsSeconds, double togetherSeconds);

/// \p pages of the program were made ahead of their use, many in one call, in \p seconds of the thread:
/// the kernel counts them as faults, and no fault's time was taken. What the running rank is charged
/// for them is c₀ each, exactly.
void notePagesAhead(uint64_t pages, double seconds);
/// Pages that the thread has made by faults, by \p usage.
uint64_t faultsOf(const rusage &usage);

/// From now on the ranks of the running simulation are charged for pages so; without it, what they
/// take. By pages of this process, of which earlier runs know \p knownSeconds; or \p source, a test's.
void keepPagesSteady(double knownSeconds);
void keepPagesSteady(PageCost::Source source, double knownSeconds = 0);
/// Takes out of \p clock what pages took beyond their nominal cost since its computation began or
/// this was called last. \p reading: of the thread's clock.
void takeOutPages(BurstClock &clock, double reading);
/// What is to be left out of a part of a computation that made \p pages pages.
double pageExcess(uint64_t pages);
/// Of the running simulation.
PageCost::Figures pageFigures();

} // namespace gnomon::process
