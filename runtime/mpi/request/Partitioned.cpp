// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Partitioned communication: a message for each of the sender's partitions.
#include "mpi/request/Partitioned.h"

#include "mpi.h"
#include "mpi/RankState.h"
#include "mpi/request/Operations.h"
#include "support/Check.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gnomon::mpi {

namespace {

constexpr int64_t LeastTag = std::numeric_limits<int32_t>::min();

/// Moves what was received for a partition to its place in the buffer; once, for the program may
/// write there afterwards.
void place(PartitionedSide &side, int partition) {
  if (side.staging.empty() || side.placed[static_cast<size_t>(partition)])
    return;
  side.placed[static_cast<size_t>(partition)] = true;
  const int64_t bytes = side.partitionBytes();
  unpackBytes(side.staging.data() + partition * bytes, bytes,
              static_cast<char *>(side.buffer) + partition * side.count * side.type->extent(),
              side.count, *side.type);
}

/// The helper fiber of a started side: its end is that of all messages.
void awaitMessages(void *argument) {
  auto &side = *static_cast<PartitionedSide *>(argument);
  kernel::Engine &engine = runtime().world.engine;
  kernel::Fiber *own = engine.current();
  const int error = waitAll(side.messages);
  side.messages.clear();
  for (int p = 0; p < side.partitions && !side.sends; ++p)
    place(side, p);
  completeTask(*side.request, error);
  // Nobody stands on this stack any more when the scheduler plays its next event.
  engine.at(engine.now(), {[](void *fiber, uint64_t) {
                             runtime().world.engine.release(*static_cast<kernel::Fiber *>(fiber));
                           },
                           own, 0});
}

void awaitInBackground(PartitionedSide &side) {
  runtime().world.engine.spawn(awaitMessages, &side, &side.request->comm->owner());
}

/// Posts a receive for each of the sender's partitions, at its place among the bytes.
void postReceives(PartitionedSide &side) {
  const PartitionedPair &pair = *side.pair;
  const int64_t total = side.partitions * side.partitionBytes();
  const bool direct = side.type->contiguous(side.partitions * side.count);
  side.staging.resize(direct ? 0 : static_cast<size_t>(total));
  side.placed.assign(static_cast<size_t>(side.partitions), false);
  char *bytes = direct ? static_cast<char *>(side.buffer) : side.staging.data();
  const Datatype &byte = Datatype::predefined(MPI_BYTE);
  for (int p = 0; p < pair.partitions; ++p) {
    const int64_t offset = std::min(p * pair.partitionBytes, total);
    side.messages.push_back(irecv(bytes + offset, std::min(pair.partitionBytes, total - offset),
                                  byte, side.peer, pair.firstTag + p, *side.request->comm,
                                  Channel::Collective));
  }
  awaitInBackground(side);
}

} // namespace

void Partitioned::End::operator()(PartitionedSide *side) const {
  if (side->pair && side->pair->eager == side)
    side->pair->eager = nullptr;
  if (side->pair.use_count() == 1 && side->pair->partitions > 0)
    runtime().partitioned->tags.giveBack(side->pair->firstTag);
  delete side;
}

void startPartitioned(PartitionedSide &side) {
  side.messages.clear();
  side.missing = side.partitions;
  if (side.peer == MPI_PROC_NULL)
    return completeTask(*side.request);
  if (side.sends) {
    side.messages.resize(static_cast<size_t>(side.partitions));
    if (side.partitions == 0)
      completeTask(*side.request);
    return;
  }
  if (side.pair->partitions < 0)
    side.pair->eager = &side;
  else
    postReceives(side);
}

std::shared_ptr<PartitionedPair> PartitionedPairs::attend(const Comm &comm,
                                                          const PartitionedSide &side, int tag) {
  const uint32_t own = comm.owner().number, other = comm.process(side.peer);
  const uint32_t sender = side.sends ? own : other, receiver = side.sends ? other : own;
  auto &waiting = alone_[{comm.id(), sender, receiver, tag, !side.sends}];
  if (!waiting.empty()) {
    auto pair = std::move(waiting.front());
    waiting.pop_front();
    return pair;
  }
  return alone_[{comm.id(), sender, receiver, tag, side.sends}].emplace_back(
      std::make_shared<PartitionedPair>());
}

std::optional<int32_t> PartitionedTags::take(int partitions) {
  if (partitions == 0)
    return 0; // for no message
  for (int64_t begin : {next_, int64_t{0}}) {
    auto behind = taken_.lower_bound(begin);
    for (; behind != taken_.end() && behind->first - begin < partitions; ++behind)
      begin = behind->second;
    if (begin + partitions > Count)
      continue;
    next_ = begin + partitions;
    taken_.emplace_hint(behind, begin, next_);
    return static_cast<int32_t>(LeastTag + begin);
  }
  return std::nullopt;
}

void PartitionedTags::giveBack(int32_t first) {
  CHECK(taken_.erase(first - LeastTag) == 1, "tags that are given back were taken");
}

Request *newPartitioned(PartitionedSide side, int tag, Comm &comm, const char *name) {
  PartitionedPairs &pairs = *runtime().partitioned;
  std::optional<int32_t> firstTag;
  if (side.sends && side.peer != MPI_PROC_NULL)
    if (firstTag = pairs.tags.take(side.partitions); !firstTag)
      return nullptr;
  auto *kept = new PartitionedSide(std::move(side));
  kept->request = newRequest<Partitioned>(comm, name);
  kept->request->persistent = true;
  kept->request->as<Partitioned>()->side.reset(kept);
  if (kept->peer == MPI_PROC_NULL)
    return kept->request;
  kept->pair = pairs.attend(comm, *kept, tag);
  if (kept->sends) {
    PartitionedPair &pair = *kept->pair;
    pair.partitions = kept->partitions;
    pair.partitionBytes = kept->partitionBytes();
    pair.firstTag = *firstTag;
    if (PartitionedSide *receiver = std::exchange(pair.eager, nullptr))
      postReceives(*receiver);
  }
  return kept->request;
}

PartitionedSide *partitionedSide(Request &request) {
  auto *partitioned = request.as<Partitioned>();
  return partitioned ? partitioned->side.get() : nullptr;
}

void makeReady(PartitionedSide &side, int partition) {
  if (side.peer == MPI_PROC_NULL) {
    --side.missing;
    return;
  }
  auto *data = static_cast<char *>(side.buffer) + partition * side.count * side.type->extent();
  side.messages[static_cast<size_t>(partition)] =
      isend(data, side.count, *side.type, side.peer, side.pair->firstTag + partition,
            *side.request->comm, Channel::Collective);
  // The call may have parked, and other threads may have made partitions ready meanwhile.
  if (--side.missing == 0)
    awaitInBackground(side);
}

bool hasArrived(PartitionedSide &side, int partition) {
  if (!side.request->active || side.request->done())
    return true;
  if (side.pair->partitions < 0)
    return false;
  const int64_t bytes = side.partitionBytes(), begin = partition * bytes, end = begin + bytes;
  for (int p = 0; p < static_cast<int>(side.messages.size()); ++p) {
    const int64_t from = p * side.pair->partitionBytes, to = from + side.pair->partitionBytes;
    Request *message = side.messages[static_cast<size_t>(p)];
    if (from < end && to > begin && message && !message->done())
      return false;
  }
  place(side, partition);
  return true;
}

} // namespace gnomon::mpi
