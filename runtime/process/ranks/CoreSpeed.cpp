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

double timeReference() { return betterOfTwo(mix, 1250); }
/// Long enough that reading the counter hardly shows: a clock is told to a per cent.
double timeChain() { return betterOfTwo(multiply, 1500); }

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
  shareFeel_ = CoreFeel(source.known.feel);
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
  clock_.begin();
  share_.begin();
  figures_ = {};
  allSlowness_ = allCorrected_ = 0;
}

double CoreSpeed::usualChain() const {
  if (source_.known.chainSeconds > 0)
    return source_.known.chainSeconds;
  return chainLooks_ / chainSum_;
}

double CoreSpeed::clockNow() { return source_.chain() / usualChain(); }

void CoreSpeed::lookNow() {
  // A clock is steady to less than this.
  constexpr double Steady = 0.02;
  const double reference = source_.reference(), chain = source_.chain();
  const double steady = noteClock(chain);
  if (std::abs(chain / steady - 1) < Steady)
    noteRatio(reference / chain);
  lookedAt_ = readCycles();
}

/// Returns what the chain takes at the clock of now.
double CoreSpeed::noteClock(double chain) {
  const double steady = chains_.add(chain);
  chainSum_ += 1 / steady;
  ++chainLooks_;
  clock_.note(steady / usualChain() - 1);
  return steady;
}

void CoreSpeed::noteRatio(double ratio) {
  // Twice that is no core's state: the thread was without it in both.
  constexpr double MostRatio = 3;
  // A core that was never the thread's own is slower by more than the ratio varies.
  constexpr double Shared = 1.15;
  constexpr double MostLooks = 500;
  /// A mean of usual ones lies so far below the usual mean at most.
  constexpr double LeastExcess = -0.02;
  ownLeast_.add(ratio);
  const double known = source_.known.ratio, own = ownLeast_.value();
  const double least = known > 0 && own > Shared * known ? known : own;
  const double byLeast = ratio / least;
  if (byLeast >= MostRatio)
    return;
  if (byLeast < Noise) {
    usualLooks_ = std::min(usualLooks_ + 1, MostLooks);
    usualRatio_ += (byLeast - usualRatio_) / usualLooks_;
  }
  constexpr double Unseen = 1.01; // of a core that was never the thread's alone
  const double excess = byLeast / (usualRatio_ > 0 ? usualRatio_ : Unseen) - 1;
  share_.note(sharedBy(std::max(LeastExcess, excess)));
  const double now = slowness();
  allSlowness_ += now;
  allCorrected_ += std::abs(1 - 1 / now);
  ++figures_.looks;
  // What a program feels that feels much of it: to move costs little.
  constexpr double MuchFelt = 1.2;
  figures_.moves += choice_.looked(1 + MuchFelt * std::max(0.0, excess));
}

double CoreSpeed::leaveOut(double metered, Feel feel) {
  if (!source_.reference)
    return 0;
  const double part = std::max(0.0, metered - metered_);
  const double periods = part / Period;
  const double clock = clock_.over(periods), share = share_.over(periods);
  clock_.leave();
  share_.leave();
  wholeSeconds_ += part;
  wholeClock_ += part * clock;
  wholeShare_ += part * share;
  const double leftOut = part * (1 - 1 / slowness(clock, share, feel));
  metered_ = metered - leftOut;
  figures_.leftOutSeconds += leftOut;
  return leftOut;
}

double CoreSpeed::end(double metered, uint64_t instructions, bool whole) {
  // Of a shorter stretch clocks and caches say more than the core.
  constexpr double LeastSeconds = 200e-6;
  const uint64_t work = whole ? countedSince(instructions_, instructions) : 0;
  const Feel feel{clockFeel_.of(work), shareFeel_.of(work)};
  const double leftOut = leaveOut(metered, feel);
  if (wholeSeconds_ < LeastSeconds)
    return leftOut;
  // Each learns from what the other does not explain.
  const double clock = wholeClock_ / wholeSeconds_, share = wholeShare_ / wholeSeconds_;
  const double looks = wholeSeconds_ / Period;
  clockFeel_.learn(work, wholeSeconds_ / (1 + feel.share * share), clock, looks);
  shareFeel_.learn(work, wholeSeconds_ / (1 + feel.clock * clock), share, looks);
  return leftOut;
}

CoreSpeed::Figures CoreSpeed::figures() const {
  Figures figures = figures_;
  if (const auto looks = static_cast<double>(figures.looks); looks > 0) {
    figures.slowness = allSlowness_ / looks;
    figures.corrected = allCorrected_ / looks;
  }
  figures.ratio = ownLeast_.value();
  figures.feel = shareFeel_.learned();
  if (chainSum_ > 0)
    figures.chainSeconds = chainLooks_ / chainSum_;
  return figures;
}

void keepSpeedSteady(CoreSpeed::Source source) {
  if (Simulation *running = simulation();
      running && running->settings.compute == ComputeMode::Measured)
    running->cores.enable(source);
}

void keepSpeedSteady(CoreSpeed::Known known) {
  keepSpeedSteady({timeReference, timeChain, machineCores(), known});
}

CoreSpeed &coreSpeed() {
  CHECK(simulation(), "no simulation");
  return simulation()->cores;
}

CoreSpeed::Figures coreFigures() {
  return simulation() ? simulation()->cores.figures() : CoreSpeed::Figures();
}

} // namespace gnomon::process
