// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/EqualWork.h"

#include "process/ranks/Simulation.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gnomon::process {
namespace {

/// What lies nearer to the mean is the host's chance: of EP, CG, MG and FT on 16 ranks, the ranks'
/// means lie within 0.14 of each other (docs/adr/0031).
constexpr double Far = 0.15;
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

EqualWork::Work &EqualWork::workFor(uint32_t rank, uint64_t instructions) {
  std::unique_ptr<Work> &work = works_[workOf(instructions)];
  if (!work)
    work = std::make_unique<Work>();
  if (rank >= work->ranks.size())
    work->ranks.resize(std::max<size_t>(rank + 1, 2 * work->ranks.size()));
  return *work;
}

/// What the work takes in the mean, a stretch of \p perInstruction included.
double EqualWork::expected(const Work &work, size_t round, double perInstruction) {
  const Mean &mean = work.rounds[round];
  auto count = static_cast<double>(mean.count) + 1;
  double sum = static_cast<double>(mean.count) * mean.perInstruction + perInstruction;
  if (round > 0)
    if (const Mean &before = work.rounds[round - 1];
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

double EqualWork::charge(uint32_t rank, uint64_t instructions, double seconds) {
  const uint64_t mine = countedSince(instructions_, instructions);
  latestWork_ = 0;
  latestInstructions_ = mine;
  if (!enabled_ || mine == 0 || !(seconds > 0))
    return seconds;
  Work &work = workFor(rank, mine);
  OfRank &own = work.ranks[rank];
  const size_t round = roundOf(own.times++);
  ++figures_.stretches;
  Mean &all = work.rounds[round];
  if (standsApart(all, seconds, mine))
    return seconds;
  const double perInstruction = seconds / static_cast<double>(mine);
  const double mean = expected(work, round, perInstruction);
  const bool few = all.count < Enough;
  all.add(perInstruction);
  const double off = perInstruction / mean - 1;
  const auto times = std::min<uint64_t>(own.times, MostKeptOfRank);
  own.deviation += (static_cast<float>(off) - own.deviation) / static_cast<float>(times);
  const bool reason = few || (own.times >= Enough && std::abs(own.deviation) > Far);
  if (std::abs(off) > Far && reason)
    return seconds;
  latestWork_ = workOf(mine);
  const double charged = std::max(mean * static_cast<double>(mine), given_);
  figures_.movedSeconds += std::abs(charged - seconds) / 2;
  return charged;
}

void keepEqualWorkSteady() {
  if (Simulation *running = simulation(); running &&
                                          running->settings.compute == ComputeMode::Measured &&
                                          running->settings.hosts.size() <= EqualWork::MostRanks)
    running->equalWork.enable();
}

EqualWork::Figures equalWorkFigures() {
  return simulation() ? simulation()->equalWork.figures() : EqualWork::Figures();
}

} // namespace gnomon::process
