// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/RecordPolls.h"

#include "api/Recorder.h"
#include "mpi/request/Polling.h"
#include "support/Hash.h"
#include "trace/PollRecords.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace gnomon::api {

using trace::Kind;

namespace {

constexpr PlainField PollFields[] = {{"asked", Kind::Number},
                                     {"polls", Kind::Number},
                                     {"found", Kind::Number},
                                     {"what", Kind::Number}};
constexpr PlainForm PollForm{trace::PollFunction.data(), PollFields, PlainForm::PollPlace};
constexpr PlainField UntilFields[] = {{"source", Kind::Peer},
                                      {"tag", Kind::Tag},
                                      {"comm", Kind::Comm},
                                      {"what", Kind::Number},
                                      {"requests", Kind::Request, true}};
constexpr PlainForm UntilForm{trace::UntilFunction.data(), UntilFields, PlainForm::UntilPlace};
/// Places of `found` among a poll's values, and of the number of requests among an until's.
constexpr size_t FoundOfPoll = 2, LengthOfUntil = 4;

/// Values of an `until`; empty where nobody is told when it is there.
std::vector<int64_t> whatIsFound(Recorder &recorder, mpi::RankState &state, const mpi::Polled &what,
                                 int64_t number) {
  if (what.message) {
    const p2p::ProbeResult probed = state.runtime.fabric.probe(state.rank.number, *what.message);
    return {peerOf(probed.source), tagOf(probed.tag), recorder.rowOf(what.comm), number, 0};
  }
  std::vector<int64_t> found{trace::NullPeer, trace::AnyTag, trace::NullRow, number, 0};
  for (mpi::Request *request : what.requests)
    if (request && request->active && request->done() && request->recordSlot > 0)
      found.push_back(request->recordSlot);
  found.at(LengthOfUntil) = static_cast<int64_t>(found.size() - LengthOfUntil - 1);
  return found.at(LengthOfUntil) > 0 ? found : std::vector<int64_t>();
}

/// The same for polls that ask for the same.
uint64_t keyOf(const process::Rank &rank, const mpi::Polled &what) {
  uint64_t key = std::hash<std::string_view>()(rank.call.function);
  if (what.message)
    for (const int64_t part : {int64_t{what.message->context}, int64_t{what.message->source},
                               int64_t{what.message->tag}})
      key = spread(key ^ static_cast<uint64_t>(part));
  for (const mpi::Request *request : what.requests)
    if (request && request->active)
      key = spread(key ^ request->recordSlot);
  return key;
}

} // namespace

RecordPolls::RecordPolls(trace::Sink &sink) : sink_(sink) {
  running_ = this;
  mpi::pollListener = polled;
}

RecordPolls::~RecordPolls() {
  running_ = nullptr;
  mpi::pollListener = nullptr;
}

void RecordPolls::polled(mpi::RankState &state, const mpi::Polled &what, bool found,
                         uint64_t polls) {
  Recorder *recorder = Recorder::running();
  if (!recorder || state.rank.threads)
    return;
  const int64_t number = running_->numberOf(state.rank, what, found);
  if (found)
    if (const std::vector<int64_t> until = whatIsFound(*recorder, state, what, number);
        !until.empty())
      recorder->tellPoll(state.rank, UntilForm, until);
  const auto active = [](const mpi::Request *request) { return request && request->active; };
  const int64_t asked = std::count_if(what.requests.begin(), what.requests.end(), active);
  recorder->tellPoll(state.rank, PollForm,
                     std::array<int64_t, 4>{what.message ? 0 : std::max<int64_t>(1, asked),
                                            static_cast<int64_t>(polls), found ? 1 : 0, number});
}

/// Polls for the same have the same number, those for something else another one, up to the next
/// that finds something.
int64_t RecordPolls::numberOf(const process::Rank &rank, const mpi::Polled &what, bool found) {
  if (rank.number >= asked_.size())
    asked_.resize(rank.number + size_t{1});
  std::vector<uint64_t> &asked = asked_[rank.number];
  const uint64_t key = keyOf(rank, what);
  const auto place = std::find(asked.begin(), asked.end(), key);
  const int64_t number = place - asked.begin();
  if (found || asked.size() == MostAsked)
    asked.clear();
  else if (place == asked.end())
    asked.push_back(key);
  return number;
}

uint32_t RecordPolls::function(const trace::Function &function) {
  const uint32_t number = sink_.function(function);
  if (function.name == trace::PollFunction)
    poll_ = number;
  else if (function.name == trace::UntilFunction)
    until_ = number;
  else if (trace::isVolume(function.name) || function.name == trace::ClockFunction ||
           function.name == trace::SleepFunction) {
    betweenPolls_.resize(std::max<size_t>(betweenPolls_.size(), number + size_t{1}));
    betweenPolls_[number] = true;
  }
  return number;
}

trace::Follower *RecordPolls::follower(uint32_t rank) {
  const bool isKeeping = rank < kept_.size() && !kept_[rank].records.empty();
  return isKeeping ? nullptr : sink_.follower(rank);
}

/// Of a run that has polled.
void RecordPolls::appendPolling(uint32_t rank, const trace::Record &record) {
  if (rank >= kept_.size())
    kept_.resize(rank + size_t{1});
  Kept &kept = kept_[rank];
  const bool isPolling = !kept.records.empty();
  if (record.function == until_) {
    if (isPolling) {
      sink_.append(rank, record);
      letGo(rank, kept);
    }
    return;
  }
  const bool isInVain = record.function == poll_ && record.values[FoundOfPoll] == 0;
  if (!isInVain && !(isPolling && isBetweenPolls(record.function))) {
    letGo(rank, kept);
    return sink_.append(rank, record);
  }
  if (kept.records.size() == MostKept)
    letGo(rank, kept);
  keep(kept, record);
}

void RecordPolls::keep(Kept &kept, const trace::Record &record) {
  kept.values.insert(kept.values.end(), record.values.begin(), record.values.end());
  kept.records.push_back({record.function, kept.values.size()});
}

void RecordPolls::letGo(uint32_t rank, Kept &kept) {
  size_t begin = 0;
  for (const auto &[function, end] : kept.records) {
    sink_.append(rank, {function, {kept.values.data() + begin, end - begin}});
    begin = end;
  }
  kept.records.clear();
  kept.values.clear();
}

void RecordPolls::finish() {
  for (uint32_t rank = 0; rank < kept_.size(); ++rank)
    letGo(rank, kept_[rank]);
}

} // namespace gnomon::api
