// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/BurstText.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace gnomon::output {
namespace {

using process::burst::DecisionReport;
using process::burst::HoldingPoint;
using process::burst::Report;
using process::burst::ReportRow;
using process::fold::SiteReport;

constexpr size_t Dominating = 5;
constexpr const char *Incomplete = "INCOMPLETE: the run was cut short\n";

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

std::string plural(uint64_t count, const char *noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string baseName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

std::string place(const ReportRow &row) {
  return row.file.empty() ? row.function
                          : fmt::format("{}:{} {}", baseName(row.file), row.line, row.function);
}

std::string nameOf(const ReportRow &row) { return row.name.empty() ? place(row) : row.name; }

/// Indices of the rows, the longest first; equals in the order of the program.
std::vector<size_t> bySeconds(const Report &report) {
  std::vector<size_t> order(report.rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const double x = report.rows[a].seconds, y = report.rows[b].seconds;
    return x != y ? x > y : a < b;
  });
  return order;
}

std::string dominatingLine(const Report &report) {
  std::string text;
  if (!report.sharesKnown)
    return {};
  for (size_t i : dominating(report))
    text += fmt::format("{}{} {:.3g} %", text.empty() ? "" : ", ", nameOf(report.rows[i]),
                        percent(report.rows[i].seconds, report.computedSeconds));
  return text.empty() ? "" : "gnomon: most of the computation: " + text + "\n";
}

std::string warnings(const Report &report) {
  std::string text;
  if (report.guessed)
    text += fmt::format("gnomon: warning: {} of bursts that were never sampled count {:.3g} s at "
                        "other bursts' rates\n",
                        plural(report.guessed, "instance"), report.guessedSeconds);
  if (report.dropped)
    text += fmt::format("gnomon: note: {} of bursts ended by a jump, an exception or an MPI call "
                        "inside; their times are no samples\n",
                        plural(report.dropped, "instance"));
  for (const auto &site : report.errorSites)
    text +=
        site.stays
            ? fmt::format("gnomon: note: {}:{} {}: the loop was not left {}, because the file of "
                          "GNOMON_BURSTS says 'stay'\n",
                          baseName(site.file), site.line, site.function, plural(site.taken, "time"))
            : fmt::format("gnomon: warning: {}:{} {}: an error's end was not taken {}, because "
                          "its condition may rest on skipped computation\n",
                          baseName(site.file), site.line, site.function,
                          plural(site.taken, "time"));
  return text;
}

/// Why shares are not known.
const char *noShares(const Report &report) {
  return report.clocked ? "bursts seemed to take several times as long as the whole computation; "
                          "run again when the machine is less busy"
                        : "most bursts are too short to be charged (--set smpi/cpu-threshold)";
}

constexpr const char *NothingSkipped =
    "gnomon: nothing was skipped: ranks execute everything until they have seen it twice and for "
    "0.1 s of CPU time; --sample=n=1 skips at once, less exactly\n";

constexpr const char *NoBursts =
    "gnomon: nothing was skipped: the program came to no burst; linked with "
    "GNOMON_SHADOW=0 it has none\n";

std::string budget(const Report &report, double rankSeconds) {
  return fmt::format("gnomon: {} of bursts executed, {} skipped; {:.3g} % of the simulated time "
                     "rests on samples, "
                     "{:.4g} s ± {:.2g} s; all computation {:.4g} s ± {:.2g} s (95 %)\n",
                     plural(report.executed, "instance"), report.skipped,
                     percent(report.sampledSeconds, rankSeconds), report.sampledSeconds,
                     report.intervalSeconds, report.computedSeconds,
                     report.computedIntervalSeconds) +
         dominatingLine(report) + warnings(report) +
         "gnomon: warning: numeric results of this run are not meaningful: bursts were skipped\n";
}

std::string pointText(const HoldingPoint &point) {
  const auto &[file, function, line, ordinal] = point.key;
  return fmt::format("{}:{} {} #{} ({})", file.empty() ? "?" : baseName(file), line, function,
                     ordinal, point.what);
}

/// The points that hold back most.
std::string holdingLine(const Report &report) {
  constexpr size_t Most = 3;
  std::string text;
  for (size_t i = 0; i < std::min(Most, report.holding.size()); ++i)
    text += fmt::format("{}{} {:.3g} s", i ? ", " : "", pointText(report.holding[i]),
                        report.holding[i].seconds);
  if (report.holding.size() > Most)
    text += fmt::format(" and {} more (--bursts)", report.holding.size() - Most);
  return text.empty() ? "" : "gnomon: what decides holds back: " + text + "\n";
}

/// What decisions would add, and how to get them.
std::string offerDecisions(const Report &report) {
  constexpr double LeastShare = 0.01;
  if (!report.sharesKnown || report.decidedSeconds <= LeastShare * report.watchedSeconds)
    return {};
  const std::string share =
      fmt::format("up to {:.3g} % of the computation",
                  percent(report.skippableSeconds + report.decidedSeconds, report.watchedSeconds));
  if (report.decisions.kind == DecisionReport::Kind::Recorded)
    return report.decisions.learning
               ? fmt::format("gnomon: the next run with --shadow=learn skips {}\n", share)
               : fmt::format("gnomon: gnomon run --shadow --decisions FILE … skips {}\n", share);
  return holdingLine(report) +
         fmt::format("gnomon: with decisions, --shadow would skip {}: gnomon run --shadow=learn …, "
                     "twice; or gnomon run --record-decisions FILE …, then gnomon run --shadow "
                     "--decisions FILE …\n",
                     share);
}

/// Which of the two a run with --shadow=learn did.
std::string learningLine(const DecisionReport &decisions) {
  if (!decisions.learning)
    return {};
  const auto &[path, date, why] = *decisions.learning;
  if (decisions.kind == DecisionReport::Kind::Given)
    return fmt::format("gnomon: gave decisions of {}, recorded on {}\n", path, date);
  return fmt::format("gnomon: recorded decisions for later runs: {}{}\n", path,
                     why.empty() ? "" : fmt::format(" (anew: {})", why));
}

std::string decisionLines(const DecisionReport &decisions) {
  const bool isRecorded = decisions.kind == DecisionReport::Kind::Recorded;
  std::string text = learningLine(decisions);
  if (isRecorded || decisions.passed)
    text += fmt::format("gnomon: {} of {} {}\n", plural(decisions.passed, "decision"),
                        plural(decisions.points, "point"), isRecorded ? "recorded" : "given");
  for (const std::string &note : decisions.notes)
    text += fmt::format("gnomon: note: {}\n", note);
  return text;
}

std::string offer(const Report &report) {
  const auto count = static_cast<uint64_t>(std::count_if(
      report.rows.begin(), report.rows.end(), [](const ReportRow &row) { return row.skippable; }));
  if (count == 0)
    return {};
  const double share = percent(report.skippableSeconds, report.watchedSeconds);
  const std::string bursts = fmt::format("{} of {}", count, plural(report.rows.size(), "burst"));
  if (!report.sharesKnown)
    return fmt::format("gnomon: --shadow would skip {}; their share is not known: {}\n", bursts,
                       noShares(report));
  if (report.watchedInPart)
    return fmt::format("gnomon: --shadow would skip up to {:.3g} % of the first {:.2g} s of "
                       "computation ({}); then bursts were too short to be watched\n",
                       share, report.watchedSeconds, bursts);
  return fmt::format("gnomon: --shadow would skip up to {:.3g} % of the computation ({})\n", share,
                     bursts);
}

std::string mebibytes(uint64_t bytes) {
  return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / (1 << 20));
}

/// Why memory that ranks could share is each one's own.
std::string addressNote(const process::fold::Report &folding) {
  if (folding.noAddressBytes == 0)
    return {};
  const std::string why =
      folding.addressLimit == UINT64_MAX
          ? "there are not enough addresses: allow more than there is memory "
            "(sysctl vm.overcommit_memory=0)"
          : fmt::format("the process may have {:.3g} GB of addresses (ulimit -v): lift that limit "
                        "(ulimit -v unlimited), and limit memory by a control group",
                        1e-9 * static_cast<double>(folding.addressLimit));
  return fmt::format("gnomon: note: {} that ranks could share are each rank's own, because {}\n",
                     mebibytes(folding.noAddressBytes), why);
}

std::string foldingLines(const process::fold::Report &folding) {
  std::string text = addressNote(folding);
  if (folding.foldedBytes > 0)
    text += fmt::format("gnomon: ranks share {} of the {} that they allocated at once or in "
                        "turn: {} in memory (--fold=off: none)\n",
                        mebibytes(folding.foldedBytes), mebibytes(folding.bytes),
                        mebibytes(folding.residentBytes));
  return text;
}

std::string placeOf(const SiteReport &site) {
  return site.file.empty() ? site.function
                           : fmt::format("{}:{} {}", baseName(site.file), site.line, site.function);
}

} // namespace

std::vector<size_t> dominating(const Report &report) {
  std::vector<size_t> order = bySeconds(report);
  order.resize(std::min(order.size(), Dominating));
  std::erase_if(order, [&](size_t i) { return report.rows[i].seconds <= 0; });
  return order;
}

std::string burstLines(const Report &report, double rankSeconds) {
  if (!report.active)
    return {};
  std::string text;
  for (const std::string &burst : report.notInProfile)
    text += "gnomon: warning: the profile has no burst " + burst + "; the mean rate is used\n";
  text += decisionLines(report.decisions);
  if (report.skipped)
    return text + budget(report, rankSeconds) + foldingLines(report.folding) +
           offerDecisions(report);
  text += warnings(report);
  if (!report.skipping)
    return text + offer(report) + offerDecisions(report);
  if (report.rows.empty())
    return text + NoBursts;
  return text + (report.learning ? NothingSkipped : "") + offerDecisions(report);
}

/// What --shadow=learn lifts, point by point.
static std::string holdingTable(const Report &report) {
  if (report.holding.empty() || !report.sharesKnown)
    return {};
  std::string text =
      fmt::format("{:>9} {:>9} {:>7}  decision that holds bursts back (recorded, and "
                  "given to later runs, by --shadow=learn)\n",
                  "bursts", "seconds", "share");
  constexpr double LeastPercent = 0.1;
  size_t listed = 0;
  for (const HoldingPoint &point : report.holding) {
    const double share = percent(point.seconds, report.computedSeconds);
    if (share < LeastPercent && listed > 0)
      break;
    text += fmt::format("{:>9} {:>9.3g} {:>5.1f} %  {}\n", point.bursts, point.seconds, share,
                        pointText(point));
    ++listed;
  }
  if (const size_t left = report.holding.size() - listed; left > 0)
    text += fmt::format("{} that {} less than {} % each\n", plural(left, "more decision"),
                        left == 1 ? "holds" : "hold", LeastPercent);
  return text;
}

/// What was allocated where, the most first, and what became of it.
static std::string foldingTable(const process::fold::Report &folding) {
  if (folding.sites.empty())
    return {};
  std::vector<const SiteReport *> order;
  for (const SiteReport &site : folding.sites)
    if (site.blocks)
      order.push_back(&site);
  std::sort(order.begin(), order.end(), [](const SiteReport *a, const SiteReport *b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b; // rows of one list
  });
  std::string text = fmt::format("{:>9} {:>14} {:>14}  memory allocated at, or variable\n",
                                 "blocks", "asked", "shared");
  for (const SiteReport *site : order) {
    text += fmt::format("{:>9} {:>14} {:>14}  {}", site->blocks, mebibytes(site->bytes),
                        mebibytes(site->foldedBytes), placeOf(*site));
    if (!site->foldable)
      text += ": kept: " + site->why;
    else if (site->phase > 0)
      text += fmt::format(": kept before phase {}: {}", site->phase, site->why);
    text += "\n";
  }
  return text;
}

std::string burstTable(const Report &report, bool complete) {
  std::string text = complete ? "" : Incomplete;
  text += fmt::format("{:>9} {:>9} {:>9} {:>10} {:>7} {:>7}  {}\n", "instances", "executed",
                      "skipped", "mean s", "spread", "share", "burst");
  for (size_t i : bySeconds(report)) {
    const ReportRow &row = report.rows[i];
    const uint64_t instances = row.executed + row.skipped;
    const std::string share =
        report.sharesKnown ? fmt::format("{:.1f} %", percent(row.seconds, report.computedSeconds))
                           : "?";
    text += fmt::format("{:>9} {:>9} {:>9} {:>10.3g} {:>5.1f} % {:>7}  {}", instances, row.executed,
                        row.skipped, row.seconds / static_cast<double>(instances),
                        100 * row.relativeSpread, share, place(row));
    if (!row.name.empty())
      text += " '" + row.name + "'";
    if (row.local)
      text += " [sampled on each rank]";
    if (row.outliers)
      text += fmt::format(" [{} of {} left out]", row.outliers, plural(row.samples, "sample"));
    if (!row.why.empty())
      text += (row.skippable ? ": executed: " : ": always run: ") + row.why;
    text += "\n";
  }
  text += holdingTable(report);
  text += foldingTable(report.folding);
  if (!report.sharesKnown)
    text += fmt::format("shares are not known: {}\n", noShares(report));
  if (report.preempted || report.faulted)
    text += fmt::format("samples disturbed: {} by other threads, {} by page faults\n",
                        report.preempted, report.faulted);
  return complete ? text : text + Incomplete;
}

} // namespace gnomon::output
