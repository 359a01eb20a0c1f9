// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/ProgressLine.h"

#include "process/ranks/StatusLine.h"
#include "process/ranks/World.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::replay {

namespace {

/// "3.41 M": three digits.
std::string rateText(double actionsPerSecond) {
  if (actionsPerSecond >= 999.5e3)
    return fmt::format("{:.3g} M", actionsPerSecond / 1e6);
  return actionsPerSecond >= 999.5 ? fmt::format("{:.3g} k", actionsPerSecond / 1e3)
                                   : fmt::format("{:.3g}", actionsPerSecond);
}

} // namespace

void ProgressLine::show(uint64_t played) {
  const double now = process::wallSeconds();
  if (now - shownAt_ >= IntervalSeconds)
    process::showStatus(text(played, process::world().engine.now().seconds, now));
}

std::string ProgressLine::text(uint64_t played, double simulatedSeconds, double now) {
  const double rate = static_cast<double>(played - shown_) / std::max(now - shownAt_, 1e-9);
  shown_ = played;
  shownAt_ = now;
  const double whole = static_cast<double>(total_), done = static_cast<double>(played);
  std::string line =
      fmt::format("gnomon replay: {:.0f} %, {:.6g} s simulated, {} actions/s",
                  whole > 0 ? 100 * done / whole : 100, simulatedSeconds, rateText(rate));
  if (played > 0 && played < total_)
    line += fmt::format(", {:.0f} s left", (now - beganAt_) / done * (whole - done));
  return line;
}

} // namespace gnomon::replay
