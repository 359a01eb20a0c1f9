// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One rank's records as lines of SimGrid's text.
#pragma once

#include "trace-formats/Groups.h"
#include "trace-formats/RecordView.h"
#include "trace-formats/Requests.h"
#include "trace-formats/simgrid/Writer.h"

#include <array>
#include <deque>
#include <map>

namespace gnomon::trace::simgrid {

class RankWriter {
public:
  RankWriter(const Source &source, const Groups &groups, const std::string &path, uint32_t rank,
             Target &target, const WriteOptions &options, Losses &losses);

  void begin() { line("init"); }
  void take(const RecordView &view);
  void end();

  using Handler = void (RankWriter::*)(const RecordView &);
  /// Null: SimGrid has nothing of that kind.
  static Handler handlerOf(std::string_view function);

private:
  /// Sender, receiver, tag, as `wait` names a request.
  using Key = std::array<int64_t, 3>;
  struct Request {
    std::optional<Key> key; ///< none: there is nothing to wait for (MPI_PROC_NULL)
    std::string start;      ///< of a persistent one: the line that MPI_Start writes
    bool active = false;
  };
  /// A nonblocking collective that is not written yet: its blocking form.
  struct Delayed {
    int64_t slot = 0;
    Function function;
    std::vector<int64_t> values;
  };
  struct Buffer {
    int64_t count = 0, size = 0;
    bool inPlace = false, absent = false;
  };

  [[noreturn]] void refuse(const RecordView &view, const std::string &why) const;
  void line(const std::string &text);
  void flush();

  int64_t need(const RecordView &view, std::string_view field) const;
  Buffer buffer(const RecordView &view, std::string_view name) const;
  int64_t bytesOf(const RecordView &view, const Buffer &buffer) const;
  /// Elements and type as SimGrid says them.
  std::pair<int64_t, int64_t> elements(const RecordView &view, const Buffer &buffer) const;
  std::string counts(const RecordView &view, std::string_view name, int64_t &type) const;
  int64_t tag(const RecordView &view, std::string_view field) const;
  /// AnySource and ProcNull for those.
  int64_t peer(const RecordView &view, std::string_view field) const;
  std::string message(const RecordView &view, bool isSend, std::optional<Key> &key) const;

  void nothing(const RecordView &) {}
  void untimed(const RecordView &view);
  void compute(const RecordView &view);
  void sleep(const RecordView &view);
  void probe(const RecordView &view);
  void send(const RecordView &view);
  void receive(const RecordView &view);
  void isend(const RecordView &view);
  void ireceive(const RecordView &view);
  void sendReceive(const RecordView &view);
  void start(const RecordView &view);
  void complete(const RecordView &view);
  void free(const RecordView &view);
  void open(const RecordView &view, bool isSend);
  void startSlot(const RecordView &view, int64_t slot);
  void waitFor(int64_t slot);
  void waitKey(const Key &key);

  bool collective(const RecordView &view);
  static bool isCollective(Handler handler);
  bool delay(const RecordView &view);
  void writeDelayed(size_t count);
  void writeDelayedOf(int64_t slot);
  void barrier(const RecordView &view);
  void broadcast(const RecordView &view);
  void reduce(const RecordView &view);
  void reduceAll(const RecordView &view);
  void reduceScatter(const RecordView &view);
  void bothCounts(const RecordView &view);
  void rooted(const RecordView &view);
  void gatherV(const RecordView &view);
  void allgatherV(const RecordView &view);
  void scatterV(const RecordView &view);
  void alltoallV(const RecordView &view);
  void hold(const RecordView &view, const std::string &before, const std::string &after);

  const Source &source_;
  const std::string &path_;
  const uint32_t rank_;
  Target &target_;
  const WriteOptions &options_;
  Losses &losses_;
  const Groups &groups_;
  uint64_t record_ = 0; ///< number of the record that is written, from 0
  std::map<int64_t, Request> requests_;
  std::deque<Delayed> delayed_;              ///< in the order of their calls
  std::map<Key, std::deque<int64_t>> order_; ///< slots of open requests, as SimGrid keeps them
  size_t open_ = 0;                          ///< of these, all together
  /// A reduction whose operations may follow in the next record.
  std::string heldName_, heldBefore_, heldAfter_;
  RequestUse use_;
};

} // namespace gnomon::trace::simgrid
