// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Walks from here up to the program's frame, by the unwinder that exceptions use.
#include "mpi/request/CodeState.h"

#include "mpi/RankState.h"

#include <algorithm>
#include <unwind.h>

namespace gnomon::mpi {

namespace {

/// Of the ABI's numbers of registers (System V x86-64, figure 3.36): what a call preserves.
constexpr std::array<int, 6> Preserved = {3, 6, 12, 13, 14, 15};
/// How much of the stack is looked at, and how many frames the runtime has at most.
constexpr uintptr_t MostStackBytes = uintptr_t{256} << 10;
constexpr int MostFrames = 32;

struct Search {
  uintptr_t place;
  int frames = 0;
  CodeState found = {};
};

_Unwind_Reason_Code visit(_Unwind_Context *context, void *argument) {
  auto &search = *static_cast<Search *>(argument);
  if (_Unwind_GetIP(context) == search.place) {
    for (size_t i = 0; i < Preserved.size(); ++i)
      search.found.registers[i] = _Unwind_GetGR(context, Preserved[i]);
    search.found.stackPointer = _Unwind_GetCFA(context);
    return _URC_END_OF_STACK;
  }
  return ++search.frames < MostFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// FNV-1a of words, folded so that each bit reaches the low ones.
uint64_t hashOf(uintptr_t begin, uintptr_t end) {
  uint64_t hash = 0xcbf29ce484222325;
  for (uintptr_t at = begin; at + sizeof(uint64_t) <= end; at += sizeof(uint64_t)) {
    hash = (hash ^ *reinterpret_cast<const uint64_t *>(at)) * 0x100000001b3;
    hash ^= hash >> 29;
  }
  return hash;
}

} // namespace

CodeState callersState(const process::Rank &rank) {
  const kernel::Fiber *fiber = runtime().world.engine.current();
  Search search{reinterpret_cast<uintptr_t>(rank.call.returnAddress)};
  if (!fiber || !search.place)
    return {};
  _Unwind_Backtrace(visit, &search);
  CodeState &found = search.found;
  const auto low = reinterpret_cast<uintptr_t>(fiber->stack().low),
             high = reinterpret_cast<uintptr_t>(fiber->stack().high);
  if (found.stackPointer < low || found.stackPointer >= high)
    return {};
  found.stack = hashOf(found.stackPointer, std::min(high, found.stackPointer + MostStackBytes));
  return found;
}

} // namespace gnomon::mpi
