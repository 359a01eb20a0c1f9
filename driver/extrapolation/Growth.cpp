// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "extrapolation/Growth.h"

#include "patterns/Walker.h"
#include "support/Error.h"

#include <fmt/format.h>
#include <numeric>

namespace gnomon::extrapolation {

using patterns::Expectation;
using patterns::Families;
using patterns::Point;
using patterns::Walker;

using slices::Effect;
using trace::Kind;

Growth::Growth(const Recording &recording, const Pattern &pattern, const Grid &grid,
               trace::Sink &sink)
    : recording_(recording), pattern_(pattern), grid_(grid), sink_(sink) {}

void Growth::write(uint32_t rank) {
  const std::unique_ptr<Expectation> expectation = pattern_.open(grid_, rank);
  Expected expected;
  while (expectation->next(expected)) {
    volumes(rank, expected);
    put(rank, expected);
  }
  volumes(rank, expected);
}

void Growth::volumes(uint32_t rank, const Expected &expected) {
  for (const auto &[function, values] : expected.volumes) {
    values_ = values;
    translate(rank, recording_.source.functions()[function], values_);
    sink_.append(rank, {functionOf(function), values_});
  }
}

void Growth::put(uint32_t rank, const Expected &expected) {
  count(rank, expected);
  values_ = expected.values;
  translate(rank, recording_.source.functions()[expected.function], values_);
  sink_.append(rank, {functionOf(expected.function), values_});
}

/// Codes become rows, and strings those of the sink.
void Growth::translate(uint32_t rank, const trace::Function &function,
                       std::vector<int64_t> &values) {
  size_t at = 0;
  for (const trace::Field &field : function.fields) {
    const int64_t length = field.list ? values[at++] : 1;
    for (int64_t i = 0; i < length; ++i, ++at) {
      int64_t &value = values[at];
      if (field.kind == Kind::Comm)
        value = rowOf(rank, value);
      else if (field.kind == Kind::Text)
        value = textOf(value);
      else if (field.kind == Kind::Set && value == Walker::AllRanks) {
        std::vector<uint32_t> all(grid_.ranks());
        std::iota(all.begin(), all.end(), 0U);
        value = sink_.set(all);
      }
    }
  }
}

int64_t Growth::rowOf(uint32_t rank, int64_t code) {
  if (code <= trace::Self)
    return code;
  const uint32_t along = Families::along(code, grid_);
  const Point first = grid_.atPlace(along, 0, grid_.point(rank));
  const auto [place, isNew] = rows_.try_emplace({code, grid_.rank(first)});
  if (isNew) {
    trace::Group group;
    for (uint32_t i = 0; i < grid_.countAlong(along); ++i)
      group.members.push_back(grid_.rank(grid_.atPlace(along, i, first)));
    place->second = sink_.communicator(group);
  }
  return place->second;
}

int64_t Growth::textOf(int64_t text) {
  const std::vector<std::string> &all = recording_.source.texts();
  if (text < 0 || static_cast<size_t>(text) >= all.size())
    return text;
  const auto [place, isNew] = texts_.try_emplace(text);
  if (isNew)
    place->second = sink_.text(all[static_cast<size_t>(text)]);
  return place->second;
}

uint32_t Growth::functionOf(uint32_t function) {
  const auto [place, isNew] = functions_.try_emplace(function);
  if (isNew)
    place->second = sink_.function(recording_.source.functions()[function]);
  return place->second;
}

/// Persistent requests are counted when they are made: both sides start them as often, or neither
/// pattern nor recording is right.
void Growth::count(uint32_t rank, const Expected &expected) {
  const Effect effect = recording_.plans[expected.function].effect;
  if (effect != Effect::Send && effect != Effect::Receive && effect != Effect::Both)
    return;
  trace::RecordView view;
  view.set(recording_.source.functions()[expected.function], {expected.function, expected.values});
  const int64_t comm = *view.value("comm");
  const auto add = [&](std::string_view peerField, std::string_view tagField, bool isSend) {
    const int64_t peer = view.value(peerField).value_or(trace::NullPeer);
    if (peer < 0)
      return;
    const int64_t tag = view.value("tag").value_or(view.value(tagField).value_or(0));
    const int64_t world =
        Families::isSelf(comm)
            ? rank
            : grid_.rank(grid_.atPlace(Families::along(comm, grid_), static_cast<uint32_t>(peer),
                                       grid_.point(rank)));
    const Channel channel =
        isSend ? Channel{rank, world, comm, tag} : Channel{world, rank, comm, tag};
    const auto place = messages_.try_emplace(channel).first;
    place->second += isSend ? 1 : -1;
    if (place->second == 0)
      messages_.erase(place);
  };
  add("dest", "sendtag", true);
  add("source", "recvtag", false);
}

void Growth::checkMessages() const {
  if (messages_.empty())
    return;
  const auto &[channel, left] = *messages_.begin();
  throw InputError(
      recording_.path, 0,
      fmt::format("{} fits the recorded ranks, but not {}: of what rank {} sends to rank {} with "
                  "tag {} there, {} {}. Record more ranks",
                  pattern_.text(), grid_.ranks(), channel[0], channel[1], channel[3],
                  left > 0 ? left : -left,
                  left > 0 ? "would not be received" : "would be received and not sent"));
}

} // namespace gnomon::extrapolation
