// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/simgrid/RankWriter.h"

#include "support/Error.h"
#include "support/Number.h"
#include "trace-formats/Calls.h"
#include "trace-formats/simgrid/Types.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

namespace gnomon::trace::simgrid {
namespace {

/// Whole numbers in all digits: they are easier to read than 5e+08.
std::string volumeText(double volume) {
  constexpr double Most = 9e15;
  return std::abs(volume) < Most && volume == std::floor(volume)
             ? std::to_string(static_cast<int64_t>(volume))
             : formatNumber(volume);
}

} // namespace

RankWriter::RankWriter(const Source &source, const Groups &groups, const std::string &path,
                       uint32_t rank, Target &target, const WriteOptions &options, Losses &losses)
    : source_(source), path_(path), rank_(rank), target_(target), options_(options),
      losses_(losses), groups_(groups) {}

RankWriter::Handler RankWriter::handlerOf(std::string_view function) {
  using W = RankWriter;
  static const std::unordered_map<std::string_view, Handler> handlers = {
      {"compute", &W::compute},
      {"part", &W::compute},
      {"clock", &W::untimed},
      {"sleep", &W::sleep},
      {"poll", &W::untimed},
      {"until", &W::nothing},
      {"MPI_Init", &W::nothing},
      {"MPI_Init_thread", &W::nothing},
      {"MPI_Finalize", &W::nothing},
      {"MPI_Comm_dup", &W::untimed},
      {"MPI_Comm_split", &W::untimed},
      {"MPI_Comm_create", &W::untimed},
      {"MPI_Comm_free", &W::untimed},
      {"MPI_Cart_create", &W::untimed},
      {"MPI_Cart_sub", &W::untimed},
      {"MPI_Probe", &W::probe},
      {"MPI_Iprobe", &W::untimed},
      {"MPI_Send", &W::send},
      {"MPI_Bsend", &W::send},
      {"MPI_Ssend", &W::send},
      {"MPI_Rsend", &W::send},
      {"MPI_Recv", &W::receive},
      {"MPI_Isend", &W::isend},
      {"MPI_Ibsend", &W::isend},
      {"MPI_Issend", &W::isend},
      {"MPI_Irsend", &W::isend},
      {"MPI_Irecv", &W::ireceive},
      {"MPI_Send_init", &W::isend},
      {"MPI_Bsend_init", &W::isend},
      {"MPI_Ssend_init", &W::isend},
      {"MPI_Rsend_init", &W::isend},
      {"MPI_Recv_init", &W::ireceive},
      {"MPI_Sendrecv", &W::sendReceive},
      {"MPI_Sendrecv_replace", &W::sendReceive},
      {"MPI_Start", &W::start},
      {"MPI_Startall", &W::start},
      {"MPI_Wait", &W::complete},
      {"MPI_Waitall", &W::complete},
      {"MPI_Waitany", &W::complete},
      {"MPI_Waitsome", &W::complete},
      {"MPI_Test", &W::complete},
      {"MPI_Testall", &W::complete},
      {"MPI_Testany", &W::complete},
      {"MPI_Testsome", &W::complete},
      {"MPI_Request_free", &W::free},
      {"MPI_Barrier", &W::barrier},
      {"MPI_Bcast", &W::broadcast},
      {"MPI_Reduce", &W::reduce},
      {"MPI_Allreduce", &W::reduceAll},
      {"MPI_Scan", &W::reduceAll},
      {"MPI_Exscan", &W::reduceAll},
      {"MPI_Reduce_scatter", &W::reduceScatter},
      {"MPI_Reduce_scatter_block", &W::reduceScatter},
      {"MPI_Allgather", &W::bothCounts},
      {"MPI_Alltoall", &W::bothCounts},
      {"MPI_Gather", &W::rooted},
      {"MPI_Scatter", &W::rooted},
      {"MPI_Gatherv", &W::gatherV},
      {"MPI_Allgatherv", &W::allgatherV},
      {"MPI_Scatterv", &W::scatterV},
      {"MPI_Alltoallv", &W::alltoallV},
  };
  const auto found = handlers.find(function);
  return found == handlers.end() ? nullptr : found->second;
}

void RankWriter::refuse(const RecordView &view, const std::string &why) const {
  throw InputError(path_, 0,
                   fmt::format("rank {}, record {}: {}: {}", rank_, record_, view.name(), why));
}

void RankWriter::line(const std::string &text) {
  flush();
  target_.write(fmt::format("{} {}\n", rank_, text));
}

/// Writes a reduction that was held back: no operations followed.
void RankWriter::flush() {
  if (heldName_.empty())
    return;
  target_.write(fmt::format("{} {} 0 {}\n", rank_, heldBefore_, heldAfter_));
  heldName_.clear();
}

void RankWriter::hold(const RecordView &view, const std::string &before, const std::string &after) {
  flush();
  heldName_ = view.name();
  heldBefore_ = before;
  heldAfter_ = after;
}

void RankWriter::take(const RecordView &view) {
  const Handler handler = handlerOf(view.name());
  if (handler) {
    if (isCollective(handler)) // all ranks have them in the order of their calls
      writeDelayed(delayed_.size());
    (this->*handler)(view);
  } else if (!delay(view)) {
    refuse(view, "SimGrid's text has no word for it; replay the trace with 'gnomon replay'");
  }
  ++record_;
}

void RankWriter::end() {
  writeDelayed(delayed_.size());
  line("finalize");
}

//===----------------------------------------- fields -----------------------------------------===//

int64_t RankWriter::need(const RecordView &view, std::string_view field) const {
  const std::optional<int64_t> value = view.value(field);
  if (!value)
    refuse(view, fmt::format("the record has no field '{}'", field));
  return *value;
}

RankWriter::Buffer RankWriter::buffer(const RecordView &view, std::string_view name) const {
  Buffer buffer;
  buffer.count = need(view, fmt::format("{}.count", name));
  buffer.size = need(view, fmt::format("{}.size", name));
  buffer.inPlace = buffer.count == InPlace;
  buffer.absent = buffer.count == Absent;
  return buffer;
}

int64_t RankWriter::bytesOf(const RecordView &view, const Buffer &buffer) const {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(buffer.count, buffer.size, &bytes) || bytes < 0)
    refuse(view, "the buffer has no size that can be written");
  return bytes;
}

std::pair<int64_t, int64_t> RankWriter::elements(const RecordView &view,
                                                 const Buffer &buffer) const {
  if (buffer.absent || buffer.inPlace)
    return {0, ByteType};
  if (const std::optional<int64_t> type = typeOfSize(buffer.size))
    return {buffer.count, *type};
  return {bytesOf(view, buffer), ByteType};
}

int64_t RankWriter::tag(const RecordView &view, std::string_view field) const {
  const int64_t comm = need(view, "comm"), value = need(view, field);
  if (value == AnyTag && (comm == World || source_.communicators().size() <= 2))
    return AnyTagText;
  const std::optional<int64_t> flat =
      groups_.flatTag(comm, value, std::numeric_limits<int32_t>::max());
  if (!flat)
    refuse(view,
           fmt::format("tag {} of communicator {}: SimGrid has one communicator, and tags must "
                       "be below {} to tell others apart",
                       value, comm, TagsOfCommunicator));
  return *flat;
}

int64_t RankWriter::peer(const RecordView &view, std::string_view field) const {
  const int64_t value = need(view, field), comm = need(view, "comm");
  if (value == NullPeer)
    return ProcNull;
  if (value == AnyPeer)
    return AnySource;
  const std::optional<uint32_t> world = groups_.world(comm, value, rank_);
  if (!world || *world >= source_.facts().ranks)
    refuse(view, fmt::format("rank {} of communicator {} is none of the trace's {} first ranks",
                             value, comm, source_.facts().ranks));
  return *world;
}

//===--------------------------------- computation and others ---------------------------------===//

void RankWriter::untimed(const RecordView &view) {
  losses_.add(fmt::format("{}: takes no time in SimGrid's replay, and is left out", view.name()));
}

void RankWriter::compute(const RecordView &view) {
  double volume = realOf(need(view, "instructions"));
  if (std::isnan(volume)) {
    const double seconds = realOf(need(view, "seconds"));
    if (options_.flopsPerSecond <= 0 || std::isnan(seconds))
      refuse(view,
             "no instructions were counted; '--rate R' gives operations a second, by which its "
             "seconds become operations");
    volume = seconds * options_.flopsPerSecond;
  }
  const std::optional<int64_t> burst = view.value("burst");
  if (!heldName_.empty() && burst && *burst >= 0 &&
      static_cast<size_t>(*burst) < source_.texts().size() &&
      source_.texts()[static_cast<size_t>(*burst)] == heldName_) {
    target_.write(fmt::format("{} {} {} {}\n", rank_, heldBefore_, volumeText(volume), heldAfter_));
    heldName_.clear();
    return;
  }
  line(fmt::format("compute {}", volumeText(volume)));
}

void RankWriter::sleep(const RecordView &view) {
  line(fmt::format("sleep {}", volumeText(realOf(need(view, "seconds")))));
}

void RankWriter::probe(const RecordView &) {
  losses_.add("MPI_Probe: left out; the receive that follows waits as long");
}

//===------------------------------------- point to point -------------------------------------===//

/// "isend 3 0 150 6", and the key that a wait for it has; empty where the peer is MPI_PROC_NULL.
std::string RankWriter::message(const RecordView &view, bool isSend,
                                std::optional<Key> &key) const {
  const int64_t partner = peer(view, isSend ? "dest" : "source");
  key.reset();
  if (partner == ProcNull)
    return {};
  const int64_t tagged = tag(view, "tag");
  const Buffer of = buffer(view, "buf");
  auto [count, type] = elements(view, of);
  if (of.absent) {
    count = -1; // as many as come
    type = typeOfSize(of.size).value_or(ByteType);
  }
  key = isSend ? Key{rank_, partner, tagged} : Key{partner, rank_, tagged};
  return fmt::format("{} {} {} {}", partner, tagged, count, type);
}

void RankWriter::send(const RecordView &view) {
  std::optional<Key> key;
  const std::string text = message(view, true, key);
  if (view.name() != "MPI_Send")
    losses_.add(fmt::format("{}: written as MPI_Send", view.name()));
  if (key)
    line("send " + text);
}

void RankWriter::receive(const RecordView &view) {
  std::optional<Key> key;
  if (const std::string text = message(view, false, key); key)
    line("recv " + text);
}

void RankWriter::isend(const RecordView &view) { open(view, true); }
void RankWriter::ireceive(const RecordView &view) { open(view, false); }

void RankWriter::open(const RecordView &view, bool isSend) {
  const int64_t slot = need(view, "request");
  Request &request = requests_[slot];
  request = {};
  const std::string text = message(view, isSend, request.key);
  if (view.name() != "MPI_Isend" && isSend)
    losses_.add(fmt::format("{}: written as MPI_Isend", view.name()));
  request.start = fmt::format("{} {}", isSend ? "isend" : "irecv", text);
  if (!view.name().ends_with("_init"))
    startSlot(view, slot);
}

void RankWriter::startSlot(const RecordView &view, int64_t slot) {
  const auto found = requests_.find(slot);
  if (found == requests_.end() || found->second.active)
    refuse(view, fmt::format("there is no request {} to start", slot));
  found->second.active = true;
  if (!found->second.key)
    return;
  line(found->second.start);
  order_[*found->second.key].push_back(slot);
  ++open_;
}

void RankWriter::start(const RecordView &view) {
  if (const std::optional<int64_t> slot = view.value("request"))
    startSlot(view, *slot);
  for (const int64_t slot : view.list("requests"))
    startSlot(view, slot);
}

/// SimGrid waits for the oldest request of the key.
void RankWriter::waitKey(const Key &key) {
  line(fmt::format("wait {} {} {}", key[0], key[1], key[2]));
}

void RankWriter::waitFor(int64_t slot) {
  const auto found = requests_.find(slot);
  if (found == requests_.end() || !found->second.active || !found->second.key)
    return;
  const auto queue = order_.find(*found->second.key);
  if (queue->second.front() != slot)
    losses_.add(
        "requests of the same peers and tag: waited for in the order in which they were made");
  std::erase(queue->second, slot);
  if (queue->second.empty())
    order_.erase(queue);
  --open_;
  waitKey(*found->second.key);
}

void RankWriter::complete(const RecordView &view) {
  requestUse(view, use_);
  if (use_.completed.empty()) {
    const auto found = requests_.find(view.value("request").value_or(0));
    if (view.name() == "MPI_Test" && found != requests_.end() && found->second.key)
      line(fmt::format("test {} {} {}", (*found->second.key)[0], (*found->second.key)[1],
                       (*found->second.key)[2]));
    else if (view.name().starts_with("MPI_Test"))
      losses_.add(fmt::format("{} that found nothing: left out", view.name()));
    return;
  }
  size_t known = 0;
  for (const int64_t slot : use_.completed)
    writeDelayedOf(slot);
  for (const int64_t slot : use_.completed) {
    const auto found = requests_.find(slot);
    known += found != requests_.end() && found->second.active && found->second.key;
  }
  if (view.name() == "MPI_Waitall" && known == open_ && known > 0) {
    line("waitall");
    order_.clear();
    open_ = 0;
  } else {
    for (const int64_t slot : use_.completed)
      waitFor(slot);
  }
  for (const int64_t slot : use_.completed)
    if (const auto found = requests_.find(slot); found != requests_.end())
      found->second.active = false;
}

void RankWriter::free(const RecordView &view) {
  const auto found = requests_.find(need(view, "request"));
  if (found == requests_.end() || !found->second.active || !found->second.key)
    return;
  losses_.add(
      "MPI_Request_free of an active request: SimGrid waits for it at the next 'waitall' or "
      "at the end");
}

void RankWriter::sendReceive(const RecordView &view) {
  const bool replace = view.name() == "MPI_Sendrecv_replace";
  const int64_t dest = peer(view, "dest"), source = peer(view, "source");
  const auto [sent, sendType] = elements(view, buffer(view, replace ? "buf" : "sendbuf"));
  const auto [received, receiveType] = elements(view, buffer(view, replace ? "buf" : "recvbuf"));
  const int64_t sendTag = dest == ProcNull ? 0 : tag(view, "sendtag");
  const int64_t receiveTag = source == ProcNull ? 0 : tag(view, "recvtag");
  if (dest >= 0 && source >= 0 && sendTag == 0 && receiveTag == 0)
    return line(fmt::format("sendRecv {} {} {} {} {} {}", sent, dest, received, source, sendType,
                            receiveType));
  // SimGrid's has tag 0 only.
  if (source != ProcNull)
    line(fmt::format("irecv {} {} {} {}", source, receiveTag, received, receiveType));
  if (dest != ProcNull)
    line(fmt::format("send {} {} {} {}", dest, sendTag, sent, sendType));
  if (source != ProcNull)
    waitKey({source, rank_, receiveTag});
}

} // namespace gnomon::trace::simgrid
