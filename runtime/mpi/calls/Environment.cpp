// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions about the environment: start, end, abort, clocks, memory.
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/RankState.h"
#include "mpi/Session.h"
#include "mpi/comm/Creation.h"
#include "process/image/ForeignMpi.h"
#include "process/image/Symbolizer.h"
#include "process/ranks/Threads.h"
#include "process/ranks/World.h"
#include "support/Error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gnomon::mpi {

static std::string whoAndWhen(const process::Rank &rank) {
  char date[32];
  std::snprintf(date, sizeof date, "%.9g", runtime().world.engine.now().seconds);
  return "gnomon: " + process::nameOf(rank) + " at " + date + " s: ";
}

/// process::Rank::endedInsideMpi.
static int endedWithoutFinalize(process::Rank &rank, int code) {
  process::printError(
      fmt::format("{}ended with code {} without calling MPI_Finalize\n", whoAndWhen(rank), code));
  return code != 0 ? code : static_cast<int>(ExitCode::MpiError);
}

void enterMpi(RankState &own) {
  if (own.phase == Phase::Initialized)
    return;
  own.phase = Phase::Initialized;
  own.rank.endedInsideMpi = endedWithoutFinalize;
  double seconds = own.runtime.world.protocol.initSeconds();
  if (seconds > 0)
    own.runtime.world.engine.sleep(seconds);
}

void leaveMpi(RankState &own) {
  if (own.openSessions > 0 || own.worldPhase == Phase::Initialized)
    return;
  own.phase = own.worldPhase;
  own.rank.endedInsideMpi = nullptr;
}

/// Threads of the program are fibers of their rank, and may all call; those of OpenMP are not.
int grantedThreadLevel(int required) {
  const bool isTooMuch = required > MPI_THREAD_FUNNELED && process::hasForeignThreads();
  return isTooMuch ? MPI_THREAD_FUNNELED : required;
}

} // namespace gnomon::mpi

namespace gnomon::impl {

using namespace mpi;

namespace {

/// Once: such libraries call this MPI with the constants and types of the other.
void tellOfForeignMpis() {
  static bool told = false;
  if (told || runtime().settings.checks.quiet)
    return;
  told = true;
  for (const process::ForeignMpi &foreign : process::foreignMpis()) {
    const std::string users = foreign.askedBy.empty()
                                  ? "what has loaded it"
                                  : fmt::format("{}", fmt::join(foreign.askedBy, ", "));
    process::printError(
        fmt::format("gnomon: warning: {} is another MPI, loaded for {}, whose calls "
                    "of MPI crash or go wrong here; build that with the flag, too\n",
                    foreign.library, users));
  }
}

int initialize(int required) {
  RankState &own = currentState();
  if (own.worldPhase != Phase::BeforeInit)
    return fail(own.rank, MPI_ERR_OTHER,
                own.worldPhase == Phase::Initialized ? "MPI is initialized already"
                                                     : "MPI has been finalized");
  tellOfForeignMpis();
  own.worldPhase = Phase::Initialized;
  own.threadLevel = grantedThreadLevel(required);
  enterMpi(own);
  return MPI_SUCCESS;
}

} // namespace

int Init(int *, char ***) { return initialize(MPI_THREAD_SINGLE); }

int Init_thread(int *, char ***, int required, int *provided) {
  int error = initialize(required);
  if (!error)
    *provided = currentState().threadLevel;
  return error;
}

int Initialized(int *flag) {
  *flag = currentState().worldPhase != Phase::BeforeInit;
  return MPI_SUCCESS;
}

int Finalized(int *flag) {
  *flag = currentState().worldPhase == Phase::Finalized;
  return MPI_SUCCESS;
}

int Query_thread(int *provided) {
  *provided = currentState().threadLevel;
  return MPI_SUCCESS;
}

int Is_thread_main(int *flag) {
  const process::Thread *thread = process::currentThread(*process::currentRank());
  *flag = !thread || thread->number == 0;
  return MPI_SUCCESS;
}

/// Costs nothing and synchronises nobody, as SMPI's does, unless smpi/barrier-finalization is set.
/// What the rank still holds is counted for the report of leaks.
int Finalize() {
  RankState &own = currentState();
  if (own.worldPhase != Phase::Initialized)
    return fail(own.rank, MPI_ERR_OTHER, "MPI_Init was not called, or MPI_Finalize was before");
  auto bits = [](const Comm &comm) { return reinterpret_cast<uintptr_t>(comm.handle); };
  if (Comm *self = own.selfIfMade())
    if (int error = deleteAttributes(own.rank, self->attributes, bits(*self)))
      return error;
  if (int error = deleteAttributes(own.rank, own.world->attributes, bits(*own.world)))
    return error;
  if (own.runtime.settings.finalizeBarrier)
    synchronise(*own.world);
  if (own.runtime.settings.checks.leaks)
    countLeaks(own);
  own.worldPhase = Phase::Finalized;
  leaveMpi(own);
  return MPI_SUCCESS;
}

int Abort(Comm &comm, int errorcode) {
  process::Rank &rank = comm.owner();
  process::abortWorld(errorcode, [&] {
    std::string text =
        fmt::format("{}MPI_Abort({}, {})", whoAndWhen(rank), describe(comm), errorcode);
    if (rank.call.returnAddress)
      text += " [" + process::describe(rank.call.returnAddress) + "]";
    return text;
  });
}

int Get_processor_name(char *name, int *resultlen) {
  RankState &own = currentState();
  const std::string host = own.runtime.world.platform.hosts()[own.rank.host].name;
  size_t length = std::min(host.size(), size_t{MPI_MAX_PROCESSOR_NAME - 1});
  std::memcpy(name, host.data(), length);
  name[length] = '\0';
  *resultlen = static_cast<int>(length);
  return MPI_SUCCESS;
}

double Wtime() { return process::readClock(*process::currentRank()); }

/// Simulated time has no tick: the distance of two dates near 1 s as doubles hold them would be
/// 1e-16. What a reading costs is the better answer for programs that measure the resolution.
double Wtick() {
  double cost = runtime().world.protocol.wtimeSeconds();
  return cost > 0 ? cost : 1e-9;
}

int Alloc_mem(MPI_Aint size, Info *, void *baseptr) {
  void *memory = std::malloc(static_cast<size_t>(std::max<MPI_Aint>(size, 1)));
  if (!memory)
    return fail(*process::currentRank(), MPI_ERR_NO_MEM,
                fmt::format("no {} bytes of memory", size));
  *static_cast<void **>(baseptr) = memory;
  return MPI_SUCCESS;
}

int Get_address(const void *location, MPI_Aint *address) {
  *address = reinterpret_cast<MPI_Aint>(location);
  return MPI_SUCCESS;
}

int Free_mem(void *base) {
  std::free(base);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
