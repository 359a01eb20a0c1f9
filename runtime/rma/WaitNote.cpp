// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Texts of waits: "the lock of rank 3, window 'halo' (held by rank 1)".
#include "rma/WaitNote.h"

#include "rma/Window.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace gnomon::rma {

namespace {

std::vector<int> awaitedRanks(const WaitNote &note) {
  if (note.awaited)
    return note.awaited(note);
  return note.rank >= 0 ? std::vector<int>{note.rank} : std::vector<int>{};
}

} // namespace

std::string WaitNote::text(const process::Rank &) const {
  const std::string text = fmt::format(
      "{} {}, {}", what, rank >= 0 ? fmt::format("rank {}", rank) : "ranks", describe(window));
  const std::vector<int> ranks = awaited ? awaitedRanks(*this) : std::vector<int>{};
  if (ranks.empty())
    return text;
  constexpr size_t Shown = 8;
  const auto some = std::span(ranks).first(std::min(ranks.size(), Shown));
  const std::string more =
      ranks.size() > Shown ? fmt::format(" and {} more", ranks.size() - Shown) : "";
  return fmt::format("{} (rank {}{})", text, fmt::join(some, ", "), more);
}

void WaitNote::listAwaited(std::vector<uint32_t> &processes) const {
  for (int rank : awaitedRanks(*this))
    processes.push_back(window.comm().process(rank));
}

} // namespace gnomon::rma
