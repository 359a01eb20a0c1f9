// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slices/RankSlice.h"

#include "support/Check.h"
#include "trace-formats/Calls.h"
#include "trace/PollRecords.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::slices {

using trace::Kind;
using trace::RecordView;

namespace {

bool isInit(std::string_view function) {
  return function == "MPI_Init" || function == "MPI_Init_thread";
}

} // namespace

/// A cut begins with the rank's MPI_Init and ends with an MPI_Finalize, so that it can be replayed.
void RankSlice::run() {
  const std::unique_ptr<trace::Cursor> cursor = source_.open(rank_);
  RecordView view;
  for (trace::Record record; number_ < records_.end && cursor->next(record); ++number_) {
    CHECK(view.set(source_.functions()[record.function], record), "a record fits its function");
    values_.assign(record.values.begin(), record.values.end());
    const bool initializes = isInit(view.name());
    initialized_ = initialized_ || initializes;
    finalized_ = finalized_ || (number_ >= records_.first && view.name() == "MPI_Finalize");
    if (number_ < records_.first && !initializes)
      passOver(view);
    else if (take(view))
      copier_.append(now_, {record.function, values_});
  }
  waitForOpen();
  closeOpen();
  if (initialized_ && !finalized_)
    sink_.append(now_, {sink_.function(trace::functionOf(trace::Call::Finalize)), {}});
}

/// Of a record before the cut: only its requests are known later.
void RankSlice::passOver(const RecordView &view) {
  trace::requestUse(view, use_);
  if (use_.made > 0)
    requests_[use_.made] = {};
  const Effect effect = effectOf(view);
  if (effect == Effect::OpenFile) {
    const int64_t comm = *commOf(view);
    files_[view.value("fh").value_or(0)] = {0, matching_.fileOf(comm, openings_[comm]++)};
  } else if (effect == Effect::CloseFile) {
    files_.erase(view.value("fh").value_or(0));
  }
}

/// Whether the record is kept; its values are then those in the cut.
bool RankSlice::take(const RecordView &view) {
  // What polls find may not be in the cut: they are played as often as they were made.
  if (view.name() == trace::UntilFunction)
    return false;
  const Effect effect = effectOf(view);
  switch (effect) {
  case Effect::Complete:
    return complete(view);
  case Effect::Start:
    return start(view);
  case Effect::Free:
    return free(view);
  case Effect::Collective:
    return matching_.nextCollective(*commOf(view), rank_) ? make(view) : unmatched(view);
  case Effect::OpenFile:
    return openFile(view);
  case Effect::CloseFile:
  case Effect::CollectiveOnFile:
  case Effect::OnFile:
    return onFile(view, effect);
  case Effect::None:
  case Effect::Unknown:
    return true;
  default:
    return message(view, effect);
  }
}

bool RankSlice::message(const RecordView &view, Effect effect) {
  Request request;
  request.sent = matching_.sends(view, rank_, number_);
  request.received = matching_.receives(view, rank_, number_);
  bool whole = true;
  if (view.name().ends_with("_init")) {
    for (const auto &channel : {request.sent, request.received})
      whole = whole && (!channel || bothKept(*channel));
  } else if (effect == Effect::Probe) {
    const std::optional<uint32_t> source = matching_.groups().world(
        *view.value("comm"), view.value("source").value_or(trace::AnyPeer), rank_);
    whole = source && view.value("tag").value_or(trace::AnyTag) != trace::AnyTag &&
            matching_.peekReceive({*source, rank_, *view.value("comm"), *view.value("tag")});
  } else {
    const bool sent = !request.sent || matching_.nextSend(*request.sent);
    whole = (!request.received || matching_.nextReceive(*request.received)) && sent;
  }
  if (!whole)
    return unmatched(view);
  renumber(view);
  return make(view, request);
}

bool RankSlice::bothKept(const Channel &channel) const {
  return matching_.kept(static_cast<uint32_t>(channel[0])) &&
         matching_.kept(static_cast<uint32_t>(channel[1]));
}

/// Leaves a call out that has no counterpart, or refuses it.
bool RankSlice::unmatched(const RecordView &view) {
  if (!cut_.dropUnmatched)
    matching_.refuse(
        view, rank_, number_,
        "what it belongs to is not all in the cut; '--drop-unmatched' leaves such calls "
        "out");
  losses_.add(fmt::format("{}: not all of it is in the cut", view.name()));
  trace::requestUse(view, use_);
  if (use_.made > 0)
    requests_[use_.made] = {};
  return false;
}

bool RankSlice::make(const RecordView &view) { return make(view, Request()); }

/// Keeps a call, with a new slot for the request that it makes.
bool RankSlice::make(const RecordView &view, Request request) {
  trace::requestUse(view, use_);
  if (use_.made == 0)
    return true;
  request.now = slots_.take();
  request.persistent = use_.persistent;
  request.active = !use_.persistent;
  requests_[use_.made] = request;
  set(view, "request", request.now);
  return true;
}

/// The place of a field's first value among the record's values.
size_t RankSlice::placeOf(const RecordView &view, size_t field) const {
  size_t at = 0;
  for (size_t before = 0; before < field; ++before)
    at += view.values(before).size() + (view.function().fields[before].list ? 1 : 0);
  return at;
}

void RankSlice::set(const RecordView &view, std::string_view field, int64_t value) {
  values_[placeOf(view, view.find(field))] = value;
}

/// Peers are ranks of communicators that may have fewer members now.
void RankSlice::renumber(const RecordView &view) {
  const int64_t comm = *view.value("comm");
  for (size_t field = 0; field < view.function().fields.size(); ++field) {
    if (view.function().fields[field].kind != Kind::Peer || view.values(field)[0] < 0)
      continue;
    const auto peer = static_cast<uint32_t>(view.values(field)[0]);
    if (comm == trace::World) {
      values_[placeOf(view, field)] = *matching_.kept(peer);
    } else if (comm != trace::Self) {
      const std::vector<uint32_t> &members =
          source_.communicators()[static_cast<size_t>(comm)].members;
      values_[placeOf(view, field)] =
          std::count_if(members.begin(), members.begin() + peer,
                        [this](uint32_t member) { return matching_.kept(member).has_value(); });
    }
  }
}

/// The slots of a record that are in the cut, and active there if that is asked for.
bool RankSlice::isKept(int64_t slot, bool active) const {
  const auto found = requests_.find(slot);
  return found != requests_.end() && found->second.now != 0 && (!active || found->second.active);
}

/// Puts the new slots of those requests of the record that are kept; false where none is.
bool RankSlice::keepRequests(const RecordView &view, bool active) {
  if (const std::optional<int64_t> slot = view.value("request")) {
    if (!isKept(*slot, active))
      return *slot == 0;
    set(view, "request", requests_[*slot].now);
    return true;
  }
  const size_t field = view.find("requests");
  if (field == RecordView::npos)
    return true;
  const std::span<const int64_t> slots = view.values(field);
  std::vector<int64_t> kept;
  int64_t index = view.value("index").value_or(-1);
  const int64_t before = index;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (isKept(slots[i], active))
      kept.push_back(requests_[slots[i]].now);
    else if (static_cast<int64_t>(i) < before)
      --index;
  }
  const size_t place = placeOf(view, field);
  if (view.has("index"))
    set(view, "index", index);
  values_[place] = static_cast<int64_t>(kept.size());
  values_.erase(values_.begin() + static_cast<ptrdiff_t>(place) + 1,
                values_.begin() + static_cast<ptrdiff_t>(place + 1 + slots.size()));
  values_.insert(values_.begin() + static_cast<ptrdiff_t>(place) + 1, kept.begin(), kept.end());
  return !kept.empty() || slots.empty();
}

bool RankSlice::complete(const RecordView &view) {
  trace::requestUse(view, use_);
  const std::vector<int64_t> completed = use_.completed;
  const bool all = std::all_of(completed.begin(), completed.end(),
                               [this](int64_t slot) { return isKept(slot, false); });
  const bool any = std::any_of(completed.begin(), completed.end(),
                               [this](int64_t slot) { return isKept(slot, true); });
  if (!all && !cut_.dropUnmatched)
    matching_.refuse(
        view, rank_, number_,
        "a request that it completes is not in the cut; '--drop-unmatched' leaves it out");
  const bool keep = keepRequests(view, true) && (any || completed.empty());
  if (!all)
    losses_.add(fmt::format("{}: requests that are not in the cut", view.name()));
  for (const int64_t slot : completed)
    release(slot);
  return keep;
}

void RankSlice::release(int64_t slot) {
  const auto found = requests_.find(slot);
  if (found == requests_.end())
    return;
  found->second.active = false;
  if (found->second.persistent)
    return;
  if (found->second.now != 0)
    slots_.give(found->second.now);
  requests_.erase(found);
}

/// Each start of a persistent request is a message of its own.
bool RankSlice::start(const RecordView &view) {
  const auto begin = [&](int64_t slot) {
    Request &request = requests_[slot];
    const bool sent = !request.sent || matching_.nextSend(*request.sent);
    const bool received = !request.received || matching_.nextReceive(*request.received);
    request.active = request.now != 0 && sent && received;
    if (!request.active && !cut_.dropUnmatched)
      unmatched(view);
  };
  if (const std::optional<int64_t> slot = view.value("request"))
    begin(*slot);
  for (const int64_t slot : view.list("requests"))
    begin(slot);
  const bool keep = keepRequests(view, true);
  if (!keep)
    losses_.add(fmt::format("{}: not all of it is in the cut", view.name()));
  return keep;
}

bool RankSlice::free(const RecordView &view) {
  const bool keep = keepRequests(view, false);
  if (const auto found = requests_.find(view.value("request").value_or(0));
      found != requests_.end()) {
    if (found->second.now != 0)
      slots_.give(found->second.now);
    requests_.erase(found);
  }
  return keep;
}

bool RankSlice::openFile(const RecordView &view) {
  const int64_t comm = *commOf(view), slot = view.value("fh").value_or(0);
  File file{0, matching_.fileOf(comm, openings_[comm]++)};
  const bool whole = matching_.nextCollective(comm, rank_);
  if (whole && slot > 0) {
    file.now = fileSlots_.take();
    set(view, "fh", file.now);
  }
  if (slot > 0)
    files_[slot] = file;
  return whole || unmatched(view);
}

/// A call on a file whose opening is not in the cut is not either. A file whose closing is not
/// stays open to the end of the cut.
bool RankSlice::onFile(const RecordView &view, Effect effect) {
  const auto found = files_.find(view.value("fh").value_or(0));
  if (found == files_.end()) // the opening failed: nobody is met
    return make(view);
  const File file = found->second;
  const bool whole =
      effect == Effect::OnFile || matching_.nextOnFile(file.stream, rank_, view.name());
  if (effect == Effect::CloseFile) {
    files_.erase(found);
    if (file.now > 0 && whole)
      fileSlots_.give(file.now);
    else if (file.now > 0)
      left_[file.stream] = file.now;
  }
  if (file.now == 0 || !whole)
    return unmatched(view);
  set(view, "fh", file.now);
  return make(view);
}

/// What is open at the end of a cut by calls would never be waited for.
void RankSlice::waitForOpen() {
  if (records_.end == UINT64_MAX)
    return;
  std::vector<int64_t> values{0};
  for (const auto &[slot, request] : requests_)
    if (request.active)
      values.push_back(request.now);
  if (values.size() == 1)
    return;
  std::sort(values.begin() + 1, values.end());
  values[0] = static_cast<int64_t>(values.size() - 1);
  sink_.append(now_, {sink_.function(trace::functionOf(trace::Call::Waitall)), values});
}

/// In the order in which they were opened, which is the same on all ranks. Of a cut that goes to
/// the end of the trace the program left them open.
void RankSlice::closeOpen() {
  if (records_.end == UINT64_MAX)
    return;
  for (const auto &[slot, file] : files_)
    if (file.now > 0)
      left_[file.stream] = file.now;
  for (const auto &[stream, slot] : left_)
    sink_.append(now_, {sink_.function({"MPI_File_close", {{"fh", Kind::Number, false}}}),
                        std::span(&slot, 1)});
}

} // namespace gnomon::slices
