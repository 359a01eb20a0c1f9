// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How launch makes the ranks and runs them:
///   Settings settings = …;
///   World &world = createWorld(engine, platform, network, protocol, compute, settings, sink);
///   Outcome outcome = runRanks(world);
/// Everything else about ranks stands in process/ranks/Rank.h.
#pragma once

#include "process/ranks/Job.h"
#include "process/ranks/Rank.h"
#include "process/ranks/Skipping.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::process {

class InputFiles;

enum class ComputeMode : uint8_t {
  None,     ///< bursts take no simulated time; no clock is read
  Measured, ///< CPU time of the thread × host speed / target speed
  Counted,  ///< instructions that the program's modules have counted
  Profile,  ///< counted instructions × the seconds that each took in an earlier run
};

struct Settings {
  /// Started by `gnomon run`. Otherwise the program runs alone, as one rank: its standard streams,
  /// process id, host name and child processes are the real ones.
  bool launched = false;
  std::vector<platform::HostIndex> hosts; ///< of each rank; its length is the number of ranks
  /// Where ranks that start later are placed: rank n on slot n, and round again.
  std::vector<platform::HostIndex> slots;
  /// Programs of the first job beside the one that the process was started as, whose ranks come
  /// after its.
  std::vector<JobPart> companions;
  ComputeMode compute = ComputeMode::Measured;
  double hostSpeedFlops = 0; ///< of one core of this machine, flop/s; 0: measured when first needed
  double flopsPerInstruction = 1; ///< ComputeMode::Counted: what an instruction is played as
  SkippingMaker skipping;         ///< empty: nothing is skipped
  double cpuThresholdSeconds =
      1e-6; ///< shorter bursts add up until they reach it (SMPI's smpi/cpu-threshold)
  double wtimeSeconds = 1e-8; ///< what one reading of a clock costs (SMPI's smpi/wtime)
  double timeoutSeconds = 0;  ///< wall time after which the run stops; 0: never
  double stallSeconds = 600; ///< wall time that a rank may compute without calling MPI; 0: for ever
  bool quiet = false;        ///< notes are not wanted
  std::shared_ptr<InputFiles> inputs; ///< null: nobody asks which files the ranks read
  uint32_t pidBase = 0;               ///< process id of rank 0; 0: this process's
  int argc = 0;
  char **argv = nullptr;
  char **envp = nullptr;
};

/// Where the ranks' standard output and error go. Implemented by room output.
class OutputSink {
public:
  virtual ~OutputSink() = default;
  /// Whole lines (or the rest of a rank's output at its end), written at simulated date \p date to
  /// \p descriptor, 1 or 2. Dates of one rank never decrease.
  virtual void write(SimTime date, int descriptor, std::string_view text) = 0;
  /// Writes out everything accepted so far, even what is dated later than now.
  virtual void flushAll() = 0;
  /// Writes out what is due; called about once a second from the watchdog's thread.
  virtual void flushDue() = 0;
};

/// Why the simulation ended.
struct Outcome {
  enum class Kind : uint8_t {
    Finished, ///< every rank ended
    Deadlock, ///< no event is left and ranks wait
    Aborted,  ///< MPI_Abort, a fatal error, a signal, a crash, a time limit
  };
  Kind kind = Kind::Finished;
  /// Of the process: the first nonzero code by simulated time, or the one given to abortWorld. 0
  /// for a deadlock of ranks that all did well: the caller chooses ExitCode::Deadlock.
  int exitCode = 0;
  SimTime endedAt; ///< the latest date that a rank reached
};

/// What launch does when the process must end in the middle (crash, time limit, Ctrl-C): the
/// summary, marked INCOMPLETE. Called at most once, possibly from a signal handler on an alternate
/// stack; after the end of the ranks too, until it is set to null.
using Finisher = void (*)(const Outcome &outcome);
void setFinisher(Finisher finisher);

/// Says for every rank where it is: printed at SIGUSR1 and when a time limit ends the run. Set by
/// launch.
using StateReporter = std::string (*)(const World &world);
void setStateReporter(StateReporter reporter);

/// What the simulator holds memory for, for the message when there is none left: "; 5 messages …".
void setMemoryUse(std::string (*use)());

/// Builds the ranks and installs the switch hook. \p sink may be null: the standard streams are
/// left alone. One world per process at a time; it lives until the process ends or destroyWorld.
World &createWorld(kernel::Engine &engine, const platform::Platform &platform,
                   models::NetworkModel &network, models::ProtocolCosts &protocol,
                   models::ComputeModel &compute, Settings settings, OutputSink *sink);
/// Runs the program's main on every rank, to the end.
Outcome runRanks(World &world);
void destroyWorld();

const Settings &settings();
/// Of the running simulation; null where nobody asks which files the ranks read.
InputFiles *inputFiles();
OutputSink *outputSink();

/// For unit tests of upper rooms: declares \p world the running one, without globals, libc state or
/// clocks. Null takes it back.
void setWorldForTest(World *world);

/// Stops a program that a real mpirun started: with exit code 2 and a message when their
/// environment variables are there, the program uses MPI, and `gnomon run` did not start it.
void refuseRealLauncher();

/// Simulated seconds since the start as the program on \p rank reads it now: the running burst
/// included, never decreasing. Each reading costs Settings::wtimeSeconds, charged at the
/// rank's next call of the runtime.
double readClock(Rank &rank);
/// Simulated seconds that \p rank has computed.
double computedSeconds(Rank &rank);
/// Now, with the running burst, but free of charge: for the dates of output lines.
SimTime dateOf(Rank &rank);

/// Wall clock and CPU time of this process, whatever clock functions the program sees.
double wallSeconds();
double processCpuSeconds();
/// The most physical memory that this program has held, since it became one (not its launcher
/// before), with the kernel's tables of its pages. The kernel counts a page of shared memory once for each address that
/// shows it: what that adds now, to the \p sharedBytes that there are and the initial values that ranks have in common,
/// is taken out.
uint64_t peakResidentBytes(uint64_t sharedBytes = 0);

/// Writes \p text to the real standard error at once, after the ranks' output up to now.
void printError(std::string_view text);

} // namespace gnomon::process
