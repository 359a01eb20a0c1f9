// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks exchange with the right and the left neighbour by turns, two blocks at a time: the two
/// that came last. Needs an even number of ranks.
/// Cost: n / 2 rounds; n^2 / 2 messages, of 2 b bytes after the first round.
/// Source: Chen, Zhang, Zhang, Yuan 2005; Open MPI 4.1, coll_base_allgather and
/// coll_base_allgatherv (neighbor exchange).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/allgather/Allgather.h"

#include <optional>

namespace gnomon::coll::allgather {

namespace {

/// Blocks that lie next to each other, as MPI_Allgather's do.
Block together(const AllgatherBase &args, int first, int count) {
  return {args.recvBlock(first).data, count * args.recvCount, args.recvType};
}

/// Exchanges ranges of blocks that may lie anywhere, in one message each.
void exchangePacked(Messages &messages, const AllgatherBase &args, int out, int in, int count,
                    int peer) {
  auto bytesOf = [&](int first) {
    int64_t bytes = 0;
    for (int r = first; r < first + count; ++r)
      bytes += args.recvBlock(r).bytes();
    return bytes;
  };
  const int64_t sent = bytesOf(out), got = bytesOf(in);
  Scratch outgoing(sent), incoming(got);
  char *place = outgoing.data();
  for (int r = out; r < out + count; ++r) {
    const Block block = args.recvBlock(r);
    place += mpi::packBytes(block.data, block.count, *block.type, place, block.bytes());
  }
  messages.sendrecv(Messages::bytes(static_cast<const char *>(outgoing.data()), sent), peer,
                    Messages::bytes(incoming.data(), got), peer);
  const char *from = incoming.data();
  for (int r = in; r < in + count; ++r) {
    const Block block = args.recvBlock(r);
    mpi::unpackBytes(from, block.bytes(), block.data, block.count, *block.type);
    from += block.bytes();
  }
}

} // namespace

int neighborExchange(const AllgatherBase &args) {
  Messages messages(args);
  const int n = args.size;
  copyBlock(args.own(), args.recvBlock(args.rank));
  const bool even = args.rank % 2 == 0;
  const int right = (args.rank + 1) % n, left = (args.rank - 1 + n) % n;
  const int neighbor[2] = {even ? right : left, even ? left : right};
  const int offset[2] = {even ? 2 : -2, even ? -2 : 2};
  auto exchange = [&](int out, int in, int count, int peer) {
    if (args.counts)
      return exchangePacked(messages, args, out, in, count, peer);
    const Block sent = together(args, out, count);
    messages.sendrecv({sent.data, sent.count, sent.type}, peer, together(args, in, count), peer);
  };

  exchange(args.rank, neighbor[0], 1, neighbor[0]);
  // Blocks move in pairs that start at an even rank.
  int last = even ? args.rank : left;
  int from[2] = {last, last};
  for (int step = 1; step < n / 2; ++step) {
    const int turn = step % 2;
    from[turn] = (from[turn] + offset[turn] + n) % n;
    exchange(last, from[turn], 2, neighbor[turn]);
    last = from[turn];
  }
  return messages.result();
}

} // namespace gnomon::coll::allgather
