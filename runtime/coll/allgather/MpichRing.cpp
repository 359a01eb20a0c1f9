// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A ring in which blocks travel in pieces of at most 32 KiB (if not told otherwise), so that a
/// long block is passed on while the rest of it comes; segment=0: whole blocks.
/// Cost: n - 1 blocks past each rank, each in b / 32768 messages.
/// Source: MPICH, allgatherv_intra_ring.
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/allgather/Allgather.h"
#include "coll/tree/Segments.h"

#include <algorithm>
#include <deque>

namespace gnomon::coll::allgather {

namespace {

/// Bytes of the pieces: whole units, so that ranks with other types cut alike.
int64_t pieceBytes(const AllgatherBase &args) {
  const int64_t wanted = args.segment >= 0 ? args.segment : 32768;
  const int64_t unit = Units(1, *args.recvType).bytes;
  int64_t most = unit;
  for (int r = 0; r < args.size; ++r)
    most = std::max(most, args.recvBlock(r).bytes());
  return wanted == 0 || most <= wanted ? most : std::max(wanted / unit, int64_t{1}) * unit;
}

/// The blocks that pass a rank, from one backwards to another, in pieces.
class Passing {
public:
  Passing(const std::deque<Packed> &blocks, int first, int last, int64_t piece)
      : blocks_(blocks), block_(first), last_(last), piece_(piece) {}
  bool ended() const { return done_; }
  /// The next piece; an empty block is one empty piece, so that a rank is never asked to pass on
  /// what it is only about to get.
  Block next() {
    const Packed &whole = blocks_[static_cast<size_t>(block_)];
    const int64_t bytes = std::min(piece_, whole.size() - offset_);
    const Block piece = Messages::bytes(whole.bytes() + offset_, bytes);
    offset_ += bytes;
    if (offset_ == whole.size())
      advance();
    return piece;
  }

private:
  void advance() {
    done_ = block_ == last_;
    const int n = static_cast<int>(blocks_.size());
    block_ = (block_ - 1 + n) % n;
    offset_ = 0;
  }
  const std::deque<Packed> &blocks_;
  int block_, last_;
  int64_t piece_, offset_ = 0;
  bool done_ = false;
};

} // namespace

int pipelinedRing(const AllgatherBase &args) {
  Messages messages(args);
  const int n = args.size, left = (args.rank - 1 + n) % n, right = (args.rank + 1) % n;
  copyBlock(args.own(), args.recvBlock(args.rank));
  if (n == 1)
    return 0;
  std::deque<Packed> blocks;
  for (int r = 0; r < n; ++r) {
    const Block block = args.recvBlock(r);
    blocks.emplace_back(block.data, block.count, *block.type);
  }
  blocks[static_cast<size_t>(args.rank)].pack();
  const int64_t piece = pieceBytes(args);
  // All blocks but the right neighbour's go to it, all but the own come from the left.
  Passing out(blocks, args.rank, (args.rank + 2) % n, piece), in(blocks, left, right, piece);
  while (!out.ended() || !in.ended()) {
    const Block sent = out.ended() ? Block{} : out.next(), got = in.ended() ? Block{} : in.next();
    if (sent.count > 0 && got.count > 0)
      messages.sendrecv({sent.data, sent.count, sent.type}, right, got, left);
    else if (sent.count > 0)
      messages.send({sent.data, sent.count, sent.type}, right);
    else if (got.count > 0)
      messages.recv(got, left);
  }
  for (int r = 0; r < n; ++r)
    if (r != args.rank)
      blocks[static_cast<size_t>(r)].unpack();
  return messages.result();
}

} // namespace gnomon::coll::allgather
