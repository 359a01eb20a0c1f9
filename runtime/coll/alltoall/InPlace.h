// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the libraries do when the input is in the receive buffer; here it has been copied aside, so
/// that only the order of messages remains of them. Open MPI: for each distance up to n / 2 an
/// exchange with the rank before, then one with the rank after. MPICH: an exchange with each rank,
/// in the order of ranks.
/// Cost: n - 1 exchanges; n (n - 1) messages of b bytes.
/// Source: Open MPI 4.1, coll_base_alltoall (basic_inplace); MPICH,
/// alltoall_intra_pairwise_sendrecv_replace.
#pragma once

#include "coll/Messages.h"

namespace gnomon::coll::alltoall {

template <class Args> int ompiInPlace(const Args &args) {
  Messages messages(args);
  const int n = args.size;
  copyBlock(args.sendBlock(args.rank), args.recvBlock(args.rank));
  for (int distance = 1; distance <= n / 2; ++distance) {
    const int right = (args.rank + distance) % n, left = (args.rank - distance + n) % n;
    messages.irecv(args.recvBlock(right), right);
    if (left != right) {
      const ConstBlock block = args.sendBlock(left);
      messages.send(block, left);
      messages.waitAll();
      messages.irecv(args.recvBlock(left), left);
    }
    messages.send(args.sendBlock(right), right);
    messages.waitAll();
  }
  return messages.result();
}

template <class Args> int exchangeInOrder(const Args &args) {
  Messages messages(args);
  for (int peer = 0; peer < args.size; ++peer) {
    if (peer == args.rank)
      copyBlock(args.sendBlock(peer), args.recvBlock(peer));
    else
      messages.sendrecv(args.sendBlock(peer), peer, args.recvBlock(peer), peer);
  }
  return messages.result();
}

} // namespace gnomon::coll::alltoall
