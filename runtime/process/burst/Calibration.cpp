// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Calibration.h"

#include <algorithm>

namespace gnomon::process::burst {
namespace {

/// Samples are not off by so much: something else took the time.
constexpr double MostOff = 3;

} // namespace

bool Calibration::add(uint32_t first, double seconds, std::span<const Term> terms) {
  double predicted = 0;
  for (const Term &term : terms)
    predicted += term.rate * term.work;
  if (predicted <= 0 || seconds > MostOff * predicted || seconds < predicted / MostOff)
    return false;
  for (const Term &term : terms) {
    if (term.kind >= parts_.size())
      parts_.resize(term.kind + 1);
    std::vector<Part> &parts = parts_[term.kind];
    auto part =
        std::find_if(parts.begin(), parts.end(), [&](const Part &p) { return p.first == first; });
    if (part == parts.end())
      part = parts.insert(parts.end(), Part{.first = first});
    const double share = term.rate * term.work / predicted;
    part->seconds += seconds * share;
    part->shares += share;
    part->predicted += term.rate * term.work;
    part->work += term.work;
  }
  return true;
}

uint64_t Calibration::addRest(uint32_t first, double seconds) {
  if (first >= rests_.size())
    rests_.resize(first + 1);
  Rest &rest = rests_[first];
  rest.seconds += seconds;
  return ++rest.count;
}

double Calibration::rest(uint32_t first) const {
  if (first >= rests_.size() || rests_[first].count == 0)
    return 0;
  return rests_[first].seconds / static_cast<double>(rests_[first].count);
}

double Calibration::rate(uint32_t kind) const {
  if (kind >= parts_.size())
    return 0;
  double seconds = 0, predicted = 0, work = 0;
  for (const Part &part : parts_[kind]) {
    seconds += part.seconds - rest(part.first) * part.shares;
    predicted += part.predicted;
    work += part.work;
  }
  // A rest greater than the whole is another stretch's.
  return work > 0 ? std::max(seconds, predicted / MostOff) / work : 0;
}

} // namespace gnomon::process::burst
