// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One half of the message goes down each side of a binary tree; then each rank exchanges halves
/// with the rank at the same place on the other side, which is the next or the one before. Its own
/// segments are of 1 KiB, and of 8 KiB from 370728 B on (Open MPI's older decision, which SMPI
/// keeps).
/// Cost: ceil(log2 n) + s rounds for s segments of half the message, and an exchange; about n B
/// bytes in all.
/// Source: Open MPI 4.1, coll_base_bcast (split_bintree).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/bcast/Bcast.h"
#include "coll/bcast/Segmented.h"
#include "coll/tree/Segments.h"

#include <algorithm>

namespace gnomon::coll::bcast {

namespace {

/// The two halves of the message, in segments.
struct Halves {
  char *data;
  int64_t split, total, each; ///< bytes
  int64_t offset(int side) const { return side == 0 ? 0 : split; }
  int64_t size(int side) const { return side == 0 ? split : total - split; }
  int64_t segments(int side) const { return each > 0 ? (size(side) + each - 1) / each : 1; }
  Block half(int side) const { return Messages::bytes(data + offset(side), size(side)); }
  Block segment(int side, int64_t index) const {
    const int64_t from = each > 0 ? index * each : 0;
    const int64_t length = each > 0 ? std::min(each, size(side) - from) : size(side);
    return Messages::bytes(data + offset(side) + from, length);
  }
};

ConstBlock sent(const Block &block) { return {block.data, block.count, block.type}; }

void sendFromRoot(Messages &messages, const Halves &halves, const Tree &tree) {
  const int sides = std::min<int>(2, static_cast<int>(tree.children.size()));
  for (int64_t index = 0; index < halves.segments(0); ++index)
    for (int side = 0; side < sides; ++side)
      if (index < halves.segments(side))
        messages.send(sent(halves.segment(side, index)), tree.children[static_cast<size_t>(side)]);
}

void passOn(Messages &messages, const Halves &halves, const Tree &tree, int side) {
  const int64_t segments = halves.segments(side);
  if (tree.children.empty()) {
    for (int64_t index = 0; index < segments; ++index)
      messages.recv(halves.segment(side, index), tree.parent);
    return;
  }
  messages.irecv(halves.segment(side, 0), tree.parent);
  for (int64_t index = 0; index < segments; ++index) {
    if (index + 1 < segments)
      messages.irecv(halves.segment(side, index + 1), tree.parent);
    messages.waitFirst();
    for (int child : tree.children)
      messages.send(sent(halves.segment(side, index)), child);
  }
}

} // namespace

int splitBintree(const BcastArgs &args) {
  constexpr int64_t Intermediate = 370728;
  const int64_t segment = segmentOf(args, args.bytes() < Intermediate ? 1 << 10 : 8 << 10);
  const Units units(args.count, *args.type);
  const int64_t first = (units.count + 1) / 2, second = units.count - first;
  if (args.size == 1)
    return 0;
  if (second == 0 || segment > second * units.bytes) // too little to split
    return segmented(args, Tree::chain(args, args.root, 1), segment);
  Packed data(args.buffer, args.count, *args.type);
  const bool isRoot = args.rank == args.root;
  if (isRoot)
    data.pack();
  const int64_t each = segment > 0 ? std::max(segment / units.bytes, int64_t{1}) * units.bytes : 0;
  const Halves halves{data.bytes(), first * units.bytes, data.size(), each};
  const Tree tree = Tree::binary(args, args.root);
  Messages messages(args);
  const int n = args.size, relative = (args.rank - args.root + n) % n;
  const int side = (relative + 1) % 2; // odd relative ranks are on the first side
  if (isRoot)
    sendFromRoot(messages, halves, tree);
  else
    passOn(messages, halves, tree, side);
  // With an even number of ranks the last one has the root for its pair.
  const int last = (args.root + n - 1) % n;
  const int pair = side == 0 ? (args.rank + 1) % n : (args.rank - 1 + n) % n;
  if (n % 2 == 0 && isRoot)
    messages.send(sent(halves.half(1)), last);
  else if (n % 2 == 0 && args.rank == last)
    messages.recv(halves.half(1), args.root);
  else if (!isRoot)
    messages.sendrecv(sent(halves.half(side)), pair, halves.half(1 - side), pair);
  if (!isRoot)
    data.unpack();
  return messages.result();
}

} // namespace gnomon::coll::bcast
