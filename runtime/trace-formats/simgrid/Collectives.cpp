// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// RankWriter's collectives: SimGrid has them in MPI_COMM_WORLD only.
#include "trace-formats/Calls.h"
#include "trace-formats/simgrid/RankWriter.h"
#include "trace-formats/simgrid/Types.h"

#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace gnomon::trace::simgrid {
namespace {

/// What SimGrid calls the function.
std::string_view wordOf(std::string_view function) {
  if (function == "MPI_Allreduce")
    return "allreduce";
  if (function == "MPI_Scan")
    return "scan";
  if (function == "MPI_Exscan")
    return "exscan";
  if (function == "MPI_Allgather")
    return "allgather";
  if (function == "MPI_Alltoall")
    return "alltoall";
  return function == "MPI_Gather" ? "gather" : "scatter";
}

/// Elements of one call's lists, and of most collectives, are an int in SimGrid.
constexpr int64_t MostElements = std::numeric_limits<int32_t>::max();

} // namespace

/// Whether the collective is to be written: not among one process. Refuses other communicators.
bool RankWriter::collective(const RecordView &view) {
  const int64_t comm = need(view, "comm");
  if (groups_.isWorld(comm))
    return true;
  if (groups_.size(comm) == 1 && !groups_.isInter(comm)) {
    losses_.add("collectives among one process: left out");
    return false;
  }
  refuse(view,
         fmt::format("communicator {} has not the processes of MPI_COMM_WORLD, which is the only "
                     "one that SimGrid's text has for collectives; replay the trace with "
                     "'gnomon replay'",
                     comm));
}

/// The elements of a list of counts, each in front of a blank; \p type is what they are of.
std::string RankWriter::counts(const RecordView &view, std::string_view name, int64_t &type) const {
  const std::span<const int64_t> list = view.list(fmt::format("{}.counts", name));
  const int64_t size = need(view, fmt::format("{}.size", name));
  const std::optional<int64_t> known = typeOfSize(size);
  type = known.value_or(ByteType);
  const size_t ranks = source_.facts().ranks;
  if (!list.empty() && list.size() != ranks && list[0] >= 0)
    refuse(view, fmt::format("{} counts for {} ranks", list.size(), ranks));
  const bool isList = list.size() == ranks && list[0] >= 0;
  std::string text;
  for (size_t i = 0; i < ranks; ++i) {
    int64_t count = isList ? list[i] : 0;
    if (!known && __builtin_mul_overflow(count, size, &count))
      count = MostElements + 1;
    if (count < 0 || count > MostElements)
      refuse(view, "a count is larger than SimGrid's int");
    text += fmt::format(" {}", count);
  }
  return text;
}

bool RankWriter::isCollective(Handler handler) {
  using W = RankWriter;
  for (const Handler of :
       {&W::barrier, &W::broadcast, &W::reduce, &W::reduceAll, &W::reduceScatter, &W::bothCounts,
        &W::rooted, &W::gatherV, &W::allgatherV, &W::scatterV, &W::alltoallV})
    if (handler == of)
      return true;
  return false;
}

/// Keeps a nonblocking collective until it is waited for; false where it is none.
bool RankWriter::delay(const RecordView &view) {
  const std::optional<std::string> blocking = blockingFormOf(view.name());
  if (!blocking || !isCollective(handlerOf(*blocking)))
    return false;
  if (!options_.blockCollectives)
    refuse(view, "SimGrid's text has no nonblocking collectives; '--blocking-collectives' writes "
                 "it as a blocking one where it is waited for");
  const int64_t slot = need(view, "request");
  requests_[slot] = {}; // whatever had the slot before
  losses_.add(fmt::format("{}: written as {} where it is waited for; what a rank does meanwhile no "
                          "longer overlaps with it",
                          view.name(), *blocking));
  Delayed delayed{slot, {*blocking, view.function().fields}, {}};
  const std::span<const int64_t> values = view.record().values;
  delayed.values.assign(values.begin(), values.end());
  delayed_.push_back(std::move(delayed));
  return true;
}

/// The first so many of them.
void RankWriter::writeDelayed(size_t count) {
  for (; count > 0; --count) {
    const Delayed delayed = std::move(delayed_.front());
    delayed_.pop_front();
    RecordView view;
    view.set(delayed.function, {0, delayed.values});
    (this->*handlerOf(view.name()))(view);
  }
}

/// That of a slot, and those that were called before it.
void RankWriter::writeDelayedOf(int64_t slot) {
  for (size_t i = 0; i < delayed_.size(); ++i)
    if (delayed_[i].slot == slot)
      return writeDelayed(i + 1);
}

void RankWriter::barrier(const RecordView &view) {
  if (collective(view))
    line("barrier");
}

void RankWriter::broadcast(const RecordView &view) {
  if (!collective(view))
    return;
  const auto [count, type] = elements(view, buffer(view, "buffer"));
  line(fmt::format("bcast {} {} {}", count, peer(view, "root"), type));
}

void RankWriter::reduce(const RecordView &view) {
  if (!collective(view))
    return;
  Buffer of = buffer(view, "sendbuf");
  if (of.inPlace)
    of = buffer(view, "recvbuf");
  const auto [count, type] = elements(view, of);
  hold(view, fmt::format("reduce {}", count), fmt::format("{} {}", peer(view, "root"), type));
}

void RankWriter::reduceAll(const RecordView &view) {
  if (!collective(view))
    return;
  Buffer of = buffer(view, "sendbuf");
  if (of.inPlace)
    of = buffer(view, "recvbuf");
  const auto [count, type] = elements(view, of);
  hold(view, fmt::format("{} {}", wordOf(view.name()), count), std::to_string(type));
}

void RankWriter::reduceScatter(const RecordView &view) {
  if (!collective(view))
    return;
  if (view.name() == "MPI_Reduce_scatter") {
    int64_t type = ByteType;
    const std::string list = counts(view, "recvbuf", type);
    return hold(view, "reducescatter" + list, std::to_string(type));
  }
  losses_.add("MPI_Reduce_scatter_block: written as MPI_Reduce_scatter");
  const auto [count, type] = elements(view, buffer(view, "recvbuf"));
  std::string list;
  for (uint32_t i = 0; i < source_.facts().ranks; ++i)
    list += fmt::format(" {}", count);
  hold(view, "reducescatter" + list, std::to_string(type));
}

void RankWriter::bothCounts(const RecordView &view) {
  if (!collective(view))
    return;
  const Buffer received = buffer(view, "recvbuf");
  Buffer sent = buffer(view, "sendbuf");
  if (sent.inPlace)
    sent = received;
  const auto [sendCount, sendType] = elements(view, sent);
  const auto [receiveCount, receiveType] = elements(view, received);
  if (sendCount > MostElements || receiveCount > MostElements)
    refuse(view, "a count is larger than SimGrid's int");
  line(fmt::format("{} {} {} {} {}", wordOf(view.name()), sendCount, receiveCount, sendType,
                   receiveType));
}

/// MPI_Gather and MPI_Scatter: one buffer counts at the root only, and is as the other elsewhere.
void RankWriter::rooted(const RecordView &view) {
  if (!collective(view))
    return;
  Buffer sent = buffer(view, "sendbuf"), received = buffer(view, "recvbuf");
  if (sent.inPlace || sent.absent)
    sent = received;
  else if (received.inPlace || received.absent)
    received = sent;
  const auto [sendCount, sendType] = elements(view, sent);
  const auto [receiveCount, receiveType] = elements(view, received);
  if (sendCount > MostElements || receiveCount > MostElements)
    refuse(view, "a count is larger than SimGrid's int");
  line(fmt::format("{} {} {} {} {} {}", wordOf(view.name()), sendCount, receiveCount,
                   peer(view, "root"), sendType, receiveType));
}

void RankWriter::gatherV(const RecordView &view) {
  if (!collective(view))
    return;
  int64_t type = ByteType;
  const std::string list = counts(view, "recvbuf", type);
  Buffer of = buffer(view, "sendbuf");
  const auto [count, sendType] = elements(view, of);
  line(fmt::format("gatherv {}{} {} {} {}", count, list, peer(view, "root"), sendType, type));
}

void RankWriter::allgatherV(const RecordView &view) {
  if (!collective(view))
    return;
  int64_t type = ByteType;
  const std::string list = counts(view, "recvbuf", type);
  Buffer of = buffer(view, "sendbuf");
  if (of.inPlace) { // what it sends is what it has to receive from itself
    const std::span<const int64_t> received = view.list("recvbuf.counts");
    of = {rank_ < received.size() ? received[rank_] : 0, need(view, "recvbuf.size"), false, false};
  }
  const auto [count, sendType] = elements(view, of);
  line(fmt::format("allgatherv {}{} {} {}", count, list, sendType, type));
}

void RankWriter::scatterV(const RecordView &view) {
  if (!collective(view))
    return;
  int64_t type = ByteType;
  const std::string list = counts(view, "sendbuf", type);
  const auto [count, receiveType] = elements(view, buffer(view, "recvbuf"));
  line(fmt::format("scatterv{} {} {} {} {}", list, count, peer(view, "root"), type, receiveType));
}

/// In front of each list stands the size of its buffer.
void RankWriter::alltoallV(const RecordView &view) {
  if (!collective(view))
    return;
  const std::span<const int64_t> sentList = view.list("sendbuf.counts");
  const bool inPlace = sentList.empty() || sentList[0] == InPlace;
  int64_t sendType = ByteType, receiveType = ByteType;
  const std::string sent = counts(view, inPlace ? "recvbuf" : "sendbuf", sendType);
  const std::string received = counts(view, "recvbuf", receiveType);
  const auto sum = [&](std::string_view name, int64_t type) {
    const std::span<const int64_t> list = view.list(fmt::format("{}.counts", name));
    const int64_t size = need(view, fmt::format("{}.size", name));
    const int64_t total = std::accumulate(list.begin(), list.end(), int64_t{0});
    return std::min(type == typeOfSize(size).value_or(-1) ? total : total * size, MostElements);
  };
  line(fmt::format("alltoallv {}{} {}{} {} {}", sum(inPlace ? "recvbuf" : "sendbuf", sendType),
                   sent, sum("recvbuf", receiveType), received, sendType, receiveType));
}

} // namespace gnomon::trace::simgrid
