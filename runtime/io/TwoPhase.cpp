// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/TwoPhase.h"

#include "io/Runtime.h"
#include "mpi/RankState.h"

#include <algorithm>

namespace gnomon::io {

using Direction = models::DiskModel::Direction;

Buffering Buffering::of(const mpi::Info &hints) {
  auto use = [&](const char *key) {
    const std::string *value = hints.find(key);
    if (value && *value == "enable")
      return Use::Enable;
    return value && *value == "disable" ? Use::Disable : Use::Automatic;
  };
  auto number = [&](const char *key, int64_t otherwise) {
    const std::string *value = hints.find(key);
    const int64_t given = value ? std::strtoll(value->c_str(), nullptr, 10) : 0;
    return given > 0 ? given : otherwise;
  };
  Buffering result{use("romio_cb_read"), use("romio_cb_write")};
  result.nodes = number("cb_nodes", result.nodes);
  result.bufferBytes = number("cb_buffer_size", result.bufferBytes);
  return result;
}

bool wantsBuffering(Buffering::Use use, const std::vector<Span> &spans) {
  if (use != Buffering::Use::Automatic)
    return use == Buffering::Use::Enable;
  // ROMIO's test: whether a rank begins before the one before it ends.
  const Span *before = nullptr;
  for (const Span &span : spans) {
    if (span.begin == span.end)
      continue;
    if (before && span.begin < before->end)
      return true;
    before = &span;
  }
  return false;
}

std::vector<int> aggregatorsOf(const std::vector<platform::HostIndex> &hosts, int64_t most) {
  std::vector<int> ranks;
  std::map<platform::HostIndex, bool> known;
  for (size_t rank = 0; rank < hosts.size(); ++rank)
    if (known.try_emplace(hosts[rank], true).second)
      ranks.push_back(static_cast<int>(rank));
  if (most > 0 && static_cast<size_t>(most) < ranks.size())
    ranks.resize(static_cast<size_t>(most));
  return ranks;
}

TwoPhase::TwoPhase(const File &file, Direction direction, Span whole, const Buffering &buffering)
    : direction_(direction), shared_(file.shared), nothing_(file), begin_(whole.begin),
      bufferBytes_(buffering.bufferBytes) {
  for (int rank = 0; rank < file.comm.size(); ++rank)
    hosts_.push_back(runtime().world.ranks[file.comm.process(rank)]->host);
  for (int rank : aggregatorsOf(hosts_, buffering.nodes))
    aggregators_.push_back({rank, {}});
  const auto domains = static_cast<int64_t>(aggregators_.size());
  domainBytes_ = (whole.end - whole.begin + domains - 1) / domains;
}

void TwoPhase::join(int rank, const std::vector<Span> &parts, mpi::Request *request) {
  const int64_t last = domainBytes_ * static_cast<int64_t>(aggregators_.size()) - 1;
  for (Span part : parts)
    while (part.begin < part.end) {
      // A view whose tiles interleave may lead before its first byte, or behind its last.
      const int64_t place = std::clamp<int64_t>(part.begin - begin_, 0, last);
      const int64_t within = place % domainBytes_;
      const int64_t round = within / bufferBytes_;
      const int64_t roundEnd = std::min((round + 1) * bufferBytes_, domainBytes_);
      const int64_t end = std::min(part.end, part.begin - within + roundEnd);
      Round &mine = aggregators_[static_cast<size_t>(place / domainBytes_)].rounds[round];
      mine.bytesOf[rank] += static_cast<uint64_t>(end - part.begin);
      mine.parts.push_back({part.begin, end});
      part.begin = end;
    }
  if (request) {
    mpi::runtime().fabric.beginTimed();
    requests_.push_back(request);
  }
  if (++joined_ < hosts_.size())
    return;
  self_ = shared_from_this();
  for (Aggregator &aggregator : aggregators_)
    next(aggregator);
}

void TwoPhase::next(Aggregator &aggregator) {
  if (aggregator.rounds.empty()) {
    if (++ended_ == aggregators_.size())
      complete();
  } else if (direction_ == Direction::Write) {
    exchange(aggregator);
  } else {
    useDisks(aggregator);
  }
}

void TwoPhase::exchange(Aggregator &aggregator) {
  const auto index = static_cast<uint64_t>(&aggregator - aggregators_.data());
  const platform::HostIndex there = hosts_[static_cast<size_t>(aggregator.rank)];
  aggregator.left = 1; // until all messages have started
  for (auto [rank, bytes] : aggregator.rounds.begin()->second.bytesOf) {
    if (rank == aggregator.rank)
      continue;
    const platform::HostIndex here = hosts_[static_cast<size_t>(rank)];
    const bool writes = direction_ == Direction::Write;
    ++aggregator.left;
    runtime().world.network.transfer(writes ? here : there, writes ? there : here, bytes,
                                     kernel::Action::of<&TwoPhase::onMessage>(this, index));
  }
  onMessage(index);
}

void TwoPhase::onMessage(uint64_t index) {
  Aggregator &aggregator = aggregators_[index];
  if (--aggregator.left > 0)
    return;
  if (direction_ == Direction::Write)
    useDisks(aggregator);
  else
    endRound(aggregator);
}

void TwoPhase::useDisks(Aggregator &aggregator) {
  std::vector<Span> &parts = aggregator.rounds.begin()->second.parts;
  std::sort(parts.begin(), parts.end(), [](const Span &a, const Span &b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  Footprint footprint = nothing_;
  for (const Span &part : parts)
    footprint.add(part.begin, part.end - part.begin);
  const auto index = static_cast<uint64_t>(&aggregator - aggregators_.data());
  moveLoads(hosts_[static_cast<size_t>(aggregator.rank)], shared_->path, direction_,
            footprint.loads(), kernel::Action::of<&TwoPhase::onDisks>(this, index));
}

void TwoPhase::onDisks(uint64_t index) {
  Aggregator &aggregator = aggregators_[index];
  if (direction_ == Direction::Write)
    endRound(aggregator);
  else
    exchange(aggregator);
}

void TwoPhase::endRound(Aggregator &aggregator) {
  aggregator.rounds.erase(aggregator.rounds.begin());
  next(aggregator);
}

void TwoPhase::complete() {
  const std::shared_ptr<TwoPhase> self = std::move(self_);
  for (mpi::Request *request : requests_) {
    mpi::runtime().fabric.endTimed();
    mpi::completeTask(*request, request->task()->error);
  }
}

} // namespace gnomon::io
