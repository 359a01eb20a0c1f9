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
/// made beside the program's, a hundredth of as many. c₀ is the lower quartile of the batches that
/// were made at the start.
///
/// Worked example: c₀ = 1 µs, c = 3 µs. A stretch of 10 ms with 1,000 pages is charged 8 ms.
#pragma once

#include <cstdint>

namespace gnomon::process {

class BurstClock;

class PageCost {
public:
  /// Where pages are made and counted: this process, or a test's.
  struct Source {
    /// CPU seconds that it takes to make so many pages.
    double (*make)(uint32_t pages);
    /// Pages that the thread has made so far.
    uint64_t (*made)();
  };
  struct Figures {
    double nominalSeconds = 0; ///< c₀; 0: no page was looked at
    double mostSeconds = 0;    ///< greatest mean of a batch
    double leftOutSeconds = 0; ///< Σ n (c − c₀), of the thread
  };

  /// Stretches shorter than this are not looked at: to count the pages takes a system call.
  static constexpr double LongStretchSeconds = 100e-6;

  void enable(Source source);
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
  const Figures &figures() const { return figures_; }

private:
  void look(double reading);
  void reference(uint64_t pages);
  void calibrate();

  Source source_{nullptr, nullptr};
  uint64_t made_ = 0;   ///< by the latest look
  double lookedAt_ = 0; ///< reading of the thread's clock then
  uint64_t due_ = 0;    ///< pages of the program since the latest batch of our own
  double present_ = 0;  ///< c
  Figures figures_;
};

/// From now on the ranks of the running simulation are charged for pages so; without it, what they
/// take. By pages of this process; or \p source, a test's.
void keepPagesSteady();
void keepPagesSteady(PageCost::Source source);
/// Takes out of \p clock what pages took beyond their nominal cost since its computation began or
/// this was called last. \p reading: of the thread's clock.
void takeOutPages(BurstClock &clock, double reading);
/// What is to be left out of a part of a computation that made \p pages pages.
double pageExcess(uint64_t pages);
/// Of the running simulation.
PageCost::Figures pageFigures();

} // namespace gnomon::process
