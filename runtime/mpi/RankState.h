// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The MPI state of one rank, and the Runtime that all ranks share. Made by setUp before the ranks
/// start.
#pragma once

#include "mpi/Attribute.h"
#include "mpi/Checks.h"
#include "mpi/Error.h"
#include "mpi/Handle.h"
#include "mpi/comm/Comm.h"
#include "mpi/request/Request.h"
#include "p2p/Fabric.h"
#include "process/ranks/Job.h"
#include "process/ranks/Rank.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gnomon::mpi {

/// What SMPI's keys set beside the models' parameters.
struct Settings {
  /// smpi/grow-injected-times: SMPI's rule of polls (request/Polling.h); nothing: not said.
  std::optional<bool> growInjectedTimes = {};
  bool finalizeBarrier = false; ///< smpi/barrier-finalization
  /// gnomon/spawn-time: from MPI_Comm_spawn at the root to the first steps of the new ranks, in
  /// simulated seconds.
  double spawnSeconds = 0;
  int universeSize = 0; ///< slots of the machine (MPI_UNIVERSE_SIZE); 0: as many as ranks
  Checks checks = {};   ///< --check

  bool pollsGrow() const { return growInjectedTimes.value_or(false); }
  /// Turns of loops that wait for memory grow unless that was refused.
  bool spinsGrow() const { return growInjectedTimes.value_or(true); }
};

/// Objects of one kind that ranks have not freed.
struct Leak {
  uint64_t count = 0;
  uint32_t ranks = 0, firstRank = 0;
  const void *site = nullptr; ///< where the first was made
};

class PartitionedPairs;
class PollLoop; // request/PollLoop.h
class Ports;    // Ports.h: where groups of processes find each other
struct ToolState;
class ToolVariables;
class Meetings; // comm/Creation.h: ranks that make a communicator together

/// What all ranks share.
struct Runtime {
  Runtime(process::World &world, const Settings &settings);
  ~Runtime();

  process::World &world;
  Settings settings;
  p2p::Fabric fabric;
  RequestPools requests;
  uint32_t nextCommId = 0;
  std::unique_ptr<Meetings> meetings;
  std::unique_ptr<PartitionedPairs> partitioned;
  std::unique_ptr<Ports> ports;
  std::unique_ptr<ToolVariables> toolVariables;
  Leak leaks[HandleKindCount];
  CheckNotes notes;
  uint64_t pollsWithoutProgress = 0, progressAtLastPoll = 0; ///< Polling.h
  /// Told of each done receive that has a tracePlace or a recordNumber, before its request ends; null: no trace.
  void (*received)(Request &request) = nullptr;
};

enum class Phase : uint8_t { BeforeInit, Initialized, Finalized };

class alignas(64) RankState {
public:
  RankState(Runtime &runtime, process::Rank &rank);
  ~RankState();

  Runtime &runtime;
  process::Rank &rank;
  Phase phase = Phase::BeforeInit; ///< Initialized while MPI_Init or a session keeps MPI
  int threadLevel = 0;             ///< the ABI's MPI_THREAD_*
  /// In place: with what is above, what a message reads here fills two cache lines.
  std::optional<Comm> world;
  /// MPI_COMM_SELF, which most programs never name: made when first asked for.
  Comm &self() { return self_ ? *self_ : makeSelf(); }
  /// Null before that.
  Comm *selfIfMade() const { return self_.get(); }
  HandleTable tables[HandleKindCount];

  // Polling (Polling.h): failed polls in a row, and since the simulation last made progress.
  uint64_t failedTests = 0, failedTestanys = 0, failedProbes = 0;
  /// Simulated time in which the rank, or a thread of it, paid for polls; the end of the last one.
  double polledSeconds = 0, polledUntil = 0;
  std::unique_ptr<PollLoop> pollLoop; ///< null before the first poll that fails

  static constexpr int FirstKeyval = 0x1000;
  /// An error class or code that the user added.
  struct UserError {
    int errorClass;
    std::string text;
  };
  /// What few ranks ever have.
  struct Rare {
    std::vector<Keyval *> keyvals; ///< by number - FirstKeyval
    std::unordered_map<const Datatype *, AttributeSet> typeAttributes;
    std::map<int, UserError> userErrors; ///< by code
    // The error that an implementation is about to return (fail()).
    std::string failure;
    Comm *failureComm = nullptr;
    ErrorTarget failureTarget;
    /// Requests that the user freed while they were active; swept when they are done.
    std::vector<Request *> orphans;
    AttachedBuffer attached; ///< of MPI_Buffer_attach
  };
  Rare &rare() { return rare_ ? *rare_ : makeRare(); }
  /// Null before rare() was called.
  const Rare *rareIfMade() const { return rare_.get(); }

  int lastUsedCode = MPI_ERR_LASTCODE; ///< of userErrors
  // What predefinedAttribute points to.
  int universeSize = 0, lastUsedCodeValue = 0, appNumber = 0;

  Phase worldPhase = Phase::BeforeInit; ///< of MPI_Init and MPI_Finalize alone
  int openSessions = 0;

  uint32_t windows = 0; ///< made so far

  /// What MPI_Comm_get_parent gives; null: none, or the program has let go of it.
  Comm *parent = nullptr;
  std::unique_ptr<ToolState> tools; ///< Tools.h; null while MPI_T is not initialised

  /// Of MPI_FILE_NULL: what files that are opened begin with (MPI 4.1, section 14.7).
  Errhandler *fileErrhandler = &predefinedErrhandler(Errhandler::Action::Return);

  // Requests and communicators that --comm-trace has numbered.
  uint32_t tracedRequests = 0, tracedComms = 0;

private:
  Comm &makeSelf();
  Rare &makeRare();
  std::unique_ptr<Comm> self_;
  std::unique_ptr<Rare> rare_;
};

/// Builds the MPI state of every rank of \p world. Called once by launch before the ranks run.
void setUp(process::World &world, const Settings &settings);
/// Builds that of the ranks of \p job, which have an MPI_COMM_WORLD of their own.
void addWorld(const process::Job &job);
/// Frees it, after the simulation.
void tearDown();
/// Valid between setUp and tearDown.
Runtime &runtime();

inline RankState &state(process::Rank &rank) { return *rank.mpi; }
/// The calling rank's.
inline RankState &currentState() { return *process::currentRank()->mpi; }

} // namespace gnomon::mpi
