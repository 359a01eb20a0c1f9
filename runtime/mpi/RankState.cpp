// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Building and freeing the MPI state of the ranks.
#include "mpi/RankState.h"

#include "mpi/Info.h"
#include "mpi/Tools.h"
#include "mpi/comm/Creation.h"
#include "mpi/comm/Ports.h"
#include "mpi/datatype/TypedCopy.h"
#include "mpi/request/CrashNotes.h"
#include "mpi/request/Partitioned.h"
#include "mpi/request/PollLoop.h"
#include "process/ranks/Job.h"
#include "support/Check.h"

#include <span>
#include <utility>

namespace gnomon::mpi {

namespace {
std::unique_ptr<Runtime> theRuntime;
} // namespace

Runtime::Runtime(process::World &world, const Settings &settings)
    : world(world), settings(settings), fabric(world, copyBuffers),
      meetings(std::make_unique<Meetings>()), partitioned(std::make_unique<PartitionedPairs>()),
      ports(std::make_unique<Ports>()), toolVariables(std::make_unique<ToolVariables>(*this)) {}
Runtime::~Runtime() = default;

RankState::RankState(Runtime &runtime, process::Rank &rank) : runtime(runtime), rank(rank) {}

RankState::~RankState() {
  self_.reset();
  world.reset(); // while the tables are there
  if (rare_)
    for (Keyval *keyval : rare_->keyvals)
      delete keyval;
}

RankState::Rare &RankState::makeRare() {
  rare_ = std::make_unique<Rare>();
  return *rare_;
}

Comm &RankState::makeSelf() {
  auto alone = std::make_shared<CommShared>(CommShared{1, Members::range(rank.number, 1)});
  self_ = std::make_unique<Comm>(rank, alone, 0);
  self_->handle = reinterpret_cast<MPI_Comm>(0x102);
  self_->name = "MPI_COMM_SELF";
  return *self_;
}

static void makeStates(process::World &world, uint32_t first, uint32_t count, uint32_t id) {
  auto everyone = std::make_shared<CommShared>(CommShared{id, Members::range(first, count)});
  const std::span ranks(world.ranks.begin() + first, count);
  for (auto &rank : ranks) {
    rank->mpi = rank->fiber->keep<RankState>(*theRuntime, *rank).release();
    RankState &state = *rank->mpi;
    state.world.emplace(*rank, everyone, static_cast<int>(rank->number - first));
    state.world->handle = reinterpret_cast<MPI_Comm>(0x101);
    state.world->name = "MPI_COMM_WORLD";
  }
}

void setUp(process::World &world, const Settings &settings) {
  CHECK(!theRuntime, "one simulation at a time");
  theRuntime = std::make_unique<Runtime>(world, settings);
  explainCrashes();
  theRuntime->nextCommId = 2; // 0: MPI_COMM_WORLD, 1: every MPI_COMM_SELF
  makeStates(world, 0, static_cast<uint32_t>(world.ranks.size()), 0);
}

void addWorld(const process::Job &job) {
  theRuntime->fabric.ranksAdded();
  makeStates(theRuntime->world, job.first, job.count, theRuntime->nextCommId++);
}

void tearDown() {
  for (auto &rank : theRuntime->world.ranks)
    kernel::InPlace<RankState>(std::exchange(rank->mpi, nullptr)).reset();
  theRuntime.reset();
}

Runtime &runtime() { return *theRuntime; }

void noteSite(process::Rank &rank, HandleKind kind, uintptr_t handle) {
  handleTable(rank, kind).setSite(handle, rank.call.returnAddress);
}

HandleTable &handleTable(process::Rank &rank, HandleKind kind) {
  return rank.mpi->tables[static_cast<size_t>(kind)];
}

} // namespace gnomon::mpi
