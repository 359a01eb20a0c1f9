// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ends of windows, and where displacements lie.
#include "rma/Window.h"

#include "process/fold/Nowhere.h"

#include "mpi/RankState.h"
#include "support/Check.h"

#include <cstdlib>
#include <fmt/format.h>
#include <utility>

namespace gnomon::rma {

void MemoryDeleter::operator()(void *memory) const { std::free(memory); }

Memory allocate(int64_t bytes) {
  return Memory(std::calloc(static_cast<size_t>(bytes > 0 ? bytes : 1), 1));
}

Shared::Shared(mpi::MembersRef ranks, Flavor flavor)
    : members(std::move(ranks)), flavor(flavor), sides(static_cast<size_t>(members->size())),
      ends(sides.size()) {}

char *Shared::address(int target, int64_t displacement) const {
  const Side &side = sides[static_cast<size_t>(target)];
  // Displacements of a dynamic window are addresses (MPI_BOTTOM is its base).
  const auto start = flavor == Flavor::Dynamic ? 0 : reinterpret_cast<intptr_t>(side.base);
  return reinterpret_cast<char *>(start + displacement * side.displacementUnit);
}

bool Shared::covers(int target, const char *from, const char *to) const {
  if (process::fold::replays())
    return true; // what a trace says was right
  const Side &side = sides[static_cast<size_t>(target)];
  if (flavor != Flavor::Dynamic) {
    const char *base = static_cast<const char *>(side.base);
    return from >= base && to <= base + side.bytes;
  }
  // Regions may lie one right behind the other.
  auto position = reinterpret_cast<uintptr_t>(from), end = reinterpret_cast<uintptr_t>(to);
  while (position < end) {
    auto after = side.attached.upper_bound(position);
    if (after == side.attached.begin())
      return false;
    const auto &[start, bytes] = *--after;
    if (position >= start + static_cast<uintptr_t>(bytes))
      return false;
    position = start + static_cast<uintptr_t>(bytes);
  }
  return true;
}

void setHints(mpi::Win &win, const mpi::Info *info, bool first) {
  // MPI 4.1, section 12.2.1; null: not there unless it was set.
  static constexpr struct {
    const char *key, *value;
  } Hints[] = {{"no_locks", "false"},
               {"accumulate_ordering", "rar,raw,war,waw"},
               {"accumulate_ops", "same_op_no_op"},
               {"same_size", "false"},
               {"same_disp_unit", "false"},
               {"mpi_accumulate_granularity", nullptr},
               {"alloc_shared_noncontig", "false"},
               {"mpi_minimum_memory_alignment", nullptr},
               {"mpi_assert_memory_alloc_kinds", nullptr}};
  for (const auto &[key, value] : Hints) {
    const std::string *given = info ? info->find(key) : nullptr;
    if (given)
      win.info.set(key, *given);
    else if (first && value)
      win.info.set(key, value);
  }
}

} // namespace gnomon::rma

namespace gnomon::mpi {

Win::Win(std::shared_ptr<rma::Shared> shared, Comm &comm)
    : errhandler(&predefinedErrhandler(Errhandler::Action::Fatal)), shared_(std::move(shared)),
      comm_(comm) {
  shared_->ends[static_cast<size_t>(rank())] = this;
}

Win::~Win() {
  shared_->ends[static_cast<size_t>(rank())] = nullptr;
  release(owner(), *errhandler);
  comm_.release();
}

void Win::await(Condition condition, const void *argument) {
  kernel::Engine &engine = runtime().world.engine;
  waiters_.push_back({engine.current(), condition, argument});
  engine.park();
}

void Win::stir() {
  std::erase_if(waiters_, [](const Waiter &waiter) {
    if (!waiter.condition(waiter.argument))
      return false;
    runtime().world.engine.wake(*waiter.fiber);
    return true;
  });
}

std::string describe(const Win &win) {
  return win.name.empty() ? fmt::format("window {}", win.number) : "window '" + win.name + "'";
}

ErrorTarget errorTarget(const Win &win) {
  return {win.errhandler, reinterpret_cast<uintptr_t>(win.handle)};
}

int failOn(Win &win, int errorClass, std::string detail) {
  return fail(win.owner(), errorClass, std::move(detail) + ", " + describe(win), errorTarget(win));
}

} // namespace gnomon::mpi
