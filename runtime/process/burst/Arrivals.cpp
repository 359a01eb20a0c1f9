// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Arrivals.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace gnomon::process::burst {
namespace {

constexpr unsigned InVainAt = 3, CallsAt = 8, NumberAt = 20;
constexpr int64_t KindMask = 7, InVainMask = 31, NumberMask = 0x7fffffff;

int64_t pack(const Arrived &message) {
  return int64_t{message.tag} << 32 | static_cast<uint32_t>(message.source);
}

Arrived unpack(int64_t value) {
  return {static_cast<int32_t>(value), static_cast<int32_t>(value >> 32)};
}

const PointLog *find(const DecisionLog &log, const PointKey &key) {
  const auto found = std::ranges::find_if(log.points, [&](const PointLog &point) {
    return point.key.file == key.file && point.key.function == key.function;
  });
  return found == log.points.end() || found->execute ? nullptr : &*found;
}

PointLog logOf(const char *function, const char *what) {
  PointLog log;
  log.key = {"MPI", function, 0, 1};
  log.bits = 64;
  log.what = what;
  return log;
}

} // namespace

Arrivals::Arrivals(const DecisionLog *given, Contradict contradict)
    : given_(given), contradict_(std::move(contradict)) {
  of_[Receives].log =
      logOf("MPI_ANY_SOURCE", "the message that a receive from any source, or of any tag, got");
  of_[Polls].log = logOf("MPI_Test", "what a poll found, and when");
  for (Order &order : of_)
    if (given)
      order.given = find(*given, order.log.key);
  running_ = this;
}

Arrivals::~Arrivals() { running_ = nullptr; }

Arrivals::OfRank &Arrivals::of(uint32_t rank) {
  if (rank >= ranks_.size())
    ranks_.resize(rank + 1);
  return ranks_[rank];
}

const Values *Arrivals::valuesFor(Of what, uint32_t rank) const {
  static const Values none;
  const PointLog *given = of_[what].given;
  if (!given)
    return nullptr;
  if (given->alike)
    return &given->ofRank[0];
  return rank < given->ofRank.size() ? &given->ofRank[rank] : &none;
}

/// The next value of the rank; nothing when there is none.
std::optional<int64_t> Arrivals::take(Of what, uint32_t rank) {
  const Values *values = valuesFor(what, rank);
  return values ? of(rank).cursors[what].next(*values) : std::nullopt;
}

void Arrivals::append(Of what, uint32_t rank, int64_t value) {
  std::vector<Values> &ofRank = of_[what].log.ofRank;
  if (rank >= ofRank.size())
    ofRank.resize(rank + 1);
  appendRun(ofRank[rank], {value, 1});
}

void Arrivals::contradict(Of what, uint32_t rank, const std::string &sentence) {
  of(rank).lost = true;
  contradict_(rank, of_[what].log, sentence);
}

std::optional<Arrived> Arrivals::nextMessage(uint32_t rank) {
  if (!of_[Receives].given || of(rank).lost)
    return std::nullopt;
  const std::optional<int64_t> value = take(Receives, rank);
  if (!value)
    contradict(Receives, rank,
               fmt::format("it is passed once more than the {} times that were recorded",
                           of(rank).cursors[Receives].passed));
  if (!value || *value == Unknown)
    return std::nullopt;
  return unpack(*value);
}

void Arrivals::await(uint32_t rank, const void *key) {
  OfRank &own = of(rank);
  own.places[key] = own.first + own.posted.size();
  own.posted.emplace_back();
}

void Arrivals::got(uint32_t rank, const void *key, std::optional<Arrived> message) {
  OfRank &own = of(rank);
  const auto place = own.places.find(key);
  if (place == own.places.end())
    return;
  own.posted[place->second - own.first] = message ? pack(*message) : Unknown;
  own.places.erase(place);
  while (!own.posted.empty() && own.posted.front()) {
    append(Receives, rank, *own.posted.front());
    own.posted.pop_front();
    ++own.first;
  }
}

void Arrivals::called(uint32_t rank) {
  OfRank &own = of(rank);
  ++own.calls;
  own.inVain = 0;
}

void Arrivals::inVain(uint32_t rank, uint64_t polls) { of(rank).inVain += polls; }

void Arrivals::found(uint32_t rank, const Found &found) {
  OfRank &own = of(rank);
  append(Polls, rank,
         static_cast<int64_t>(found.kind) |
             std::min<int64_t>(std::bit_width(own.inVain), InVainMask) << InVainAt |
             int64_t{std::min(own.calls, MostCalls)} << CallsAt |
             (int64_t{found.number} & NumberMask) << NumberAt);
  for (const uint32_t request : found.some)
    append(Polls, rank, request);
  if (found.kind == Found::Kind::Message)
    append(Polls, rank, pack(found.message));
  own.calls = 0;
  own.inVain = 0;
}

void Arrivals::readNext(uint32_t rank, OfRank &own) {
  const std::optional<int64_t> value = take(Polls, rank);
  if (!value)
    return;
  Found next{static_cast<Found::Kind>(*value & KindMask),
             static_cast<uint32_t>(*value >> NumberAt & NumberMask)};
  const int64_t width = *value >> InVainAt & InVainMask;
  own.nextInVain = width ? uint64_t{1} << (width - 1) : 0;
  own.nextCalls = static_cast<uint32_t>(*value >> CallsAt) & MostCalls;
  if (next.kind == Found::Kind::Some)
    for (uint32_t i = 0; i < next.number; ++i) {
      const std::optional<int64_t> request = take(Polls, rank);
      if (!request)
        break;
      next.some.push_back(static_cast<uint32_t>(*request));
    }
  if (next.kind == Found::Kind::Message)
    next.message = unpack(take(Polls, rank).value_or(Unknown));
  own.next = std::move(next);
}

const Found *Arrivals::next(uint32_t rank) {
  OfRank &own = of(rank);
  if (!of_[Polls].given || own.lost)
    return nullptr;
  if (!own.next)
    readNext(rank, own);
  static const Found nothing{Found::Kind::Some, 0};
  return own.next ? &*own.next : &nothing;
}

Arrivals::Due Arrivals::due(uint32_t rank) const {
  const OfRank &own = ranks_[rank];
  if (!own.next)
    return Due::Later;
  const uint32_t calls = std::min(own.calls, MostCalls);
  if (calls < own.nextCalls)
    return Due::Later;
  return calls > own.nextCalls || own.inVain >= own.nextInVain ? Due::Now : Due::WhenThere;
}

void Arrivals::take(uint32_t rank) {
  OfRank &own = of(rank);
  own.next.reset();
  own.calls = 0;
  own.inVain = 0;
  own.heldBack = 0;
}

void Arrivals::holdBack(uint32_t rank) {
  if (++of(rank).heldBack == MostHeldBack)
    contradict(
        Polls, rank,
        fmt::format("it polls {} times in a row for something else than it found next when it was "
                    "recorded",
                    MostHeldBack));
}

bool Arrivals::contradictHeldBack() {
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
    if (ranks_[rank].heldBack > 0 && !ranks_[rank].lost) {
      contradict(Polls, rank,
                 "it polls for something else than it found next when it was recorded, and nothing "
                 "else happens any more");
      return true;
    }
  return false;
}

std::vector<PointLog> Arrivals::recorded() const {
  std::vector<PointLog> logs;
  for (const Order &order : of_)
    logs.push_back(order.log);
  // Receives that nobody was told of, and those behind them that were.
  std::vector<Values> &receives = logs[Receives].ofRank;
  for (size_t rank = 0; rank < ranks_.size(); ++rank)
    for (const std::optional<int64_t> &posted : ranks_[rank].posted) {
      receives.resize(std::max(receives.size(), rank + 1));
      appendRun(receives[rank], {posted.value_or(Unknown), 1});
    }
  std::erase_if(logs, [](const PointLog &log) { return log.ofRank.empty(); });
  return logs;
}

std::optional<Arrivals::Missed> Arrivals::missed(uint32_t ranks) {
  for (const Of what : {Receives, Polls})
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      const Values *values = valuesFor(what, rank);
      const uint64_t recorded = values ? timesOf(*values) : 0;
      const uint64_t passed = of(rank).cursors[what].passed;
      if (passed < recorded && !of(rank).lost)
        return Missed{rank, of_[what].log, passed, recorded};
    }
  return std::nullopt;
}

uint64_t Arrivals::passed() const {
  uint64_t passed = 0;
  for (const OfRank &rank : ranks_)
    for (const ValueCursor &cursor : rank.cursors)
      passed += cursor.passed;
  for (const PointLog &log : recorded())
    for (const Values &values : log.ofRank)
      passed += timesOf(values);
  return passed;
}

uint64_t Arrivals::points() const {
  if (records())
    return recorded().size();
  uint64_t points = 0;
  for (const Of what : {Receives, Polls})
    points += std::ranges::any_of(
        ranks_, [&](const OfRank &rank) { return rank.cursors[what].passed > 0; });
  return points;
}

} // namespace gnomon::process::burst
