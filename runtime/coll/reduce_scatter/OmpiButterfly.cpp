// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// After folding onto a power of two p, recursive halving that keeps the order of ranks: neighbours
/// first; a rank is left with the block of the mirror image of its number and sends it there.
/// Folded ranks get their block from whoever has it.
/// Cost: log2 p (+3) rounds; about B bytes from each rank.
/// Source: Traff 2005; Open MPI 4.1, coll_base_reduce_scatter (butterfly).
#include "coll/Reduction.h"
#include "coll/reduce_scatter/ReduceScatter.h"

namespace gnomon::coll::reduce_scatter {

namespace {

/// What the places stand for: the block of a rank, and of the folded one below it.
struct Spans {
  const std::vector<int64_t> &offsets;
  const Fold &fold;
  int firstRank(int place) const {
    return place < fold.paired / 2 ? 2 * place : place + fold.paired / 2;
  }
  int64_t offset(int place) const { return offsets[static_cast<size_t>(firstRank(place))]; }
};

/// Sends the blocks that the halving left here, those of the mirrored place, where they belong.
void deliver(Messages &messages, const ReduceScatterArgs &args, const Spans &spans, int place,
             const void *value) {
  const Datatype &type = *args.type;
  const int owner = mirrored(spans.fold.place, spans.fold.p), peer = spans.fold.rankAt(owner);
  auto block = [&](int r) {
    return ConstBlock{at(value, spans.offsets[static_cast<size_t>(r)], type), args.countOf(r),
                      &type};
  };
  int held = spans.firstRank(place);
  if (owner < spans.fold.paired / 2)
    messages.send(block(held++), peer - 1);
  const Block own{args.recv, args.countOf(args.rank), &type};
  if (owner == spans.fold.place)
    copyBlock(block(held), own);
  else
    messages.sendrecv(block(held), peer, own, peer);
}

} // namespace

int butterfly(const ReduceScatterArgs &args) {
  Messages messages(args);
  const Datatype &type = *args.type;
  const std::vector<int64_t> offsets = blockOffsets(args);
  const int64_t total = offsets.back();
  const Fold fold(args);
  if (fold.dropsOut()) {
    messages.send(args.input(), total, type, args.rank + 1);
    messages.recv(args.recv, args.countOf(args.rank), type,
                  fold.rankAt(mirrored(args.rank / 2, fold.p)));
    return messages.result();
  }
  const ReductionArgs whole{args, args.input(), nullptr, total, args.type, args.op};
  Accumulator value(whole, nullptr);
  fold.enter(messages, value);
  const Spans spans{offsets, fold};
  int first = 0, places = fold.p;
  void *mine = value.value(), *incoming = value.incoming();
  for (int mask = 1; mask < fold.p; mask *= 2) {
    const int partner = fold.place ^ mask, peer = fold.rankAt(partner);
    places /= 2;
    const bool upper = fold.place & mask;
    const int keep = upper ? first + places : first, give = upper ? first : first + places;
    auto offset = [&](int place) { return place == fold.p ? total : spans.offset(place); };
    const int64_t kept = offset(keep + places) - offset(keep);
    messages.sendrecv({at(mine, offset(give), type), offset(give + places) - offset(give), &type},
                      peer, {at(incoming, offset(keep), type), kept, &type}, peer);
    void *theirs = at(incoming, offset(keep), type), *ours = at(mine, offset(keep), type);
    args.op->apply(upper ? theirs : ours, upper ? ours : theirs, kept, type);
    if (!upper)
      std::swap(mine, incoming);
    first = keep;
  }
  deliver(messages, args, spans, first, mine);
  return messages.result();
}

int butterflyOfEqualBlocks(const ReduceScatterArgs &args) {
  return isPowerOfTwo(args.size) ? noncommutative(args) : butterfly(args);
}

} // namespace gnomon::coll::reduce_scatter
