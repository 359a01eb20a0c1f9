// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/EqualWork.h"

#include "process/ranks/Simulation.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gnomon::process {
namespace {

/// What is more times as long, or as short, in a long stretch is no chance.
constexpr double MuchLonger = 2, LongSeconds = 200e-6;
/// How many stretches the work of half as many times counts for.
constexpr double Before = 4;
/// Stretches that say what a work, or a rank, takes.
constexpr uint64_t Enough = 4;
/// A mean follows the latest so many.
constexpr uint64_t MostKept = 256, MostKeptOfRank = 32;

} // namespace

uint64_t countedSince(uint64_t begin, uint64_t now) {
  return static_cast<int64_t>(now - begin) > 0 ? now - begin : 0;
}

uint32_t workOf(uint64_t instructions) {
  constexpr int Bits = 5; // 32 to an octave
  if (instructions < (1U << Bits))
    return static_cast<uint32_t>(instructions);
  const int octave = std::bit_width(instructions) - 1;
  const auto part = static_cast<uint32_t>(instructions >> (octave - Bits)) & ((1U << Bits) - 1);
  return (static_cast<uint32_t>(octave) << Bits) | part;
}

size_t EqualWork::roundOf(uint32_t times) { return static_cast<size_t>(std::bit_width(times)); }

EqualWork::Work &EqualWork::workFor(uint32_t number) {
  std::unique_ptr<Work> &work = works_[number];
  if (!work)
    work = std::make_unique<Work>();
  return *work;
}

void EqualWork::expect(std::span<const Earlier> earlier) {
  for (const Earlier &one : earlier) {
    workFor(one.work).rounds[one.round].earlier = EarlierMedian(one.perInstruction);
    figures_.earlierRuns =
        std::max(figures_.earlierRuns, static_cast<uint32_t>(one.perInstruction.size()));
  }
}

std::vector<EqualWork::Found> EqualWork::found() const {
  std::vector<Found> all;
  for (uint32_t number = 0; number < WorkNumbers; ++number)
    for (uint32_t i = 0; works_[number] && i < Rounds; ++i)
      if (const Round &round = works_[number]->rounds[i]; round.instructions > 0)
        all.push_back({{number, i}, round.seconds / round.instructions, round.seconds});
  return all;
}

/// What the work takes in the mean, a stretch of \p perInstruction included.
double EqualWork::expected(const Work &work, size_t round, double perInstruction) {
  const Mean &mean = work.rounds[round].mean;
  auto count = static_cast<double>(mean.count) + 1;
  double sum = static_cast<double>(mean.count) * mean.perInstruction + perInstruction;
  if (round > 0)
    if (const Mean &before = work.rounds[round - 1].mean;
        before.count > 0 && std::abs(perInstruction / before.perInstruction - 1) < Far) {
      sum += Before * before.perInstruction;
      count += Before;
    }
  return sum / count;
}

bool EqualWork::Mean::isApart(double seconds, uint64_t instructions) const {
  const double usual = perInstruction * static_cast<double>(instructions);
  return count > 0 && std::max(seconds, usual) > LongSeconds &&
         (seconds > MuchLonger * usual || usual > MuchLonger * seconds);
}

void EqualWork::Mean::add(double latest) {
  count = std::min(count + 1, MostKept);
  perInstruction += (latest - perInstruction) / static_cast<double>(count);
}

/// Whether it is apart, and those that the mean is of are not the fewer ones: else it begins again.
bool EqualWork::standsApart(Mean &mean, double seconds, uint64_t instructions) {
  if (!mean.isApart(seconds, instructions))
    return false;
  if (++mean.apart <= mean.count)
    return true;
  mean = {};
  return false;
}

/// \p alike: what this run alone would charge for it.
double EqualWork::chargeAs(double seconds, double alike, double byEarlier) {
  const double charged = std::max(alike * byEarlier, given_);
  figures_.movedSeconds += std::abs(alike - seconds) / 2;
  figures_.earlierSeconds += alike * (byEarlier - 1);
  return charged;
}

double EqualWork::chargeFor(uint32_t rank, uint64_t instructions, double seconds) {
  const uint64_t mine = countedSince(instructions_, instructions);
  latestWork_ = 0;
  latestInstructions_ = mine;
  if (!enabled_ || mine == 0 || !(seconds > 0))
    return seconds;
  const uint32_t number = workOf(mine);
  Work &work = workFor(number);
  if (rank >= work.ranks.size())
    work.ranks.resize(std::max<size_t>(rank + 1, 2 * work.ranks.size()));
  OfRank &own = work.ranks[rank];
  const size_t round = roundOf(own.times++);
  ++figures_.stretches;
  Round &all = work.rounds[round];
  if (standsApart(all.mean, seconds, mine))
    return seconds;
  const double perInstruction = seconds / static_cast<double>(mine);
  const double mean = expected(work, round, perInstruction);
  const double byEarlier = all.earlier.by(mean);
  const bool few = all.mean.count < Enough && !all.earlier.isKnown();
  all.mean.add(perInstruction);
  all.seconds += seconds;
  all.instructions += static_cast<double>(mine);
  const double off = perInstruction / mean - 1;
  const auto times = std::min<uint64_t>(own.times, MostKeptOfRank);
  own.deviation += (static_cast<float>(off) - own.deviation) / static_cast<float>(times);
  const bool reason = few || (own.times >= Enough && std::abs(own.deviation) > Far);
  if (std::abs(off) > Far && reason)
    return chargeAs(seconds, seconds, byEarlier);
  latestWork_ = number;
  return chargeAs(seconds, mean * static_cast<double>(mine), byEarlier);
}

void keepEqualWorkSteady(std::span<const EqualWork::Earlier> earlier) {
  Simulation *running = simulation();
  if (!running || running->settings.compute != ComputeMode::Measured ||
      running->settings.hosts.size() > EqualWork::MostRanks)
    return;
  running->equalWork.enable();
  running->equalWork.expect(earlier);
}

EqualWork::Figures equalWorkFigures() {
  return simulation() ? simulation()->equalWork.figures() : EqualWork::Figures();
}

std::vector<EqualWork::Found> equalWorkFound() {
  return simulation() ? simulation()->equalWork.found() : std::vector<EqualWork::Found>();
}

} // namespace gnomon::process
