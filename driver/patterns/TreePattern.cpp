// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/TreePattern.h"

#include "patterns/Walker.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace gnomon::patterns {
namespace {

/// Codes of k are below all that a peer can be: the rank with bit k flipped, the one 2^k (or k)
/// behind, the one so far before.
constexpr int64_t FirstCode = -100, Kinds = int64_t{1} << 32;
enum Kind : uint8_t { Flip, Plus, Minus };

int64_t code(Kind kind, int64_t k) { return FirstCode - kind * Kinds - k; }
bool isCode(int64_t value) { return value <= FirstCode; }
Kind kindOf(int64_t code) { return static_cast<Kind>((FirstCode - code) / Kinds); }
int64_t exponentOf(int64_t code) { return (FirstCode - code) % Kinds; }

constexpr size_t MostCallsOfTurn = 16;

bool isPeer(Role role) { return role == Role::Peer; }

/// Calls f(field, place of its first value) for fields of a record with such values.
template <class F>
void eachField(const trace::Function &function, std::span<const int64_t> values, F f) {
  size_t at = 0;
  for (size_t field = 0; field < function.fields.size(); ++field) {
    f(field, at);
    at += 1 + (function.fields[field].list ? static_cast<size_t>(values[at]) : 0);
  }
}

} // namespace

/// Expands the template of a rank's class.
class TreeExpectation final : public Expectation {
public:
  TreeExpectation(const TreePattern &pattern, uint32_t ranks, uint32_t rank)
      : pattern_(pattern), of_(rank == 0 ? pattern.root_ : pattern.others_), ranks_(ranks),
        rank_(rank), standing_(pattern.standingOf(rank, ranks)) {}

  bool next(Expected &expected) override {
    while (token_ < of_.tokens.size()) {
      const TreePattern::Token &token = of_.tokens[token_];
      if (call_ == 0 && !turn_)
        begin(token);
      if (token.step != 0 && (*turn_ - end_) * token.step > 0) {
        ++token_;
        call_ = 0;
        turn_.reset();
        continue;
      }
      give(token, expected);
      if (++call_ == token.calls) {
        call_ = 0;
        *turn_ += token.step;
        if (token.step == 0) {
          ++token_;
          turn_.reset();
        }
      }
      return true;
    }
    expected.volumes = of_.lastVolumes;
    return false;
  }

private:
  /// A run starts at its first k.
  void begin(const TreePattern::Token &token) {
    turn_ = token.step == 0 ? 0 : pattern_.valueOf(token.from, standing_);
    end_ = token.step == 0 ? 0 : pattern_.valueOf(token.to, standing_);
  }

  /// The turn of the recorded run whose k is this one's, or the nearest: volumes are its.
  size_t recordedTurn(const TreePattern::Token &token) const {
    if (token.step == 0)
      return 0;
    const int64_t last = static_cast<int64_t>(token.turns) - 1;
    const int64_t turn = token.to.isFixed && !token.from.isFixed
                             ? last - (end_ - *turn_) * token.step
                             : (*turn_ - pattern_.valueOf(token.from, standing_)) * token.step;
    return static_cast<size_t>(std::clamp<int64_t>(turn, 0, last));
  }

  void give(const TreePattern::Token &token, Expected &expected) {
    const Expected &recorded = of_.calls[token.first + recordedTurn(token) * token.calls + call_];
    expected = recorded;
    const int64_t shift = token.step == 0
                              ? 0
                              : *turn_ - (*pattern_.firstExponent(of_, token.first, token.calls) +
                                          static_cast<int64_t>(recordedTurn(token)) * token.step);
    const Plan &plan = pattern_.recording_.plans[recorded.function];
    const trace::Function &function = pattern_.recording_.source.functions()[recorded.function];
    eachField(function, recorded.values, [&](size_t field, size_t at) {
      int64_t &value = expected.values[at];
      if (!isPeer(plan.roles[field]) || !isCode(value))
        return;
      const int64_t k =
          token.step != 0
              ? exponentOf(value) + shift
              : pattern_.valueOf(pattern_.exponent(exponentOf(value), of_.standing), standing_);
      value = peer(kindOf(value), k, recorded.from);
    });
    growLists(plan, function, recorded, expected);
  }

  int64_t peer(Kind kind, int64_t k, Place from) const {
    if (k < 0 || k >= standing_.height)
      throw Irregular{from, "its peer is none that a rank of another level can have"};
    const bool isDistance = pattern_.peers_ == TreePattern::Peers::Counted;
    const uint32_t distance = isDistance ? static_cast<uint32_t>(k) : uint32_t{1} << k;
    if (kind == Flip)
      return rank_ ^ distance;
    return (rank_ + (kind == Plus ? distance : ranks_ - distance)) % ranks_;
  }

  /// Lists with an element for each rank, all alike.
  void growLists(const Plan &plan, const trace::Function &function, const Expected &recorded,
                 Expected &expected) const {
    if (ranks_ == pattern_.grid_.ranks() ||
        std::find(plan.roles.begin(), plan.roles.end(), Role::Members) == plan.roles.end())
      return;
    expected.values.clear();
    eachField(function, recorded.values, [&](size_t field, size_t at) {
      const bool isList = function.fields[field].list;
      const size_t count = isList ? static_cast<size_t>(recorded.values[at]) : 0;
      const auto first = recorded.values.begin() + static_cast<ptrdiff_t>(at);
      if (plan.roles[field] != Role::Members || count != pattern_.grid_.ranks()) {
        expected.values.insert(expected.values.end(), first,
                               first + 1 + static_cast<ptrdiff_t>(count));
        return;
      }
      if (std::adjacent_find(first + 1, first + 1 + static_cast<ptrdiff_t>(count),
                             std::not_equal_to<>()) != first + 1 + static_cast<ptrdiff_t>(count))
        throw Irregular{recorded.from, "each process has a size of its own there, without a rule"};
      expected.values.push_back(ranks_);
      expected.values.insert(expected.values.end(), ranks_, first[1]);
    });
  }

  const TreePattern &pattern_;
  const TreePattern::Template &of_;
  const uint32_t ranks_, rank_;
  const TreePattern::Standing standing_;
  size_t token_ = 0, call_ = 0;
  std::optional<int64_t> turn_; ///< the k of the first call of this turn of the run
  int64_t end_ = 0;             ///< that of the last turn
};

TreePattern::TreePattern(const Recording &recording, Peers peers, Ends ends, Trust trust)
    : recording_(recording), grid_({recording.source.facts().ranks}),
      families_(recording.source, grid_), peers_(peers), ends_(ends), trust_(trust), root_(read(0)),
      others_(read(peers == Peers::Counted ? 1 : grid_.ranks() / 2)) {}

std::string TreePattern::text() const {
  switch (peers_) {
  case Peers::Flipped:
    return "a binomial tree, or an exchange over bits of the rank";
  case Peers::Shifted:
    return "an exchange at distances that double";
  case Peers::Counted:
    return "an exchange of each with each";
  }
  return {};
}

std::unique_ptr<Expectation> TreePattern::open(const Grid &grid, uint32_t rank) const {
  return std::make_unique<TreeExpectation>(*this, grid.ranks(), rank);
}

bool TreePattern::isFor(const Grid &grid) const {
  return grid.dimensions() == 1 && grid.ranks() > 1 &&
         (peers_ == Peers::Counted || std::has_single_bit(grid.ranks()));
}

TreePattern::Standing TreePattern::standingOf(uint32_t rank, uint32_t ranks) const {
  if (peers_ == Peers::Counted)
    return {ranks, ranks};
  const int64_t height = std::bit_width(ranks) - 1;
  return {rank == 0 ? height : std::countr_zero(rank), height};
}

/// Peers that are no power of two away stay as they are: rank 0, to which all send.
int64_t TreePattern::codeOf(uint32_t rank, uint32_t peer, std::string_view field) const {
  const uint32_t flipped = rank ^ peer;
  if (peers_ == Peers::Flipped)
    return std::has_single_bit(flipped) ? code(Flip, std::countr_zero(flipped)) : int64_t{peer};
  const uint32_t behind = (peer + grid_.ranks() - rank) % grid_.ranks();
  const uint32_t before = (rank + grid_.ranks() - peer) % grid_.ranks();
  if (peers_ == Peers::Counted && peer != rank)
    return field == "source" ? code(Minus, before) : code(Plus, behind);
  const bool isHalf = behind == before; // both ways: that which a source mostly is
  if (std::has_single_bit(behind) && (isHalf ? field != "source" : behind < before))
    return code(Plus, std::countr_zero(behind));
  return std::has_single_bit(before) ? code(Minus, std::countr_zero(before)) : int64_t{peer};
}

TreePattern::Template TreePattern::read(uint32_t rank) const {
  Template of;
  of.standing = standingOf(rank, grid_.ranks());
  Walker walker(recording_, rank);
  walker.keepsVolumes = true;
  while (walker.next()) {
    if (of.calls.size() == MostCalls)
      throw Irregular{walker.place(), "too many calls for a tree to be found: cut the trace by "
                                      "'gnomon trace slice --calls'"};
    Expected call;
    call.function = walker.view().number();
    call.from = walker.place();
    call.volumes = walker.takeVolumes();
    walker.encode(families_, call.values);
    const Plan &plan = walker.plan();
    if (std::find(plan.roles.begin(), plan.roles.end(), Role::Extents) != plan.roles.end())
      throw Irregular{walker.place(), "a Cartesian grid is no tree"};
    eachField(walker.view().function(), call.values, [&](size_t field, size_t at) {
      int64_t &value = call.values[at];
      const Role role = plan.roles[field];
      if (isPeer(role) && value == trace::AnyPeer)
        throw Irregular{walker.place(), "any source: from whom it received is not known"};
      if ((!isPeer(role) && role != Role::Root) || value < 0)
        return;
      if (value >= int64_t{grid_.ranks()})
        throw Irregular{walker.place(), "a rank that there is not"};
      if (isPeer(role) &&
          Families::along(call.values[walker.placeOf(plan.comm)], grid_) == grid_.all())
        value =
            codeOf(rank, static_cast<uint32_t>(value), walker.view().function().fields[field].name);
      if (value > 0)
        throw Irregular{walker.place(),
                        "a rank other than the first one, and no power of two away"};
    });
    of.calls.push_back(std::move(call));
  }
  of.lastVolumes = walker.takeVolumes();
  tokenize(of);
  return of;
}

/// Whether a call is another one, with k so much more wherever it has one. Which must be somewhere.
bool TreePattern::isStepped(const Template &of, size_t first, size_t then, int64_t step) const {
  const Expected &one = of.calls[first], &other = of.calls[then];
  if (one.function != other.function || one.values.size() != other.values.size())
    return false;
  const Plan &plan = recording_.plans[one.function];
  bool same = true;
  eachField(recording_.source.functions()[one.function], one.values, [&](size_t field, size_t at) {
    const bool hasK = isPeer(plan.roles[field]) && isCode(one.values[at]);
    same = same &&
           (hasK ? other.values[at] == one.values[at] - step : other.values[at] == one.values[at]);
  });
  return same && std::equal(one.values.begin(), one.values.end(), other.values.begin(),
                            [](int64_t a, int64_t b) { return a == b || isCode(a); });
}

/// The first k among so many calls.
std::optional<int64_t> TreePattern::firstExponent(const Template &of, size_t first,
                                                  size_t calls) const {
  for (size_t i = first; i < first + calls; ++i) {
    const Plan &plan = recording_.plans[of.calls[i].function];
    std::optional<int64_t> found;
    eachField(recording_.source.functions()[of.calls[i].function], of.calls[i].values,
              [&](size_t field, size_t at) {
                if (!found && isPeer(plan.roles[field]) && isCode(of.calls[i].values[at]))
                  found = exponentOf(of.calls[i].values[at]);
              });
    if (found)
      return found;
  }
  return std::nullopt;
}

/// How many turns a run with so many calls has there; 1: it is none.
size_t TreePattern::turnsAt(const Template &of, size_t first, size_t calls, int64_t &step) const {
  if (first + 2 * calls > of.calls.size())
    return 1;
  const std::optional<int64_t> k = firstExponent(of, first, calls),
                               then = firstExponent(of, first + calls, calls);
  if (!k || !then || (*then - *k != 1 && *then - *k != -1))
    return 1;
  step = *then - *k;
  size_t turns = 1;
  for (; first + (turns + 1) * calls <= of.calls.size(); ++turns)
    for (size_t i = 0; i < calls; ++i)
      if (!isStepped(of, first + (turns - 1) * calls + i, first + turns * calls + i, step))
        return turns;
  return turns;
}

void TreePattern::tokenize(Template &of) const {
  for (size_t at = 0; at < of.calls.size();) {
    Token token{.first = at, .from = {}, .to = {}};
    for (size_t calls = 1; calls <= MostCallsOfTurn && token.step == 0; ++calls) {
      int64_t step = 0;
      const size_t turns = turnsAt(of, at, calls, step);
      if (turns < 2)
        continue;
      const int64_t k = *firstExponent(of, at, calls);
      token = {at,
               calls,
               turns,
               step,
               exponent(k, of.standing),
               exponent(k + step * (static_cast<int64_t>(turns) - 1), of.standing)};
    }
    check(of, token);
    of.tokens.push_back(token);
    at += token.calls * token.turns;
  }
}

/// A shift by 2 on 8 ranks is no k that goes with the height.
void TreePattern::check(const Template &of, const Token &token) const {
  if (trust_ == Trust::Any || peers_ == Peers::Counted)
    return;
  const auto isUsual = [](const Exponent &exponent) {
    return exponent.isFixed || exponent.away == 0 || exponent.away == -1;
  };
  const std::optional<int64_t> k = firstExponent(of, token.first, token.calls);
  const bool isRun = token.step != 0;
  if (isRun ? isUsual(token.from) && isUsual(token.to)
            : !k || *k == 0 || (ends_ == Ends::Level && *k == of.standing.level))
    return;
  throw Irregular{of.calls[token.first].from,
                  "whether it goes with the number of ranks, one size cannot tell; give a second "
                  "size by '--check'"};
}

TreePattern::Exponent TreePattern::exponent(int64_t k, const Standing &standing) const {
  if (k == 0 || (peers_ == Peers::Counted && k == 1))
    return {true, k};
  if (peers_ == Peers::Counted && k != standing.height - 1)
    throw Irregular{std::nullopt, "its peers are neither the next ranks nor all"};
  return {false, k - (ends_ == Ends::Level ? standing.level : standing.height)};
}

int64_t TreePattern::valueOf(const Exponent &exponent, const Standing &standing) const {
  const int64_t from = ends_ == Ends::Level ? standing.level : standing.height;
  return exponent.isFixed ? exponent.away : from + exponent.away;
}

} // namespace gnomon::patterns
