// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Making and freeing windows. A window has a communicator of its own, made as by MPI_Comm_dup;
/// then an allgather tells everyone where the others' parts lie. Freeing is a barrier.
#include "coll/Timed.h"
#include "mpi.h"
#include "mpi/RankState.h"
#include "rma/Window.h"

#include <algorithm>
#include <array>

namespace gnomon::rma {

namespace {

/// Windows of which some rank has not made its end yet, by the id of their communicator.
std::map<uint32_t, std::shared_ptr<Shared>> &unfinished() {
  static std::map<uint32_t, std::shared_ptr<Shared>> all;
  return all;
}

std::shared_ptr<Shared> attend(const mpi::Comm &comm, Flavor flavor) {
  std::shared_ptr<Shared> &entry = unfinished()[comm.id()];
  if (!entry)
    entry = std::make_shared<Shared>(comm.members(), flavor);
  std::shared_ptr<Shared> shared = entry;
  if (++shared->attended == comm.size())
    unfinished().erase(comm.id());
  return shared;
}

coll::Call callOn(mpi::Comm &comm) {
  return {comm, comm.rank(), comm.size(), mpi::Comm::BlockingTag};
}

} // namespace

mpi::Win &makeWindow(mpi::Comm &comm, Flavor flavor, const mpi::Info *info, const char *function) {
  mpi::Comm &own = *mpi::duplicateComm(comm, function);
  auto &win = *new mpi::Win(attend(own, flavor), own);
  setHints(win, info, true);
  win.flavorAttribute = static_cast<int>(flavor);
  win.modelAttribute = MPI_WIN_UNIFIED;
  return win;
}

void exchangeSides(mpi::Win &win) {
  Side &side = win.side();
  win.sizeAttribute = side.bytes;
  win.unitAttribute = static_cast<int>(std::min<int64_t>(side.displacementUnit, INT32_MAX));
  // The sides are there already; this is what telling them costs.
  using Record = std::array<int64_t, 3>; // base, size, displacement unit
  const Record mine{reinterpret_cast<intptr_t>(side.base), side.bytes, side.displacementUnit};
  std::vector<Record> all(static_cast<size_t>(win.size()));
  const mpi::Datatype &type = mpi::Datatype::predefined(MPI_INT64_T);
  coll::perform(coll::AllgatherArgs{
      {callOn(win.comm()), &mine, 3, &type, all.data(), 3, nullptr, nullptr, &type}});
}

void meet(mpi::Win &win) { coll::perform(coll::BarrierArgs{callOn(win.comm())}); }

void destroyWindow(mpi::Win &win) {
  if (win.handle)
    mpi::erase<mpi::Win>(win.owner(), win.handle);
  delete &win;
}

} // namespace gnomon::rma
