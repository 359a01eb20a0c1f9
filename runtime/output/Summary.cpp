// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/Summary.h"

#include "output/BurstText.h"

#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace gnomon::output {
namespace {

/// "1.23 GB": decimal units, three digits.
std::string sizeText(uint64_t bytes) {
  static constexpr std::string_view Units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(Units)) {
    value /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", value, Units[unit].data());
  return text;
}

std::string plural(uint64_t count, const char *noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Where polls that cost much are a good part of the time: how much, and what to set.
std::string pollNote(const Summary &summary) {
  const double whole = summary.simulatedSeconds;
  const PolledTime &polls = summary.polls;
  if (!polls.costMuch || whole <= 0 || polls.seconds < NotedPollShare * whole)
    return {};
  char shares[96];
  std::snprintf(shares, sizeof shares, "%.3g %% of the simulated time on rank %u, %.3g %% on all",
                100 * polls.seconds / whole, polls.rank,
                100 * polls.allRanksSeconds / (whole * summary.ranks));
  return std::string("gnomon: note: ") + shares +
         " ranks together, is what polls cost (MPI_Test, MPI_Iprobe and their like); where ranks "
         "had work to do between them, set what a real MPI takes: --set smpi/test=25ns "
         "--set smpi/iprobe=25ns --set smpi/grow-injected-times=no (docs/models.md)\n";
}

/// Where it makes a difference.
std::string pageNote(const Summary &summary) {
  constexpr double LeastShare = 0.01;
  const auto &pages = summary.pages;
  if (pages.leftOutSeconds < LeastShare * summary.cpuSeconds || pages.leftOutSeconds == 0)
    return {};
  return fmt::format("gnomon: note: the first use of a page of memory took this machine {:.2g} to "
                     "{:.2g} us; the least is charged, and {:.2g} s of CPU time are left out "
                     "(--pages=measured charges them)\n",
                     1e6 * pages.nominalSeconds, 1e6 * pages.mostSeconds, pages.leftOutSeconds);
}

/// Where it makes a difference that somebody waits for.
std::string slownessNote(const Summary &summary) {
  constexpr double LeastShare = 0.02, LeastSeconds = 0.5;
  const auto &cores = summary.cores;
  if (cores.leftOutSeconds < LeastShare * summary.cpuSeconds || cores.leftOutSeconds < LeastSeconds)
    return {};
  return fmt::format("gnomon: note: this machine's cores were {:.0f} % slower than usual, in the "
                     "mean; {:.2g} s of CPU time are left out (--speed=measured charges them)\n",
                     100 * (cores.slowness - 1), cores.leftOutSeconds);
}

/// Where it makes a difference: a rank's time is not its own any more.
std::string equalWorkNote(const Summary &summary) {
  constexpr double LeastShare = 0.05, LeastSeconds = 0.5;
  const double moved = summary.equalWork.movedSeconds;
  if (moved < LeastShare * summary.cpuSeconds || moved < LeastSeconds)
    return {};
  return fmt::format(
      "gnomon: note: ranks took different times for the same number of instructions; "
      "each is charged their mean, which moves {:.2g} s of CPU time between them "
      "(--equal-work=measured charges what each took)\n",
      moved);
}

/// Where it makes a difference: the time is not this run's alone.
std::string earlierRunsNote(const Summary &summary) {
  constexpr double LeastShare = 0.05, LeastSeconds = 0.5;
  const double seconds = summary.equalWork.earlierSeconds;
  if (std::abs(seconds) < LeastShare * summary.cpuSeconds || std::abs(seconds) < LeastSeconds)
    return {};
  return fmt::format(
      "gnomon: note: computations took {} than in earlier runs of this program; each is charged "
      "the median of up to {}, which is {:.2g} s of CPU time {} (--equal-work=run counts this run "
      "alone)\n",
      seconds < 0 ? "longer" : "less", plural(summary.equalWork.earlierRuns + 1, "run"),
      std::abs(seconds), seconds < 0 ? "less" : "more");
}

/// --merge-pages: what it gave and took.
std::string mergeLines(const Summary &summary) {
  if (!summary.merged)
    return {};
  const process::merge::Figures &figures = summary.merged->figures;
  std::string lines = fmt::format(
      "gnomon: of {} looked at, {} merged and {} zero, {} of them written again later: {} "
      "less memory at the most, {} at the end, for {:.3g} s of CPU time (--merge-pages)\n",
      plural(figures.lookedAtPages, "page"), figures.mergedPages, figures.zeroPages,
      figures.splitPages, sizeText(figures.mostGivenBackBytes), sizeText(figures.givenBackBytes),
      summary.merged->seconds);
  if (summary.merged->disturbed > 0)
    lines += fmt::format(
        "gnomon: note: {} of {} times threads beside the ranks' own were there, such as "
        "OpenMP's, and pages were left alone (--merge-pages)\n",
        summary.merged->disturbed, summary.merged->disturbed + summary.merged->looks);
  return lines;
}

} // namespace

std::string summaryLine(const Summary &summary) {
  char simulated[48], wall[32];
  std::snprintf(simulated, sizeof simulated, "%.9g", summary.simulatedSeconds);
  std::snprintf(wall, sizeof wall, "%.3g", summary.wallSeconds);
  std::string played;
  if (summary.actions && !summary.complete)
    played =
        fmt::format("; {} of {} actions played", summary.actions->played, summary.actions->total);
  return std::string("gnomon: ") + (summary.complete ? "" : "INCOMPLETE: ") + "simulated time " +
         simulated + " s, " + plural(summary.ranks, "rank") + ", " +
         plural(summary.messages, "message") + ", " + sizeText(summary.bytes) +
         " sent; wall time " + wall + " s, peak memory " + sizeText(summary.peakResidentBytes) +
         played + "\n" + burstLines(summary.bursts, summary.simulatedSeconds * summary.ranks) +
         pageNote(summary) + slownessNote(summary) + equalWorkNote(summary) +
         earlierRunsNote(summary) + mergeLines(summary) + pollNote(summary);
}

} // namespace gnomon::output
