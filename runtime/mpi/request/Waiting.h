// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Says while it lives that the calling rank waits, and for what, for the reports of deadlocks and
/// of no progress. Only for the rank's own fiber: helper fibers work behind a call of the rank's
/// that says what it waits for.
///
/// What is waited for is a note, which stands on the stack of the waiting call and becomes text
/// only when a report is made. A note has
///     std::string text(const process::Rank &rank) const;
///     void listAwaited(std::vector<uint32_t> &awaited) const;  // adds the processes waited for
#pragma once

#include "mpi/RankState.h"
#include "process/ranks/Rank.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gnomon::mpi {

class Waiting {
public:
  template <class Note> Waiting(process::Rank &rank, const Note &note) {
    if (runtime().world.engine.current() != rank.fiber)
      return;
    rank_ = &rank;
    outerDescribe_ = std::exchange(rank.describeWait, text<Note>);
    outerList_ = std::exchange(rank.listAwaited, list<Note>);
    outer_ = std::exchange(rank.waitsFor, &note);
  }
  ~Waiting() {
    if (!rank_)
      return;
    rank_->describeWait = outerDescribe_;
    rank_->listAwaited = outerList_;
    rank_->waitsFor = outer_;
  }
  /// The same for a rank that waits without a stack (kernel::Turn), and for nothing else meanwhile.
  template <class Note> static void begin(process::Rank &rank, const Note &note) {
    rank.describeWait = text<Note>;
    rank.listAwaited = list<Note>;
    rank.waitsFor = &note;
  }
  static void end(process::Rank &rank) {
    rank.describeWait = nullptr;
    rank.listAwaited = nullptr;
    rank.waitsFor = nullptr;
  }
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;

private:
  using Text = std::string (*)(const process::Rank &, const void *);
  using List = void (*)(const process::Rank &, const void *, std::vector<uint32_t> &);

  template <class Note> static std::string text(const process::Rank &rank, const void *note) {
    return static_cast<const Note *>(note)->text(rank);
  }
  template <class Note>
  static void list(const process::Rank &, const void *note, std::vector<uint32_t> &awaited) {
    static_cast<const Note *>(note)->listAwaited(awaited);
  }

  process::Rank *rank_ = nullptr;
  // Set when rank_ is.
  Text outerDescribe_;
  List outerList_;
  const void *outer_;
};

} // namespace gnomon::mpi
