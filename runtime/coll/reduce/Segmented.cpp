// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A leaf sends its segments one after the other. An inner rank posts the receive of the next
/// operand (the same segment of the next child, or the next segment of the first) before it waits
/// for the last one, and passes on each segment that it has from all its children.
/// Cost: s segments up a tree of depth d: at least d + s - 1 rounds; n - 1 times B bytes.
/// Source: Open MPI 4.1, coll_base_reduce (generic).
#include "coll/reduce/Segmented.h"

#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/tree/Segments.h"

#include <algorithm>

namespace gnomon::coll::reduce {

namespace {

int sendSegments(const ReduceArgs &args, int parent, int64_t each) {
  Messages messages(args);
  for (int64_t first = 0; first < args.count; first += each)
    messages.send(at(args.input(), first, *args.type), std::min(each, args.count - first),
                  *args.type, parent);
  return messages.result();
}

} // namespace

int segmented(const ReduceArgs &args, const Tree &tree, int64_t segmentBytes, void *result) {
  const Datatype &type = *args.type;
  if (args.count == 0)
    return 0;
  const int64_t each = segmentElements(segmentBytes, type.size(), args.count);
  if (tree.children.empty() && tree.parent >= 0)
    return sendSegments(args, tree.parent, each);
  const bool keeps = tree.parent < 0;
  TypedScratch own(keeps ? 0 : args.count, type), first(each, type), second(each, type);
  void *value = !keeps ? own.data() : result ? result : args.recv;
  if (args.input() != value)
    mpi::copyTyped(args.input(), args.count, type, value, args.count, type);

  Messages in(args), out(args);
  void *incoming[] = {first.data(), second.data()};
  int turn = 0, children = static_cast<int>(tree.children.size());
  const int64_t segments = (args.count + each - 1) / each, operands = segments * children;
  auto countOf = [&](int64_t segment) { return std::min(each, args.count - segment * each); };
  auto post = [&](int64_t operand) {
    in.irecv({incoming[turn], countOf(operand / children), &type},
             tree.children[static_cast<size_t>(operand % children)]);
    turn = 1 - turn;
  };
  if (operands > 0)
    post(0);
  for (int64_t operand = 0; operand < operands; ++operand) {
    if (operand + 1 < operands)
      post(operand + 1);
    const void *arrived = incoming[operand % 2];
    in.waitFirst();
    const int64_t segment = operand / children;
    void *target = at(value, segment * each, type);
    args.op->apply(arrived, target, countOf(segment), type);
    if (operand % children == children - 1 && tree.parent >= 0)
      out.send(target, countOf(segment), type, tree.parent);
  }
  return in.result() ? in.result() : out.result();
}

} // namespace gnomon::coll::reduce
