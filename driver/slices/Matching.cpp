// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slices/Matching.h"

#include "support/Check.h"
#include "support/Error.h"
#include "trace-formats/Requests.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::slices {

using trace::RecordView;

Matching::Matching(const trace::Source &source, const std::string &path, const Cut &cut)
    : source_(source), path_(path), cut_(cut), groups_(source) {
  for (const uint32_t rank : cut.ranks)
    read(rank);
  for (const auto &[key, count] : collectives_)
    if (!ranges_.contains(key.first) && commOfStream(key.first) != trace::Self)
      ranges_[key.first] = rangeOf(key.first);
}

void Matching::refuse(const RecordView &view, uint32_t rank, uint64_t number,
                      const std::string &why) const {
  throw InputError(path_, 0,
                   fmt::format("rank {}, record {}: {}: {}", rank, number, view.name(), why));
}

std::optional<uint32_t> Matching::kept(uint32_t rank) const {
  const auto found = std::lower_bound(cut_.ranks.begin(), cut_.ranks.end(), rank);
  if (found == cut_.ranks.end() || *found != rank)
    return std::nullopt;
  return static_cast<uint32_t>(found - cut_.ranks.begin());
}

void Matching::read(uint32_t rank) {
  persistent_.clear();
  open_.clear();
  openings_.clear();
  records_ = cut_.of(*kept(rank));
  const std::unique_ptr<trace::Cursor> cursor = source_.open(rank);
  RecordView view;
  uint64_t number = 0;
  for (trace::Record record; number < records_.end && cursor->next(record); ++number) {
    CHECK(view.set(source_.functions()[record.function], record), "a record fits its function");
    count(view, rank, number);
  }
}

void Matching::count(const RecordView &view, uint32_t rank, uint64_t number) {
  const bool in = number >= records_.first;
  const auto add = [in](Count &count) { ++(in ? count.in : count.before); };
  const Effect effect = effectOf(view);
  if (effect == Effect::Unknown && in)
    refuse(view, rank, number, "what it takes part in is not known, so that it cannot be cut");
  if (effect == Effect::Collective || effect == Effect::OpenFile)
    add(collectives_[{*commOf(view), rank}]);
  if (effect == Effect::Collective)
    return;
  if (effect >= Effect::OpenFile && effect <= Effect::OnFile)
    return countOnFile(view, rank, number, in);
  if (effect == Effect::Start) {
    const auto start = [&](int64_t slot) {
      const Started &of = persistent_[slot];
      if (in && !of.inCut)
        refuse(view, rank, number, "the request was made before the cut; begin it earlier");
      if (of.channel)
        add(messages_[*of.channel][of.isSend ? 0 : 1]);
    };
    if (const std::optional<int64_t> slot = view.value("request"))
      start(*slot);
    for (const int64_t slot : view.list("requests"))
      start(slot);
    return;
  }
  const std::optional<Channel> sent = sends(view, rank, number),
                               received = receives(view, rank, number);
  if (view.name().ends_with("_init")) {
    persistent_[view.value("request").value_or(0)] = {sent ? sent : received, sent.has_value(), in};
    return;
  }
  if (sent)
    add(messages_[*sent][0]);
  if (received)
    add(messages_[*received][1]);
}

std::optional<Channel> Matching::sends(const RecordView &view, uint32_t rank,
                                       uint64_t number) const {
  const Effect effect = effectOf(view);
  return effect == Effect::Send || effect == Effect::Both ? channel(view, rank, number, true)
                                                          : std::nullopt;
}

std::optional<Channel> Matching::receives(const RecordView &view, uint32_t rank,
                                          uint64_t number) const {
  const Effect effect = effectOf(view);
  return effect == Effect::Receive || effect == Effect::Both ? channel(view, rank, number, false)
                                                             : std::nullopt;
}

std::optional<Channel> Matching::channel(const RecordView &view, uint32_t rank, uint64_t number,
                                         bool isSend) const {
  const int64_t comm = *view.value("comm");
  const int64_t peer = view.value(isSend ? "dest" : "source").value_or(trace::NullPeer);
  if (peer == trace::NullPeer)
    return std::nullopt;
  std::optional<int64_t> tag = view.value("tag");
  if (!tag)
    tag = view.value(isSend ? "sendtag" : "recvtag");
  const std::optional<uint32_t> world = groups_.world(comm, peer, rank);
  if (!world || !tag || *tag == trace::AnyTag || groups_.isInter(comm))
    refuse(view, rank, number,
           "its peer is not known: any source or tag, or an intercommunicator, cannot be cut");
  return isSend ? Channel{rank, *world, comm, *tag} : Channel{*world, rank, comm, *tag};
}

bool Matching::next(const Channel &channel, size_t side, bool asks) {
  std::array<Count, 2> &counts = messages_[channel];
  Count &mine = counts[side];
  const uint64_t number = mine.before + mine.asked;
  mine.asked += asks;
  const Count &other = counts[1 - side];
  return number >= other.before && number < other.before + other.in;
}

void Matching::countOnFile(const RecordView &view, uint32_t rank, uint64_t number, bool in) {
  const int64_t slot = view.value("fh").value_or(0);
  const Effect effect = effectOf(view);
  if (effect == Effect::OpenFile) {
    const int64_t comm = *commOf(view), stream = fileOf(comm, openings_[comm]++);
    if (slot > 0)
      open_[slot] = {stream, in};
    return;
  }
  const auto found = open_.find(slot);
  if (found == open_.end()) {
    if (in && slot > 0)
      refuse(view, rank, number,
             "the trace does not say which file it is on: record the run again");
    return;
  }
  if (in && !found->second.inCut && !cut_.dropUnmatched)
    refuse(view, rank, number,
           "the file was opened before the cut; begin it earlier, or leave such calls out by "
           "'--drop-unmatched'");
  if (effect != Effect::OnFile) {
    Count &count = collectives_[{found->second.stream, rank}];
    ++(in ? count.in : count.before);
  }
  if (effect == Effect::CloseFile)
    open_.erase(found);
}

/// Rows of communicators come first.
int64_t Matching::fileOf(int64_t comm, uint64_t opening) {
  const auto rows = static_cast<int64_t>(source_.communicators().size());
  const auto [place, isNew] = files_.try_emplace({comm, opening});
  if (isNew) {
    place->second = rows + static_cast<int64_t>(commOfFile_.size());
    commOfFile_.push_back(comm);
  }
  return place->second;
}

int64_t Matching::commOfStream(int64_t stream) const {
  const auto rows = static_cast<int64_t>(source_.communicators().size());
  return stream < rows ? stream : commOfFile_[static_cast<size_t>(stream - rows)];
}

/// A member that is not kept has none.
Matching::Range Matching::rangeOf(int64_t stream) const {
  Range range{0, UINT64_MAX};
  const int64_t comm = commOfStream(stream);
  const uint32_t size = groups_.size(comm);
  for (uint32_t i = 0; i < size; ++i) {
    const std::optional<uint32_t> rank = groups_.world(comm, i, 0);
    const auto found = rank ? collectives_.find({stream, *rank}) : collectives_.end();
    if (found == collectives_.end() || groups_.isInter(comm))
      return {};
    range.first = std::max(range.first, found->second.before);
    range.end = std::min(range.end, found->second.before + found->second.in);
  }
  return range;
}

bool Matching::nextIn(int64_t stream, uint32_t rank, uint64_t before, uint64_t behind) {
  Count &count = collectives_[{stream, rank}];
  const uint64_t number = count.before + count.asked++;
  if (commOfStream(stream) == trace::Self) // each rank is alone
    return number >= count.before + before && number + behind < count.before + count.in;
  const Range &range = ranges_[stream];
  return number >= range.first + before && number + behind < range.end;
}

} // namespace gnomon::slices
