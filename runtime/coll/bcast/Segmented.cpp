// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The receive of a segment is posted before the one before it is passed on to all children at
/// once.
/// Cost: s segments down a tree of depth d: d + s - 1 rounds; n - 1 times B bytes.
/// Source: Open MPI 4.1, coll_base_bcast (generic).
#include "coll/bcast/Segmented.h"

#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/tree/Segments.h"

#include <algorithm>

namespace gnomon::coll::bcast {

int segmented(const BcastArgs &args, const Tree &tree, int64_t segmentBytes) {
  if (args.size == 1 || args.bytes() == 0)
    return 0;
  Packed data(args.buffer, args.count, *args.type);
  if (tree.parent < 0)
    data.pack();
  const Units units(args.count, *args.type);
  const int64_t each = segmentElements(segmentBytes, units.bytes, units.count) * units.bytes;
  const int64_t bytes = data.size(), segments = (bytes + each - 1) / each;
  auto segment = [&](int64_t index) {
    return Messages::bytes(data.bytes() + index * each, std::min(each, bytes - index * each));
  };
  Messages in(args), out(args);
  if (tree.parent >= 0)
    in.irecv(segment(0), tree.parent);
  for (int64_t index = 0; index < segments; ++index) {
    if (tree.parent >= 0) {
      if (index + 1 < segments)
        in.irecv(segment(index + 1), tree.parent);
      in.waitFirst();
    }
    const Block block = segment(index);
    for (int child : tree.children)
      out.isend({block.data, block.count, block.type}, child);
    out.waitAll();
  }
  if (tree.parent >= 0)
    data.unpack();
  return in.result() ? in.result() : out.result();
}

} // namespace gnomon::coll::bcast
