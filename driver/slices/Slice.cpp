// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slices/Slice.h"

#include "slices/RankSlice.h"
#include "support/Check.h"
#include "support/Error.h"
#include "support/Number.h"
#include "trace-formats/Calls.h"
#include "trace-formats/Copy.h"
#include "trace-formats/LineReader.h"
#include "trace/TraceWriter.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace gnomon::slices {
namespace {

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

/// A part of "A..B": volumes, and whether they are seconds.
struct Volumes {
  double first = 0, end = std::numeric_limits<double>::infinity();
  bool seconds = false;
};

[[noreturn]] void refuseVolumes(const std::string &text) {
  throw InputError(
      "", 0,
      fmt::format("--volume: '{}' is no range: A..B, A.. or ..B, instructions (1e6..2e6) "
                  "or seconds (0.5s..1s)",
                  text));
}

Volumes parseVolumes(const std::string &text) {
  const size_t dots = text.find("..");
  if (dots == std::string::npos || text.size() == 2)
    refuseVolumes(text);
  Volumes volumes;
  bool instructions = false;
  const auto parse = [&](std::string part, double &value) {
    if (part.empty())
      return;
    const bool seconds = part.ends_with('s');
    (seconds ? volumes.seconds : instructions) = true;
    try {
      value = parseNumber(part.substr(0, part.size() - (seconds ? 1 : 0)));
    } catch (const NumberError &) {
      refuseVolumes(text);
    }
  };
  parse(text.substr(0, dots), volumes.first);
  parse(text.substr(dots + 2), volumes.end);
  if ((volumes.seconds && instructions) || !(volumes.first >= 0 && volumes.first <= volumes.end))
    refuseVolumes(text);
  return volumes;
}

/// The records in front of which the rank has computed \p volumes.first, but not \p volumes.end.
Cut::Records recordsOf(const Volumes &volumes, const trace::Source &source, const std::string &path,
                       uint32_t rank) {
  Cut::Records records;
  records.first = UINT64_MAX; // none, unless it gets as far as that
  const std::unique_ptr<trace::Cursor> cursor = source.open(rank);
  trace::RecordView view;
  double computed = 0;
  uint64_t number = 0;
  for (trace::Record record; cursor->next(record); ++number) {
    if (computed >= volumes.first)
      records.first = std::min(records.first, number);
    if (computed >= volumes.end) {
      records.end = number;
      break;
    }
    CHECK(view.set(source.functions()[record.function], record), "a record fits its function");
    if (!trace::isVolume(view.name()))
      continue;
    const double volume =
        trace::realOf(view.value(volumes.seconds ? "seconds" : "instructions").value_or(0));
    if (std::isnan(volume))
      throw InputError(
          path, 0,
          fmt::format("rank {}, record {}: {}: no {}; '--volume' takes {} as well", rank, number,
                      view.name(),
                      volumes.seconds ? "seconds were measured" : "instructions were counted",
                      volumes.seconds ? "instructions (1e6..2e6)" : "seconds (0.5s..1s)"));
    computed += volume;
  }
  records.first = std::min({records.first, records.end, number});
  return records;
}

} // namespace

void volumesOf(const std::string &text, const trace::Source &source, const std::string &path,
               Cut &cut) {
  const Volumes volumes = parseVolumes(text);
  cut.each.clear();
  for (const uint32_t rank : cut.ranks)
    cut.each.push_back(recordsOf(volumes, source, path, rank));
}

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
  cut.all.first = static_cast<uint64_t>(first);
  if (dots + 2 < text.size())
    cut.all.end = static_cast<uint64_t>(end);
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

} // namespace gnomon::slices
