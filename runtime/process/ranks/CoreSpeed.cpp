// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/CoreSpeed.h"

#include "process/ranks/CycleClock.h"
#include "process/ranks/EqualWork.h"
#include "process/ranks/Simulation.h"
#include "support/Check.h"
#include "support/Hash.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gnomon::process {
namespace {

/// Additions and exclusive ors, as many at a time as a core of its own takes and a shared one does
/// not. Registers only.
[[gnu::noinline]] uint64_t mix(uint32_t rounds) {
  uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
  for (uint64_t i = 0; i < rounds; ++i) {
    a += b ^ i;
    b += c ^ i;
    c += d + i;
    d += e ^ i;
    e += f + i;
    f += a ^ i;
    asm volatile("" : "+r"(a), "+r"(b));
  }
  return a + b + c + d + e + f;
}

/// Multiplications, each of which waits for the one before.
[[gnu::noinline]] uint64_t multiply(uint32_t rounds) {
  uint64_t a = rounds | 1;
  for (uint32_t i = 0; i < rounds; ++i) {
    a *= 0x9e3779b97f4a7c15;
    asm volatile("" : "+r"(a));
  }
  return a;
}

/// The better of two: an interrupt meets one of them.
double betterOfTwo(uint64_t (*kernel)(uint32_t), uint32_t rounds) {
  double least = 0;
  for (int i = 0; i < 2; ++i) {
    const uint64_t begin = readCycles();
    asm volatile("" ::"r"(kernel(rounds)));
    const double seconds = cycleSeconds(begin, readCycles());
    least = i == 0 ? seconds : std::min(least, seconds);
  }
  return least;
}

double timeReference() { return betterOfTwo(mix, 2500); }
double timeChain() { return betterOfTwo(multiply, 800); }

/// Of the first instructions of a function.
uint64_t hashOf(uint64_t (*function)(uint32_t), size_t bytes) {
  uint64_t hash = 0;
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, reinterpret_cast<const char *>(function) + i, sizeof word);
    hash = mixed(hash, word);
  }
  return hash;
}

} // namespace

uint64_t coreKernels() {
  // Neither refers to anything outside of itself. A chain's loop and its end have some 32 bytes.
  constexpr size_t MixBytes = 128, MultiplyBytes = 32;
  return mixed(hashOf(mix, MixBytes), hashOf(multiply, MultiplyBytes));
}

void CoreSpeed::enable(Source source) {
  *this = CoreSpeed();
  source_ = source;
  choice_.enable(source.cores);
  periodCycles_ = static_cast<uint64_t>(Period / cycleSeconds(0, 1));
  // What the kernel takes at best shows on one of them, most likely.
  constexpr size_t MostCores = 8;
  constexpr int Times = 3;
  const uint32_t here = source.cores.current();
  std::vector<uint32_t> cores = source.cores.allowed();
  cores.resize(std::min(cores.size(), MostCores));
  cores.push_back(here);
  for (uint32_t core : cores) {
    if (core != source.cores.current())
      source.cores.move(core);
    for (int i = 0; i < Times; ++i)
      lookNow();
  }
  lately_ = latest_;
  figures_ = {};
  allSlowness_ = 0;
}

void CoreSpeed::lookNow() {
  // Twice that is no core's state: the thread was without it in both.
  constexpr double MostRatio = 3;
  const double reference = source_.reference(), chain = source_.chain();
  ownLeast_ = ownLeast_ == 0 ? reference : std::min(ownLeast_, reference);
  chain_ = chain_ == 0 ? chain : std::min(chain_, chain);
  // A core that was never the thread's own is slower by more than the ratio varies.
  constexpr double Shared = 1.15;
  const bool neverOwn = source_.ratio > 0 && ownLeast_ > Shared * source_.ratio * chain_;
  const double least = neverOwn ? source_.ratio * chain_ : ownLeast_;
  if (reference < MostRatio * least)
    note(reference / least);
  lookedAt_ = readCycles();
}

/// The kernel took \p ratio times its least time.
void CoreSpeed::note(double ratio) {
  constexpr double Weight = Period / 0.5, MostLooks = 500, LookWeight = 1.0 / 8;
  /// A mean of usual ones lies so far below the usual mean at most.
  constexpr double LeastExcess = -0.02;
  if (ratio < Noise) {
    usualLooks_ = std::min(usualLooks_ + 1, MostLooks);
    usual_ += (ratio - usual_) / usualLooks_;
  }
  constexpr double Unseen = 1.01; // of a core that was never the thread's alone
  const double excess = ratio / (usual_ > 0 ? usual_ : Unseen) - 1;
  const bool same = std::abs(excess - latest_) < Noise - 1;
  latest_ = std::max(LeastExcess, same ? latest_ + LookWeight * (excess - latest_) : excess);
  lately_ += Weight * (latest_ - lately_);
  sum_ += latest_;
  ++looks_;
  allSlowness_ += slowness();
  ++figures_.looks;
  figures_.moves += choice_.looked(1 + CoreFeel::Usual * std::max(0.0, excess));
}

double CoreSpeed::leaveOut(double metered, double feel) {
  constexpr double MostWeight = 2;
  if (!source_.reference)
    return 0;
  const double part = std::max(0.0, metered - metered_);
  // Of a short stretch, what is known is the latest look. Looks are fewer than they should be where
  // the program calls nothing and has no bursts.
  const double weight = std::clamp(part / Period - looks_, 0.0, MostWeight);
  const double excess = part < Period ? latest_ : (sum_ + weight * lately_) / (looks_ + weight);
  sum_ = latest_;
  looks_ = 1;
  wholeSeconds_ += part;
  wholeExcess_ += part * excess;
  const double leftOut = part * (1 - 1 / slowness(excess, feel));
  metered_ = metered - leftOut;
  figures_.leftOutSeconds += leftOut;
  return leftOut;
}

double CoreSpeed::end(double metered, uint64_t instructions, bool whole) {
  // Of a shorter stretch clocks and caches say more than the core.
  constexpr double LeastSeconds = 200e-6;
  const uint64_t work = whole ? countedSince(instructions_, instructions) : 0;
  const double leftOut = leaveOut(metered, feel_.of(work));
  if (wholeSeconds_ >= LeastSeconds)
    feel_.learn(work, wholeSeconds_, wholeExcess_ / wholeSeconds_, wholeSeconds_ / Period);
  return leftOut;
}

CoreSpeed::Figures CoreSpeed::figures() const {
  Figures figures = figures_;
  if (figures.looks > 0)
    figures.slowness = allSlowness_ / static_cast<double>(figures.looks);
  if (chain_ > 0)
    figures.ratio = ownLeast_ / chain_;
  return figures;
}

void keepSpeedSteady(CoreSpeed::Source source) {
  if (Simulation *running = simulation();
      running && running->settings.compute == ComputeMode::Measured)
    running->cores.enable(source);
}

void keepSpeedSteady(double ratio) {
  keepSpeedSteady({timeReference, timeChain, machineCores(), ratio});
}

CoreSpeed &coreSpeed() {
  CHECK(simulation(), "no simulation");
  return simulation()->cores;
}

CoreSpeed::Figures coreFigures() {
  return simulation() ? simulation()->cores.figures() : CoreSpeed::Figures();
}

} // namespace gnomon::process
