// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// SimGrid's actions, one line at a time: each becomes records of its rank.
#pragma once

#include "trace-formats/Calls.h"
#include "trace-formats/Import.h"
#include "trace-formats/LineReader.h"
#include "trace-formats/Requests.h"

#include <array>
#include <deque>
#include <map>

namespace gnomon::trace::simgrid {

/// Whether SimGrid has an action of that name.
bool isAction(std::string_view name);

class Actions {
public:
  Actions(Sink &sink, uint32_t ranks, Losses &losses);

  /// \p words are those of the line that \p reader gave last: rank, action, arguments.
  void take(const LineReader &reader, const std::vector<std::string_view> &words);
  /// At the end of the text of \p rank. Throws InputError where the rank has not ended.
  void finish(uint32_t rank, const LineReader &reader) const;

private:
  friend struct ActionTable;
  /// Sender, receiver, tag, as the text has them.
  using Key = std::array<int64_t, 3>;
  /// Slots of open requests, the oldest of each key first.
  using Pending = std::map<Key, std::deque<int64_t>>;

  struct Rank {
    bool begun = false, ended = false;
    int64_t defaultSize = 1;
    Slots slots;
    Pending pending;
    std::string location; ///< "file:line" of the action `location`
  };
  /// A line as its handler sees it.
  struct Line {
    const LineReader &reader;
    const std::vector<std::string_view> &words;
    uint32_t rank;
    Rank &of;
    size_t arguments() const { return words.size() - 2; }
    [[noreturn]] void fail(const std::string &text) const { reader.fail(text); }
  };
  using Handler = void (Actions::*)(const Line &);

  int64_t integer(const Line &line, size_t argument, const char *what, int64_t least,
                  int64_t most) const;
  int64_t count(const Line &line, size_t argument, int64_t least = 0) const;
  double volume(const Line &line, size_t argument, const char *what) const;
  int64_t peer(const Line &line, size_t argument) const;
  int64_t tag(const Line &line, size_t argument) const;
  int64_t root(const Line &line, size_t argument) const;
  int64_t elementSize(const Line &line, size_t argument) const;
  /// Length and elements of a list, as in a record.
  void appendCounts(const Line &line, size_t argument);
  Pending::iterator pendingOf(const Line &line);
  void operations(const Line &line, Call call, size_t argument);

  void begin(const Line &line);
  void end(const Line &line);
  void communicator(const Line &line);
  void compute(const Line &line);
  void sleep(const Line &line);
  void location(const Line &line);
  void send(const Line &line);
  void receive(const Line &line);
  void isend(const Line &line);
  void ireceive(const Line &line);
  void sendReceive(const Line &line);
  void test(const Line &line);
  void wait(const Line &line);
  void waitAll(const Line &line);
  void barrier(const Line &line);
  void broadcast(const Line &line);
  void reduce(const Line &line);
  void reduceAll(const Line &line, Call call);
  void allreduce(const Line &line) { reduceAll(line, Call::Allreduce); }
  void scan(const Line &line) { reduceAll(line, Call::Scan); }
  void exscan(const Line &line) { reduceAll(line, Call::Exscan); }
  void reduceScatter(const Line &line);
  void bothCounts(const Line &line, Call call);
  void allgather(const Line &line) { bothCounts(line, Call::Allgather); }
  void alltoall(const Line &line) { bothCounts(line, Call::Alltoall); }
  void gather(const Line &line);
  void scatter(const Line &line);
  void gatherV(const Line &line);
  void allgatherV(const Line &line);
  void scatterV(const Line &line);
  void alltoallV(const Line &line);

  CallSink sink_;
  uint32_t ranks_;
  Losses &losses_;
  int64_t noOperation_; ///< the text "MPI_OP_NULL": SimGrid's traces have no operations
  std::vector<Rank> ofRank_;
  std::vector<int64_t> values_; ///< of the record that is being made
};

} // namespace gnomon::trace::simgrid
