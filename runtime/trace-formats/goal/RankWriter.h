// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One rank's records as GOAL's operations.
#pragma once

#include "trace-formats/Groups.h"
#include "trace-formats/RecordView.h"
#include "trace-formats/Requests.h"
#include "trace-formats/goal/Collectives.h"
#include "trace-formats/goal/Writer.h"

#include <map>

namespace gnomon::trace::goal {

class RankWriter {
public:
  RankWriter(const Source &source, const Groups &groups, const std::string &path, uint32_t rank,
             Target &target, const WriteOptions &options, Losses &losses);
  void take(const RecordView &view);

private:
  enum class What : uint8_t;
  struct Request {
    std::string operation;        ///< empty: nothing to do (MPI_PROC_NULL)
    std::vector<uint64_t> labels; ///< of operations that end it; empty: not active
  };

  static What whatOf(std::string_view function);
  [[noreturn]] void refuse(const RecordView &view, const std::string &why) const;
  int64_t need(const RecordView &view, std::string_view field) const;
  int64_t bytes(const RecordView &view, std::string_view buffer) const;
  std::string operation(const RecordView &view, bool isSend, std::string_view buffer,
                        std::string_view tagField) const;
  void compute(const RecordView &view);
  void pass(double seconds, const RecordView &view);
  void blocking(const RecordView &view, bool isSend);
  void nonblocking(const RecordView &view, bool isSend);
  void sendReceive(const RecordView &view);
  void start(const RecordView &view, int64_t slot);
  void complete(const RecordView &view);
  void collective(const RecordView &view);
  void startCollective(const RecordView &view, const std::string &blocking);
  Expansion expansion(const RecordView &view, int64_t tag);
  void expand(const RecordView &view, std::string_view name, Expansion &expansion);
  void expandLists(const RecordView &view, std::string_view name, Expansion &expansion);
  Expansion::Bytes blocks(const RecordView &view, std::string_view buffer) const;
  uint32_t root(const RecordView &view) const;

  const Source &source_;
  const std::string &path_;
  const uint32_t rank_;
  const WriteOptions &options_;
  Losses &losses_;
  const Groups &groups_;
  Graph graph_;
  uint64_t record_ = 0;
  std::map<int64_t, std::optional<uint32_t>> placeIn_; ///< this rank's, by communicator
  std::map<int64_t, uint64_t> started_;                ///< nonblocking collectives, by communicator
  double rest_ = 0;                                    ///< nanoseconds that rounding left over
  std::map<int64_t, Request> requests_;
  RequestUse use_;
};

} // namespace gnomon::trace::goal
