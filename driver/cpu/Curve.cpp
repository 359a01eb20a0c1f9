// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/Curve.h"

#include "cpu/Kernels.h"
#include "support/Error.h"
#include "support/ReferenceKernel.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <ctime>
#include <memory>
#include <sched.h>
#include <system_error>
#include <thread>

namespace gnomon::cpu {
namespace {

using Clock = std::chrono::steady_clock;

double threadCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void pinTo(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  // Where that is not permitted the scheduler chooses.
  sched_setaffinity(0, sizeof set, &set);
}

/// What one copy saw.
struct Sample {
  double work = 0, cpuSeconds = 0, wallSeconds = 0;
};

/// Runs until the time is over; the first quarter fills caches and is not counted.
Sample runCopy(Kernel &kernel, std::barrier<> &start, double seconds) {
  start.arrive_and_wait();
  const Clock::time_point begin = Clock::now();
  while (since(begin) < seconds / 4)
    kernel.step();
  Sample sample;
  const double cpuBefore = threadCpuSeconds(), wallBefore = since(begin);
  do // one step at least, also where others had the core all the time
    sample.work += kernel.step();
  while (since(begin) < seconds * 5 / 4);
  sample.cpuSeconds = threadCpuSeconds() - cpuBefore;
  sample.wallSeconds = since(begin) - wallBefore;
  return sample;
}

/// The copies of one kernel, by core. Each is made by the first thread that needs it, so that its
/// memory is near that thread's core.
using Copies = std::vector<std::unique_ptr<Kernel>>;

std::vector<Sample> runCopies(const Curve &curve, Copies &copies, int busy,
                              const Processors &processors, double seconds) {
  std::vector<Sample> samples(static_cast<size_t>(busy));
  std::barrier start(busy);
  std::vector<std::jthread> threads;
  try {
    for (int i = 0; i < busy; ++i)
      threads.emplace_back([&, i] {
        const auto place = static_cast<size_t>(i);
        pinTo(processors.numbers[place]);
        if (!copies[place])
          copies[place] = std::make_unique<Kernel>(curve.kernel, curve.workingSetBytes);
        samples[place] = runCopy(*copies[place], start, seconds);
      });
  } catch (const std::system_error &error) {
    // Those that have started wait for the others.
    for (size_t missing = static_cast<size_t>(busy) - threads.size(); missing > 0; --missing)
      start.arrive_and_drop();
    throw InputError("", 0,
                     std::string("calibrate cpu: a thread cannot be started: ") + error.what());
  }
  threads.clear();
  return samples;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Rates by repetition, for one number of copies.
struct Rates {
  std::vector<double> rates;
  double cpuShare = 1;

  void add(const std::vector<Sample> &samples) {
    double sum = 0;
    for (const Sample &sample : samples) {
      sum += sample.work / std::max(sample.cpuSeconds, 1e-9);
      cpuShare = std::min(cpuShare, sample.cpuSeconds / std::max(sample.wallSeconds, 1e-9));
    }
    rates.push_back(sum / static_cast<double>(samples.size()));
  }
};

void finish(Curve &curve, const std::vector<int> &busy, const std::vector<Rates> &all) {
  for (size_t i = 0; i < busy.size(); ++i) {
    const auto [least, greatest] = std::minmax_element(all[i].rates.begin(), all[i].rates.end());
    const double rate = median(all[i].rates), alone = median(all[0].rates);
    curve.points.push_back(
        {busy[i], rate, alone / rate, (*greatest - *least) / rate, all[i].cpuShare});
  }
}

} // namespace

std::vector<int> busyNumbers(int cores) {
  constexpr int Dense = 16;
  std::vector<int> numbers;
  const int step = std::max(1, (cores - Dense) / Dense);
  for (int busy = 1; busy < cores; busy += busy < Dense ? 1 : step)
    numbers.push_back(busy);
  numbers.push_back(std::max(cores, 1));
  return numbers;
}

std::vector<Curve> measureCurves(const Processors &processors, const Plan &plan) {
  const std::vector<int> busy = busyNumbers(processors.cores);
  std::vector<Curve> curves(Kernels.size());
  std::vector<std::vector<Rates>> rates(Kernels.size(), std::vector<Rates>(busy.size()));
  std::vector<Copies> copies(Kernels.size());
  for (Copies &ofKernel : copies)
    ofKernel.resize(static_cast<size_t>(busy.back()));
  // Repetitions outside: what drifts meanwhile meets all numbers alike.
  for (int repetition = 0; repetition < plan.repetitions; ++repetition)
    for (size_t k = 0; k < Kernels.size(); ++k) {
      curves[k].kernel = k;
      if (repetition == 0)
        curves[k].workingSetBytes =
            workingSetBytes(k, processors, static_cast<size_t>(busy.back()));
      for (size_t i = 0; i < busy.size(); ++i)
        rates[k][i].add(runCopies(curves[k], copies[k], busy[i], processors, plan.sampleSeconds));
    }
  for (size_t k = 0; k < Kernels.size(); ++k)
    finish(curves[k], busy, rates[k]);
  return curves;
}

double nominalSpeed(double seconds) {
  constexpr int Rounds = 200000;
  static volatile double keep = 1;
  double best = 1e30;
  const Clock::time_point begin = Clock::now();
  do {
    const double before = threadCpuSeconds();
    keep = runReferenceKernel(keep, Rounds);
    best = std::min(best, threadCpuSeconds() - before);
  } while (since(begin) < seconds);
  return ReferenceFlopsPerRound * Rounds / std::max(best, 1e-9);
}

} // namespace gnomon::cpu
