// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The records of a Dimemas trace, one line at a time: each becomes records of its rank.
#pragma once

#include "trace-formats/Calls.h"
#include "trace-formats/Import.h"
#include "trace-formats/Requests.h"
#include "trace-formats/dimemas/Header.h"

#include <array>
#include <deque>

namespace gnomon::trace::dimemas {

/// A record's first three fields, read.
struct Line {
  const LineReader &reader;
  const std::vector<std::string_view> &fields;
  uint32_t task = 0;
  int64_t operation = 0;
};

/// Reads what each record has: operation, task, thread.
Line readLine(const LineReader &reader, const std::vector<std::string_view> &fields,
              const Header &header);

/// The number in a field. Throws InputError.
int64_t number(const Line &line, size_t field, const char *what, int64_t least, int64_t most);
const Communicator &communicatorOf(const Line &line, size_t field, const Header &header);

/// The collectives with a root, in each communicator's order: who is it?
class Roots {
public:
  /// Of a line of the first reading.
  void see(const Line &line, const Header &header);
  /// Of a line of the second: a rank of the communicator. Throws InputError where no task is the
  /// root.
  int64_t rootOf(const Line &line, const Header &header);
  /// Between the two.
  void again() { counts_.clear(); }

private:
  /// Communicator, number of the collective.
  std::map<std::pair<int64_t, uint64_t>, uint32_t> roots_;
  std::map<std::pair<uint32_t, int64_t>, uint64_t> counts_; ///< by task and communicator
};

class Records {
public:
  Records(Sink &sink, const Header &header, Roots &roots, Losses &losses)
      : sink_(sink), header_(header), roots_(roots), losses_(losses),
        noOperation_(sink_.text("MPI_OP_NULL")), ofTask_(header.tasks) {}
  void take(const Line &line);
  /// What is still open at the end.
  void finish();

private:
  /// What a wait names: partner, tag, communicator; or operation, -, communicator of a collective.
  using Key = std::array<int64_t, 3>;
  using Open = std::map<Key, std::deque<int64_t>>;
  struct Task {
    Slots slots;
    Open receives, collectives;
    std::vector<std::pair<int64_t, int64_t>> events; ///< user's blocks that it is in
  };

  void burst(const Line &line, Task &task);
  void send(const Line &line, Task &task);
  void receive(const Line &line, Task &task);
  void event(const Line &line, Task &task);
  void collective(const Line &line, Task &task);
  void write(const Line &line, int64_t operation, int64_t slot);
  void wait(const Line &line, Task &task, Open &open, const Key &key);
  int64_t partner(const Line &line, const Communicator &communicator) const;

  CallSink sink_;
  const Header &header_;
  Roots &roots_;
  Losses &losses_;
  int64_t noOperation_;
  std::vector<Task> ofTask_;
};

} // namespace gnomon::trace::dimemas
