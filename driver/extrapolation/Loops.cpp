// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "extrapolation/Loops.h"

#include "patterns/Walker.h"

#include <algorithm>
#include <array>

namespace gnomon::extrapolation {
namespace {

using patterns::Recording;
using patterns::Walker;
using slices::Effect;
using trace::Kind;

struct Call {
  uint32_t function = 0;
  std::vector<int64_t> values;
  bool isMessage = false, isCollective = false;
  bool operator==(const Call &) const = default;
};

/// The last calls, and for each period how many calls in a row were those of a period before.
class Periods {
public:
  /// The turns of a loop that ends in front of \p call and are among \p wanted; 0: there is none.
  uint64_t next(const Call &call, const Turns &wanted) {
    uint64_t found = 0;
    const std::array<uint64_t, MostCalls + 1> before = matches_;
    for (size_t period = 1; period <= MostCalls; ++period) {
      if (period <= count_ && at(period) == call) {
        ++matches_[period];
        continue;
      }
      if (const uint64_t turns = turnsOf(period, before, wanted); found == 0)
        found = turns;
      matches_[period] = 0;
    }
    calls_[count_++ % MostCalls] = call;
    return found;
  }

private:
  const Call &at(size_t back) const { return calls_[(count_ - back) % MostCalls]; }

  /// Of the loop with that period; 0 where it has none, or one with a shorter period, or one
  /// without communication.
  uint64_t turnsOf(size_t period, const std::array<uint64_t, MostCalls + 1> &matches,
                   const Turns &wanted) const {
    if (matches[period] < period)
      return 0;
    for (size_t shorter = 1; shorter < period; ++shorter)
      if (period % shorter == 0 && matches[shorter] >= matches[period])
        return 0;
    bool messages = false, collectives = false;
    for (size_t back = 1; back <= period; ++back) {
      messages = messages || at(back).isMessage;
      collectives = collectives || at(back).isCollective;
    }
    const uint64_t turns = matches[period] / period + 1;
    return (messages && wanted.ofMessages.contains(turns)) ||
                   (collectives && wanted.ofCollectives.contains(turns))
               ? turns
               : 0;
  }

  std::array<Call, MostCalls> calls_;
  uint64_t count_ = 0;
  std::array<uint64_t, MostCalls + 1> matches_{};
};

} // namespace

std::optional<Loop> suspiciousLoop(const Recording &recording, uint32_t rank, const Turns &turns) {
  Walker walker(recording, rank);
  Periods periods;
  Call call;
  bool more = true;
  while (more) {
    more = walker.next();
    const Effect effect = more ? walker.plan().effect : Effect::None;
    call.function = more ? walker.view().number() : UINT32_MAX; // the end is a call of its own
    call.values.clear();
    for (size_t field = 0; more && field < walker.plan().roles.size(); ++field)
      if (const Kind kind = walker.view().function().fields[field].kind;
          kind == Kind::Peer || kind == Kind::Comm) // sizes and tags may differ from turn to turn
        call.values.push_back(walker.view().values(field)[0]);
    call.isMessage = effect == Effect::Send || effect == Effect::Receive || effect == Effect::Both;
    call.isCollective = effect == Effect::Collective;
    if (const uint64_t found = periods.next(call, turns); found > 0)
      return Loop{{rank, walker.place().record == 0 ? 0 : walker.place().record - 1}, found};
  }
  return std::nullopt;
}

} // namespace gnomon::extrapolation
