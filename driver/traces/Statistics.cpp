// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "traces/Statistics.h"

#include "support/Check.h"
#include "trace-formats/Calls.h"
#include "trace-formats/Groups.h"
#include "trace-formats/RecordView.h"
#include "trace-formats/Requests.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <unordered_map>

namespace gnomon::traces {
namespace {

using trace::RecordView;

bool isSend(std::string_view name) {
  static constexpr std::string_view Names[] = {"MPI_Send",
                                               "MPI_Bsend",
                                               "MPI_Ssend",
                                               "MPI_Rsend",
                                               "MPI_Isend",
                                               "MPI_Ibsend",
                                               "MPI_Issend",
                                               "MPI_Irsend",
                                               "MPI_Send_init",
                                               "MPI_Bsend_init",
                                               "MPI_Ssend_init",
                                               "MPI_Rsend_init",
                                               "MPI_Sendrecv",
                                               "MPI_Isendrecv",
                                               "MPI_Sendrecv_replace",
                                               "MPI_Isendrecv_replace"};
  return std::find(std::begin(Names), std::end(Names), name) != std::end(Names);
}

/// Whether the buffer that a collective sends has its count for each process.
bool isForEach(std::string_view name) {
  return name.ends_with("lltoall") || name.ends_with("catter") || name.ends_with("_scatter_block");
}

/// Bytes of the buffer of that name; 0 where the record has none, or it does not count.
uint64_t bytesOf(const RecordView &view, std::string_view buffer, uint64_t times) {
  const int64_t size = view.value(fmt::format("{}.size", buffer)).value_or(0);
  if (const std::optional<int64_t> count = view.value(fmt::format("{}.count", buffer)))
    return *count > 0 && size > 0
               ? static_cast<uint64_t>(*count) * static_cast<uint64_t>(size) * times
               : 0;
  const std::span<const int64_t> counts = view.list(fmt::format("{}.counts", buffer));
  const std::span<const int64_t> sizes = view.list(fmt::format("{}.sizes", buffer));
  uint64_t sum = 0;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      sum += static_cast<uint64_t>(counts[i]) *
             static_cast<uint64_t>(i < sizes.size() ? sizes[i] : size);
  return sum;
}

/// One rank's reading.
class Reading {
public:
  Reading(const trace::Source &source, const trace::Groups &groups, uint32_t rank, Statistics &into)
      : source_(source), groups_(groups), rank_(rank), into_(into) {}

  void run() {
    const std::unique_ptr<trace::Cursor> cursor = source_.open(rank_);
    RecordView view;
    uint64_t records = 0;
    for (trace::Record record; cursor->next(record); ++records) {
      CHECK(view.set(source_.functions()[record.function], record), "a record fits its function");
      into_.valueBytes += 8 * (1 + record.values.size());
      take(view);
    }
    into_.records += records;
    into_.recordsOfRank.add(static_cast<double>(records));
    into_.bytesOfRank.add(static_cast<double>(bytes_));
    into_.instructionsOfRank.add(instructions_);
    into_.secondsOfRank.add(seconds_);
  }

private:
  void take(const RecordView &view) {
    Statistics::Calls &of = functionOf(view);
    ++of.calls;
    if (trace::isVolume(view.name()))
      return compute(view);
    const uint64_t bytes = sent(view);
    of.bytes += bytes;
    bytes_ += bytes;
  }

  /// By number: names are looked up once.
  Statistics::Calls &functionOf(const RecordView &view) {
    if (view.number() >= functions_.size())
      functions_.resize(view.number() + 1);
    Statistics::Calls *&of = functions_[view.number()];
    if (!of)
      of = &into_.functions[std::string(view.name())];
    return *of;
  }

  void compute(const RecordView &view) {
    const int64_t number = view.value("burst").value_or(-1);
    const bool named = number >= 0 && static_cast<size_t>(number) < source_.texts().size();
    Statistics::Burst *&of = bursts_[number];
    if (!of)
      of = &into_.bursts[named ? source_.texts()[static_cast<size_t>(number)] : ""];
    ++of->times;
    const auto known = [&view](std::string_view field) {
      const std::optional<int64_t> bits = view.value(field);
      const double value = bits ? trace::realOf(*bits) : 0;
      return std::isfinite(value) ? value : 0;
    };
    of->instructions += known("instructions");
    of->seconds += known("seconds");
    instructions_ += known("instructions");
    seconds_ += known("seconds");
  }

  void message(uint64_t bytes) {
    ++into_.messages;
    into_.messageBytes += bytes;
    ++into_.messagesOf[static_cast<size_t>(std::bit_width(bytes))];
  }

  uint64_t sent(const RecordView &view) {
    const std::string_view name = view.name();
    if (isSend(name)) {
      const uint64_t bytes = bytesOf(view, view.has("buf.count") ? "buf" : "sendbuf", 1);
      if (view.value("dest").value_or(0) == trace::NullPeer)
        return 0;
      if (name.ends_with("_init")) {
        persistent_[view.value("request").value_or(0)] = bytes;
        return 0;
      }
      message(bytes);
      return bytes;
    }
    if (name == "MPI_Start" || name == "MPI_Startall")
      return started(view);
    if (name == "MPI_Bcast" || name == "MPI_Ibcast") {
      const std::optional<uint32_t> root = groups_.world(view.value("comm").value_or(trace::World),
                                                         view.value("root").value_or(0), rank_);
      return root == rank_ ? bytesOf(view, "buffer", 1) : 0;
    }
    const uint32_t size =
        isForEach(name) ? groups_.size(view.value("comm").value_or(trace::World)) : 1;
    return bytesOf(view, view.has("origin_addr.count") ? "origin_addr" : "sendbuf", size);
  }

  uint64_t started(const RecordView &view) {
    uint64_t sum = 0;
    const auto start = [&](int64_t slot) {
      const auto found = persistent_.find(slot);
      if (found == persistent_.end())
        return;
      message(found->second);
      sum += found->second;
    };
    if (const std::optional<int64_t> slot = view.value("request"))
      start(*slot);
    for (const int64_t slot : view.list("requests"))
      start(slot);
    return sum;
  }

  const trace::Source &source_;
  const trace::Groups &groups_;
  const uint32_t rank_;
  Statistics &into_;
  uint64_t bytes_ = 0;
  double instructions_ = 0, seconds_ = 0;
  std::vector<Statistics::Calls *> functions_;
  std::unordered_map<int64_t, Statistics::Burst *> bursts_; ///< by text; never walked through
  std::unordered_map<int64_t, uint64_t> persistent_;        ///< bytes by request
};

} // namespace

void Spread::add(double value) {
  least = count ? std::min(least, value) : value;
  most = count ? std::max(most, value) : value;
  sum += value;
  ++count;
}

Statistics statisticsOf(const trace::Source &source,
                        const std::function<void(uint64_t, uint64_t)> &progress) {
  Statistics statistics;
  const trace::Groups groups(source);
  for (uint32_t rank = 0; rank < source.facts().ranks; ++rank) {
    Reading(source, groups, rank, statistics).run();
    if (progress)
      progress(rank + 1, source.facts().ranks);
  }
  return statistics;
}

} // namespace gnomon::traces
