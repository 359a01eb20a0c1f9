// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Collectives by which each group gets what the other one has, n ranks here, m there:
///   barrier         barrier(n) within; ranks 0 exchange signals; bcast(n) of one byte within
///   allreduce       reduce(n) within; ranks 0 exchange the vectors; bcast(n) within
///   reduce_scatter  reduce(n) within; ranks 0 exchange the vectors; scatterv(n) within
///   allgather       gather(n) within; ranks 0 exchange all blocks; bcast(n) within
///   allgatherv      everybody to the other rank 0, for here nobody knows all sizes;
///                   bcast(n) within
#include "coll/inter/Inter.h"

#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/Timed.h"
#include "mpi/comm/Comm.h"

#include <vector>

namespace gnomon::coll {

namespace {

/// Leaves the reduced vector of this group in \p result on rank 0.
int reduceWithin(const Call &call, const void *send, void *result, int64_t count,
                 const Datatype *type, const Op *op) {
  return perform(ReduceArgs{{within(call), send, result, count, type, op}, 0});
}

} // namespace

int across(const BarrierArgs &args) {
  Messages messages(args);
  const int entered = perform(BarrierArgs{within(args)});
  if (args.rank == 0)
    messages.exchangeSignals(0, 0);
  char signal = 0;
  const int left = perform(BcastArgs{within(args), &signal, 1, &Messages::byte(), 0});
  return firstOf(firstOf(entered, messages.result()), left);
}

int across(const AllreduceArgs &args) {
  Messages messages(args);
  TypedScratch ours(args.rank == 0 ? args.count : 0, *args.type);
  const int error = reduceWithin(args, args.send, ours.data(), args.count, args.type, args.op);
  if (args.rank == 0)
    messages.sendrecv({ours.data(), args.count, args.type}, 0, {args.recv, args.count, args.type},
                      0);
  const int told = perform(BcastArgs{within(args), args.recv, args.count, args.type, 0});
  return firstOf(firstOf(error, messages.result()), told);
}

int across(const ReduceScatterArgs &args) {
  Messages messages(args);
  const int64_t total = args.total(), held = args.rank == 0 ? total : 0;
  TypedScratch ours(held, *args.type), theirs(held, *args.type);
  const int error = reduceWithin(args, args.send, ours.data(), total, args.type, args.op);
  if (args.rank == 0)
    messages.sendrecv({ours.data(), total, args.type}, 0, {theirs.data(), total, args.type}, 0);
  std::vector<int64_t> counts, places;
  int64_t place = 0;
  for (int r = 0; r < args.size; ++r) {
    counts.push_back(args.countOf(r));
    places.push_back(place);
    place += counts.back();
  }
  const int scattered =
      perform(ScattervArgs{{within(args), theirs.data(), 0, counts.data(), places.data(), args.type,
                            args.recv, args.countOf(args.rank), args.type, 0}});
  return firstOf(firstOf(error, messages.result()), scattered);
}

int across(const AllgatherArgs &args) {
  Messages messages(args);
  const int64_t ours = args.rank == 0 ? args.sendCount * args.size : 0;
  const int64_t theirs = args.recvCount * args.comm.peers();
  TypedScratch gathered(ours, *args.sendType);
  const int error =
      perform(GatherArgs{within(args), args.send, args.sendCount, args.sendType, gathered.data(),
                         args.sendCount, nullptr, nullptr, args.sendType, 0});
  if (args.rank == 0)
    messages.sendrecv({gathered.data(), ours, args.sendType}, 0, {args.recv, theirs, args.recvType},
                      0);
  const int told = perform(BcastArgs{within(args), args.recv, theirs, args.recvType, 0});
  return firstOf(firstOf(error, messages.result()), told);
}

int across(const AllgathervArgs &args) {
  Messages messages(args);
  const int peers = args.comm.peers();
  if (args.rank == 0)
    for (int r = 0; r < peers; ++r)
      messages.irecv(args.recvBlock(r), r);
  messages.isend({args.send, args.sendCount, args.sendType}, 0);
  messages.waitAll();
  // The blocks one after the other, in bytes, for they may lie apart.
  int64_t bytes = 0;
  for (int r = 0; r < peers; ++r)
    bytes += args.recvBlock(r).bytes();
  Scratch packed(bytes);
  auto forBlocks = [&](auto &&move) {
    char *place = packed.data();
    for (int r = 0; r < peers; ++r) {
      const Block block = args.recvBlock(r);
      move(block, place);
      place += block.bytes();
    }
  };
  if (args.rank == 0)
    forBlocks([](const Block &block, char *place) {
      mpi::packBytes(block.data, block.count, *block.type, place, block.bytes());
    });
  const int told = perform(BcastArgs{within(args), packed.data(), bytes, &Messages::byte(), 0});
  if (args.rank != 0)
    forBlocks([](const Block &block, char *place) {
      mpi::unpackBytes(place, block.bytes(), block.data, block.count, *block.type);
    });
  return firstOf(messages.result(), told);
}

} // namespace gnomon::coll
