// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One rank's records on their way into a cut: what is whole there, with new numbers of ranks,
/// requests and files.
#pragma once

#include "slices/Matching.h"
#include "trace-formats/Copy.h"
#include "trace-formats/Import.h"
#include "trace-formats/Requests.h"

namespace gnomon::slices {

class RankSlice {
public:
  RankSlice(const trace::Source &source, Matching &matching, const Cut &cut, trace::Copier &copier,
            trace::Sink &sink, trace::Losses &losses, uint32_t rank)
      : source_(source), matching_(matching), cut_(cut), copier_(copier), sink_(sink),
        losses_(losses), rank_(rank), now_(*matching.kept(rank)), records_(cut.of(now_)) {}

  /// Writes them. Throws InputError for what is not whole, and is not to be left out.
  void run();

private:
  /// A request of the trace, as the cut knows it.
  struct Request {
    int64_t now = 0; ///< its slot in the cut; 0: it is not in it
    bool persistent = false, active = false;
    std::optional<Channel> sent, received;
  };
  /// An open file, likewise.
  struct File {
    int64_t now = 0;    ///< its slot in the cut; 0: it is not in it
    int64_t stream = 0; ///< Matching's number of it
  };

  void passOver(const trace::RecordView &view);
  bool take(const trace::RecordView &view);
  bool message(const trace::RecordView &view, Effect effect);
  bool bothKept(const Channel &channel) const;
  bool unmatched(const trace::RecordView &view);
  bool make(const trace::RecordView &view);
  bool make(const trace::RecordView &view, Request request);
  size_t placeOf(const trace::RecordView &view, size_t field) const;
  void set(const trace::RecordView &view, std::string_view field, int64_t value);
  void renumber(const trace::RecordView &view);
  bool isKept(int64_t slot, bool active) const;
  bool keepRequests(const trace::RecordView &view, bool active);
  bool complete(const trace::RecordView &view);
  void release(int64_t slot);
  bool start(const trace::RecordView &view);
  bool free(const trace::RecordView &view);
  bool openFile(const trace::RecordView &view);
  bool onFile(const trace::RecordView &view, Effect effect);
  void waitForOpen();
  void closeOpen();

  const trace::Source &source_;
  Matching &matching_;
  const Cut &cut_;
  trace::Copier &copier_;
  trace::Sink &sink_;
  trace::Losses &losses_;
  const uint32_t rank_, now_; ///< in the trace, in the cut
  const Cut::Records records_;
  uint64_t number_ = 0;
  std::vector<int64_t> values_;
  std::map<int64_t, Request> requests_; ///< by slot in the trace
  trace::Slots slots_;
  bool initialized_ = false, finalized_ = false;
  std::map<int64_t, File> files_;        ///< by slot in the trace
  std::map<int64_t, int64_t> left_;      ///< open at the end: slots in the cut, by stream
  std::map<int64_t, uint64_t> openings_; ///< by communicator
  trace::Slots fileSlots_;
  trace::RequestUse use_;
};

} // namespace gnomon::slices
