// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "traces/Slice.h"

#include "support/Check.h"
#include "support/Error.h"
#include "trace-formats/Calls.h"
#include "trace-formats/Copy.h"
#include "trace-formats/LineReader.h"
#include "trace-formats/Requests.h"
#include "trace/TraceWriter.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::traces {
namespace {

using trace::Kind;
using trace::RecordView;

/// Members that are kept, by their new numbers.
trace::Group keptOf(const trace::Group &group, const Matching &matching) {
  trace::Group kept;
  for (const auto &[from, to] :
       {std::pair(&group.members, &kept.members), std::pair(&group.remote, &kept.remote)})
    for (const uint32_t member : *from)
      if (const std::optional<uint32_t> now = matching.kept(member))
        to->push_back(*now);
  return kept;
}

/// A request of the trace, as the cut knows it.
struct Request {
  int64_t now = 0; ///< its slot in the cut; 0: it is not in it
  bool persistent = false, active = false;
  std::optional<Channel> sent, received;
};

/// One rank's records on their way into the cut.
class RankSlice {
public:
  RankSlice(const trace::Source &source, Matching &matching, const Cut &cut, trace::Copier &copier,
            trace::Sink &sink, trace::Losses &losses, uint32_t rank)
      : source_(source), matching_(matching), cut_(cut), copier_(copier), sink_(sink),
        losses_(losses), rank_(rank), now_(*matching.kept(rank)) {}

  void run() {
    const std::unique_ptr<trace::Cursor> cursor = source_.open(rank_);
    RecordView view;
    for (trace::Record record; number_ < cut_.end && cursor->next(record); ++number_) {
      CHECK(view.set(source_.functions()[record.function], record), "a record fits its function");
      values_.assign(record.values.begin(), record.values.end());
      if (number_ < cut_.first)
        passOver(view);
      else if (take(view))
        copier_.append(now_, {record.function, values_});
    }
    waitForOpen();
  }

private:
  /// Of a record before the cut: only its requests are known later.
  void passOver(const RecordView &view) {
    trace::requestUse(view, use_);
    if (use_.made > 0)
      requests_[use_.made] = {};
  }

  /// Whether the record is kept; its values are then those in the cut.
  bool take(const RecordView &view) {
    const Effect effect = effectOf(view);
    switch (effect) {
    case Effect::Complete:
      return complete(view);
    case Effect::Start:
      return start(view);
    case Effect::Free:
      return free(view);
    case Effect::Collective:
      return matching_.nextCollective(*view.value("comm"), rank_) ? make(view) : unmatched(view);
    case Effect::None:
    case Effect::Unknown:
      return true;
    default:
      return message(view, effect);
    }
  }

  bool message(const RecordView &view, Effect effect) {
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

  bool bothKept(const Channel &channel) const {
    return matching_.kept(static_cast<uint32_t>(channel[0])) &&
           matching_.kept(static_cast<uint32_t>(channel[1]));
  }

  /// Leaves a call out that has no counterpart, or refuses it.
  bool unmatched(const RecordView &view) {
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

  /// Keeps a call, with a new slot for the request that it makes.
  bool make(const RecordView &view, Request request = {}) {
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
  size_t placeOf(const RecordView &view, size_t field) const {
    size_t at = 0;
    for (size_t before = 0; before < field; ++before)
      at += view.values(before).size() + (view.function().fields[before].list ? 1 : 0);
    return at;
  }

  void set(const RecordView &view, std::string_view field, int64_t value) {
    values_[placeOf(view, view.find(field))] = value;
  }

  /// Peers are ranks of communicators that may have fewer members now.
  void renumber(const RecordView &view) {
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
  bool isKept(int64_t slot, bool active) const {
    const auto found = requests_.find(slot);
    return found != requests_.end() && found->second.now != 0 && (!active || found->second.active);
  }

  /// Puts the new slots of those requests of the record that are kept; false where none is.
  bool keepRequests(const RecordView &view, bool active) {
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

  bool complete(const RecordView &view) {
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

  void release(int64_t slot) {
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
  bool start(const RecordView &view) {
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

  bool free(const RecordView &view) {
    const bool keep = keepRequests(view, false);
    if (const auto found = requests_.find(view.value("request").value_or(0));
        found != requests_.end()) {
      if (found->second.now != 0)
        slots_.give(found->second.now);
      requests_.erase(found);
    }
    return keep;
  }

  /// What is open at the end of a cut by calls would never be waited for.
  void waitForOpen() {
    if (cut_.end == UINT64_MAX)
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

  const trace::Source &source_;
  Matching &matching_;
  const Cut &cut_;
  trace::Copier &copier_;
  trace::Sink &sink_;
  trace::Losses &losses_;
  const uint32_t rank_, now_; ///< in the trace, in the cut
  uint64_t number_ = 0;
  std::vector<int64_t> values_;
  std::map<int64_t, Request> requests_; ///< by slot in the trace
  trace::Slots slots_;
  trace::RequestUse use_;
};

} // namespace

std::vector<uint32_t> ranksOf(const std::string &text, uint32_t ranks) {
  std::vector<uint32_t> all;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const size_t dash = std::min(part.find('-'), part.size());
    int64_t first = 0, last = 0;
    if (!trace::readInteger(part.substr(0, dash), 0, int64_t{ranks} - 1, first) ||
        !trace::readInteger(dash < part.size() ? part.substr(dash + 1) : part, first,
                            int64_t{ranks} - 1, last))
      throw InputError("", 0,
                       fmt::format("--ranks: '{}' is no range of the trace's ranks 0 to {}: 0-7,12",
                                   part, ranks - 1));
    for (int64_t rank = first; rank <= last; ++rank)
      all.push_back(static_cast<uint32_t>(rank));
    at = end + 1;
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void callsOf(const std::string &text, Cut &cut) {
  const size_t dots = text.find("..");
  int64_t first = 0, end = INT64_MAX;
  const bool good =
      dots != std::string::npos &&
      (dots == 0 || trace::readInteger(text.substr(0, dots), 0, INT64_MAX, first)) &&
      (dots + 2 == text.size() || trace::readInteger(text.substr(dots + 2), first, INT64_MAX, end));
  if (!good)
    throw InputError(
        "", 0,
        fmt::format("--calls: '{}' is no range: A..B, from record A of each rank up to "
                    "and without B; A.. and ..B",
                    text));
  cut.first = static_cast<uint64_t>(first);
  if (dots + 2 < text.size())
    cut.end = static_cast<uint64_t>(end);
}

std::string slice(const trace::Source &source, const std::string &path, const Cut &cut,
                  const std::string &output, trace::Conversion &conversion) {
  Matching matching(source, path, cut);
  trace::Facts facts = source.facts();
  facts.ranks = static_cast<uint32_t>(cut.ranks.size());
  facts.origin = fmt::format("gnomon trace slice ({})", facts.origin);
  trace::TraceWriter writer(output, facts.ranks);
  std::vector<int64_t> rows{trace::World, trace::Self};
  for (size_t row = rows.size(); row < source.communicators().size(); ++row)
    rows.push_back(writer.communicator(keptOf(source.communicators()[row], matching)));
  trace::Copier copier(source, writer, [&rows](int64_t comm) {
    return comm >= 0 && static_cast<size_t>(comm) < rows.size() ? rows[static_cast<size_t>(comm)]
                                                                : comm;
  });
  for (size_t i = 0; i < cut.ranks.size(); ++i) {
    RankSlice(source, matching, cut, copier, writer, conversion.losses, cut.ranks[i]).run();
    if (conversion.progress)
      conversion.progress(i + 1, cut.ranks.size());
  }
  return writer.finish(facts);
}

} // namespace gnomon::traces
