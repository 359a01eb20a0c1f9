// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks exchange with the right and the left neighbour by turns, two blocks at a time: the two
/// that came last. Needs an even number of ranks. Cost: n / 2 rounds; n^2 / 2 messages, of 2 b
/// bytes after the first round. Source: Chen, Zhang, Zhang, Yuan 2005; Open MPI 4.1,
/// coll_base_allgather.
#include "coll/Messages.h"
#include "coll/allgather/Allgather.h"

namespace gnomon::coll::allgather {

int neighborExchange(const AllgatherArgs &args) {
  Messages messages(args);
  const int n = args.size;
  copyBlock(args.own(), args.recvBlock(args.rank));
  const bool even = args.rank % 2 == 0;
  const int right = (args.rank + 1) % n, left = (args.rank - 1 + n) % n;
  const int neighbor[2] = {even ? right : left, even ? left : right};
  const int offset[2] = {even ? 2 : -2, even ? -2 : 2};
  auto blocks = [&](int first, int count) {
    return Block{args.recvBlock(first).data, count * args.recvCount, args.recvType};
  };
  auto exchange = [&](Block out, Block in, int peer) {
    messages.sendrecv({out.data, out.count, out.type}, peer, in, peer);
  };
  exchange(blocks(args.rank, 1), blocks(neighbor[0], 1), neighbor[0]);
  // Blocks move in pairs that start at an even rank.
  int last = even ? args.rank : left;
  int from[2] = {last, last};
  for (int step = 1; step < n / 2; ++step) {
    const int turn = step % 2;
    from[turn] = (from[turn] + offset[turn] + n) % n;
    exchange(blocks(last, 2), blocks(from[turn], 2), neighbor[turn]);
    last = from[turn];
  }
  return messages.result();
}

} // namespace gnomon::coll::allgather
