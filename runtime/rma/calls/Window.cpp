// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that make, describe and free windows.
#include "rma/Window.h"
#include "impl/Impl.h"
#include "mpi/RankState.h"
#include "mpi/comm/Group.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;
using rma::Flavor;

namespace {

int checkComm(Comm &comm) {
  if (!comm.isInter())
    return MPI_SUCCESS;
  return fail(comm.owner(), MPI_ERR_COMM, "invalid comm: a window needs an intracommunicator",
              &comm);
}

/// The end of a call that makes a window. It fails on all ranks where one has no memory for its
/// part.
int expose(Win &win, MPI_Win *handle, Comm &comm) {
  rma::exchangeSides(win);
  const std::vector<rma::Side> &sides = win.shared().sides;
  auto lacking = std::find_if(sides.begin(), sides.end(),
                              [](const rma::Side &side) { return side.bytes > 0 && !side.base; });
  if (lacking != sides.end()) {
    const std::string text =
        fmt::format("no {} bytes of memory on rank {}", lacking->bytes, lacking - sides.begin());
    rma::destroyWindow(win);
    return fail(comm.owner(), MPI_ERR_NO_MEM, text, &comm);
  }
  win.number = ++state(win.owner()).windows;
  win.handle = insert<Win>(win.owner(), &win);
  *handle = win.handle;
  return MPI_SUCCESS;
}

bool onOneHost(const Comm &comm) {
  const auto &ranks = runtime().world.ranks;
  for (int r = 1; r < comm.size(); ++r)
    if (ranks[comm.process(r)]->host != ranks[comm.process(0)]->host)
      return false;
  return true;
}

/// One block for all, each rank's part right behind the one before; the first rank that comes here
/// makes it. Sizes must be known. Null bases where there is not enough memory.
void placeInSegment(Win &win) {
  rma::Shared &shared = win.shared();
  if (!shared.memory.empty())
    return;
  int64_t total = 0;
  for (const rma::Side &side : shared.sides)
    total += std::min(side.bytes, INT64_MAX - total);
  shared.memory.push_back(rma::allocate(total));
  char *next = static_cast<char *>(shared.memory.back().get());
  for (rma::Side &side : shared.sides) {
    side.base = next;
    if (next)
      next += side.bytes;
  }
}

/// Memory of this rank alone, freed with the window. Null base for no bytes, and where there is not
/// enough memory.
void placeAlone(Win &win) {
  rma::Side &side = win.side();
  if (side.bytes == 0)
    return;
  win.shared().memory.push_back(rma::allocate(side.bytes));
  side.base = win.shared().memory.back().get();
}

void setSide(Win &win, void *base, MPI_Aint size, MPI_Aint unit) {
  win.side().base = base;
  win.side().bytes = size;
  win.side().displacementUnit = unit;
}

} // namespace

int Win_create(void *base, MPI_Aint size, MPI_Aint disp_unit, Info *info, Comm &comm,
               MPI_Win *win) {
  if (int error = checkComm(comm))
    return error;
  if (!base && size > 0)
    return fail(comm.owner(), MPI_ERR_BASE,
                fmt::format("invalid base: a null address for {} bytes", size), &comm);
  Win &made = rma::makeWindow(comm, Flavor::Create, info, "MPI_Win_create");
  setSide(made, base, size, disp_unit);
  return expose(made, win, comm);
}

int Win_allocate(MPI_Aint size, MPI_Aint disp_unit, Info *info, Comm &comm, void *baseptr,
                 MPI_Win *win) {
  if (int error = checkComm(comm))
    return error;
  Win &made = rma::makeWindow(comm, Flavor::Allocate, info, "MPI_Win_allocate");
  setSide(made, nullptr, size, disp_unit);
  placeAlone(made);
  *static_cast<void **>(baseptr) = made.side().base;
  return expose(made, win, comm);
}

int Win_allocate_shared(MPI_Aint size, MPI_Aint disp_unit, Info *info, Comm &comm, void *baseptr,
                        MPI_Win *win) {
  if (int error = checkComm(comm))
    return error;
  if (!onOneHost(comm))
    return fail(comm.owner(), MPI_ERR_RMA_SHARED,
                "its ranks are not all on one host; MPI_Comm_split_type with "
                "MPI_COMM_TYPE_SHARED makes communicators of those that are",
                &comm);
  Win &made = rma::makeWindow(comm, Flavor::Shared, info, "MPI_Win_allocate_shared");
  setSide(made, nullptr, size, disp_unit);
  const std::string *apart = info ? info->find("alloc_shared_noncontig") : nullptr;
  if (apart && *apart == "true") {
    placeAlone(made);
  } else {
    rma::exchangeSides(made); // how long each part is
    placeInSegment(made);
  }
  *static_cast<void **>(baseptr) = made.side().base;
  return expose(made, win, comm);
}

int Win_create_dynamic(Info *info, Comm &comm, MPI_Win *win) {
  if (int error = checkComm(comm))
    return error;
  return expose(rma::makeWindow(comm, Flavor::Dynamic, info, "MPI_Win_create_dynamic"), win, comm);
}

int Win_attach(Win &win, void *base, MPI_Aint size) {
  if (win.shared().flavor != Flavor::Dynamic)
    return failOn(win, MPI_ERR_RMA_FLAVOR,
                  "memory can be attached to windows of MPI_Win_create_dynamic only");
  if (size == 0)
    return MPI_SUCCESS;
  const auto start = reinterpret_cast<uintptr_t>(base);
  const uintptr_t end = start + static_cast<uintptr_t>(size);
  auto &attached = win.side().attached;
  auto next = attached.lower_bound(start);
  const bool overlapsNext = next != attached.end() && next->first < end;
  const bool overlapsLast =
      next != attached.begin() &&
      std::prev(next)->first + static_cast<uintptr_t>(std::prev(next)->second) > start;
  if (!base || overlapsNext || overlapsLast)
    return failOn(win, MPI_ERR_RMA_ATTACH,
                  base ? "the memory overlaps with memory that is attached"
                       : "invalid base: a null address");
  attached[start] = size;
  return MPI_SUCCESS;
}

int Win_detach(Win &win, const void *base) {
  if (win.shared().flavor != Flavor::Dynamic)
    return failOn(win, MPI_ERR_RMA_FLAVOR,
                  "memory can be detached from windows of MPI_Win_create_dynamic only");
  if (win.side().attached.erase(reinterpret_cast<uintptr_t>(base)) == 0)
    return failOn(win, MPI_ERR_RMA_ATTACH, "no memory is attached at this address");
  return MPI_SUCCESS;
}

int Win_free(MPI_Win *win) {
  process::Rank &rank = *process::currentRank();
  Win *freed = find<Win>(rank, *win);
  if (!freed)
    return fail(rank, MPI_ERR_WIN, "invalid win: the handle names no window");
  if (!freed->epoch.mayFree())
    return failOn(*freed, MPI_ERR_RMA_SYNC, "the rank is in an epoch");
  if (int error =
          deleteAttributes(rank, freed->attributes, reinterpret_cast<uintptr_t>(freed->handle)))
    return error;
  rma::meet(*freed);
  rma::destroyWindow(*freed);
  *win = MPI_WIN_NULL;
  return MPI_SUCCESS;
}

int Win_shared_query(Win &win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr) {
  rma::Shared &shared = win.shared();
  if (shared.flavor != Flavor::Shared)
    return failOn(win, MPI_ERR_RMA_FLAVOR, "the window is not of MPI_Win_allocate_shared");
  if (rank != MPI_PROC_NULL && (rank < 0 || rank >= win.size()))
    return failOn(win, MPI_ERR_RANK, fmt::format("invalid rank: {}", rank));
  static const rma::Side nothing;
  const rma::Side *side = &nothing;
  if (rank != MPI_PROC_NULL) {
    side = &shared.sides[static_cast<size_t>(rank)];
  } else {
    // The first rank that has memory.
    auto found = std::find_if(shared.sides.begin(), shared.sides.end(),
                              [](const rma::Side &each) { return each.bytes > 0; });
    if (found != shared.sides.end())
      side = &*found;
  }
  *size = side->bytes;
  *disp_unit = side->displacementUnit;
  *static_cast<void **>(baseptr) = side->base;
  return MPI_SUCCESS;
}

int Win_get_group(Win &win, MPI_Group *group) {
  *group = insert<Group>(win.owner(), new Group(win.comm().members(), win.owner().number));
  return MPI_SUCCESS;
}

int Win_get_info(Win &win, MPI_Info *info_used) {
  *info_used = insert<Info>(win.owner(), new Info(win.info));
  return MPI_SUCCESS;
}

int Win_set_info(Win &win, Info *info) {
  rma::setHints(win, info, false);
  return MPI_SUCCESS;
}

int Win_get_name(Win &win, char *win_name, int *resultlen) {
  std::memcpy(win_name, win.name.c_str(), win.name.size() + 1);
  *resultlen = static_cast<int>(win.name.size());
  return MPI_SUCCESS;
}

int Win_set_name(Win &win, const char *win_name) {
  win.name.assign(win_name, strnlen(win_name, MPI_MAX_OBJECT_NAME - 1));
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
