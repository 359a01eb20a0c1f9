// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Texts of waits: "the lock of rank 3, window 'halo' (held by rank 1)".
#include "rma/Wait.h"

#include "rma/Window.h"

#include <fmt/format.h>

namespace gnomon::rma {

namespace {

std::vector<int> awaitedRanks(const WaitNote &note) {
  if (note.awaited)
    return note.awaited(note);
  return note.rank >= 0 ? std::vector<int>{note.rank} : std::vector<int>{};
}

std::string describeNote(const process::Rank &, const void *what) {
  const auto &note = *static_cast<const WaitNote *>(what);
  std::string text = std::string(note.what) + " " +
                     (note.rank >= 0 ? fmt::format("rank {}", note.rank) : "ranks") + ", " +
                     describe(note.window);
  if (!note.awaited)
    return text;
  const std::vector<int> ranks = awaitedRanks(note);
  constexpr size_t Shown = 8;
  std::string list;
  for (size_t i = 0; i < ranks.size() && i < Shown; ++i)
    list += fmt::format("{}{}", i > 0 ? ", " : "", ranks[i]);
  if (ranks.size() > Shown)
    list += fmt::format(" and {} more", ranks.size() - Shown);
  return ranks.empty() ? text : text + " (rank " + list + ")";
}

void listAwaited(const process::Rank &, const void *what, std::vector<uint32_t> &awaited) {
  const auto &note = *static_cast<const WaitNote *>(what);
  for (int rank : awaitedRanks(note))
    awaited.push_back(note.window.comm().process(rank));
}

} // namespace

Waiting::Waiting(process::Rank &rank, const WaitNote &note)
    : rank_(rank), outerDescribe_(rank.describeWait), outerList_(rank.listAwaited),
      outer_(rank.waitsFor) {
  rank.describeWait = describeNote;
  rank.listAwaited = listAwaited;
  rank.waitsFor = &note;
}

Waiting::~Waiting() {
  rank_.describeWait = outerDescribe_;
  rank_.listAwaited = outerList_;
  rank_.waitsFor = outer_;
}

} // namespace gnomon::rma
