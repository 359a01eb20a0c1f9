// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rank's computation. The meter counts what the rank's own code does between leaveRuntime and
/// enterRuntime: CPU seconds of the thread, or instructions that the modules count. With m the
/// meter's difference, o what the hooks of bursts themselves took of it, k the cost of one unit of
/// the meter, and s what skipped bursts would have cost,
///   cost = k (m − o) + s
///   simulated seconds = cost × f / target speed                        (Host::speedFlops)
/// and by --compute
///   measured   m in seconds but for what PageCost.h takes out, k = 1, f = Settings::hostSpeedFlops
///   counted    m in instructions, k = 1, f = Settings::flopsPerInstruction
///   profile    m in instructions, k = seconds per instruction of the running code, f = host speed
///              of the recording
/// played as cost × f flops of the rank's simulated host by the compute model. Computations below
/// the threshold add up until together they reach it. Readings of clocks cost fixed simulated
/// seconds on top.
#pragma once

#include "models/NetworkModel.h"

#include <cstdint>

namespace gnomon {
struct SimTime;
}

namespace gnomon::process {

class Rank;
class VolumeTally;
namespace burst {
struct RankState;
}

/// MXCSR of a new process: all exceptions masked, none signalled, round to nearest.
inline constexpr uint32_t DefaultFloatControl = 0x1f80;

/// What each thread of a rank has of its own in the rank's clock (Threads.h).
struct ThreadClock {
  uint32_t floatControl = DefaultFloatControl; ///< the thread's MXCSR while the runtime runs
  uint32_t depth = 0;                          ///< of enterRuntime; 0: the user's code runs
  double startedAt = 0;                        ///< reading of the meter when the computation began
  double own = 0; ///< of the meter since then: the hooks', not the program's
};

class BurstClock {
public:
  // What is measured and charged: for whoever skips parts of a computation (Skipping.h), which
  // changes nothing else here.

  /// Whether the user's code runs, not the runtime.
  bool inProgram() const { return thread_.depth == 0; }
  /// Whether the rank has a clock (ranks of some unit tests have none).
  bool runs() const { return running_; }
  /// How often the rank has entered the runtime.
  uint32_t entries() const { return entries_; }
  /// How far the program's code has moved the meter, which stands at \p reading, since the
  /// computation began: m − o.
  double metered(double reading) const { return reading - thread_.startedAt - thread_.own; }
  /// \p reading of the meter was not the program's.
  void takeOut(double reading) { thread_.own += reading; }
  /// What pages and the core's slowness took of the computation up to \p reading was not the program's.
  void takeOutHost(double reading);
  /// Something that was skipped would have cost \p cost.
  void charge(double cost) { skipped_ += cost; }
  double costPerReading() const { return costPerReading_; }
  /// From now on a unit of the meter costs \p costPerReading, and the code moves memory in a part
  /// \p memoryShare of its time (models/Slowness.h).
  void changeRate(double costPerReading, double memoryShare);
  /// Of what was charged or given, \p cost moved memory in such a part of its time.
  void noteMemory(double cost, double memoryShare) {
    if (memoryShare < 0)
      return;
    knownCost_ += cost;
    memoryCost_ += cost * memoryShare;
  }
  /// A unit costs that from the rank's start on.
  void startAtRate(double costPerReading) { costPerReading_ = costPerReading; }
  /// To whoever records the run: what is computed from now on is of \p part (VolumeSink). \p ahead, 0 or more: so many
  /// instructions are counted that have not run. Returns true, for hooks that end with it.
  bool tellFromNowOn(const Rank &rank, uint32_t part, int64_t ahead = 0);
  /// Where the hooks of this stretch have told by CountedStretch: from now on they go the long way.
  void goLongWay(const Rank &rank);
  /// From now on they need not, if nothing else is left to be told.
  bool leaveLongWay();
  /// What an instance of \p part had, and the code before it, by CountedStretch.
  void tellInstance(uint32_t part, double between, double inside);
  /// What charge() was told last was of \p part.
  void tellSkipped(const Rank &rank, uint32_t part, double cost);
  /// Simulated seconds charged so far.
  double chargedSeconds() const { return computedSeconds_; }
  /// What whoever skips keeps for the rank; null: its computation is left alone.
  burst::RankState *bursts() const { return bursts_; }
  void setBursts(burst::RankState *state) { bursts_ = state; }

  // For the rank's life: process/ranks/World.h says what each is for.

  /// The rank gets a clock; the runtime runs until its code begins.
  void start();
  void enter(Rank &rank);
  /// Whether the user's code runs again.
  bool leave(const Rank &rank);
  SimTime date(const Rank &rank);
  double read(const Rank &rank);
  double computedSeconds(const Rank &rank) const;
  /// Of a replay, whose ranks are in the runtime: a part of a computation.
  void addGiven(double cost) { carried_ += cost; }
  /// The computation ends, and takes its time: what is below the threshold is carried on to the next.
  void computeGiven(Rank &rank);
  /// The same for a rank without a stack to wait on: whether its present fiber will be woken at the
  /// end. Otherwise there is nothing to wait for.
  bool startGiven(Rank &rank);
  /// It has read clocks so often.
  void readGiven(uint32_t readings);
  /// Until the matching letGo the rank counts as inside the runtime.
  void holdStill() { ++thread_.depth; }
  void letGo() { --thread_.depth; }
  const ThreadClock &thread() const { return thread_; }
  void setThread(const ThreadClock &thread) { thread_ = thread; }

private:
  double unchargedCostAt(double reading) const;
  double unchargedCost() const;
  double unchargedSeconds(const Rank &rank) const;
  void takeOutHostSoFar(const Rank &rank);
  void takeOutHostAtEnd(const Rank &rank, double reading);
  void chargeComputation(Rank &rank);
  bool startCarried(Rank &rank);
  void playCarried(Rank &rank);
  void sleepPending();
  bool tellOther(const Rank &rank, uint32_t part, int64_t ahead);
  [[gnu::noinline]] void openInstance(const Rank &rank);
  void tell(const Rank &rank, double reading);
  void beginStretch();

  ThreadClock thread_;
  double costPerReading_ = 1;                           ///< of the meter, for the code that runs
  double memoryShare_ = models::ComputeModel::NotKnown; ///< of the code that runs
  /// Not yet charged: cost of which the share is known, and what of it moved memory.
  double knownCost_ = 0, memoryCost_ = 0;
  double carried_ = 0; ///< cost below the threshold, or of code at another rate: not yet charged
  double skipped_ = 0; ///< cost of skipped instances of bursts, not yet charged
  double pendingSeconds_ = 0;  ///< simulated seconds of clock readings, not yet charged
  double computedSeconds_ = 0; ///< simulated, charged so far
  double lastReading_ = 0;     ///< of the rank's clock: readings never decrease
  bool running_ = false;
  uint32_t entries_ = 0;
  uint32_t readings_ = 0; ///< of clocks, whose seconds are pending
  // Of a recorded run: what of the present computation has been told, and of which part the rest is.
  double toldMetered_ = 0, toldSkipped_ = 0;
  uint64_t toldInstructions_ = 0;
  uint32_t part_ = 0;
  VolumeTally *tally_ =
      nullptr; ///< the rank's, where instructions are all that is told; null: not yet known
  burst::RankState *bursts_ = nullptr;
};

/// CPU seconds of this thread.
double threadCpuSeconds();
/// What a reading of that clock takes at least, in seconds: two readings in a row differ by it. A
/// system call, half a microsecond on a virtual machine. Measured at the first call.
double threadClockReadingSeconds();

/// Whether computation takes simulated time in this run: every call of the runtime asks, so it is
/// decided when the world is made.
inline constinit bool computationHasCost = false;
inline bool computationCosts() { return computationHasCost; }
/// The meter of the running simulation: seconds or instructions. 0 where computation costs nothing.
double meterReading();
/// What one unit of cost is worth in flop.
double flopsPerCost();

/// Flop/s of one core of this machine: a chain of fused multiply-adds, best of several short runs
/// (at most about 30 ms together). Measured at the first call.
double measuredHostSpeed();

} // namespace gnomon::process
