// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How ranks find their places in the trees (Tree.h); each takes a logarithm of steps at most.
#include "coll/tree/Tree.h"

#include <algorithm>

namespace gnomon::coll {

namespace {

int relativeRank(const Call &call, int root) { return (call.rank - root + call.size) % call.size; }

/// Relative ranks as ranks.
Tree shifted(Tree tree, const Call &call, int root) {
  if (tree.parent >= 0)
    tree.parent = (tree.parent + root) % call.size;
  for (int &child : tree.children)
    child = (child + root) % call.size;
  return tree;
}

} // namespace

// As many as Open MPI's nodes can have children.
constexpr int MostChains = 32;

Tree Tree::chain(const Call &call, int root, int chains) {
  const int others = call.size - 1, v = relativeRank(call, root);
  Tree tree;
  if (others == 0)
    return tree;
  const int count = std::clamp(chains, 1, std::min(others, MostChains));
  const int length = (others + count - 1) / count;
  const int longer = others % count == 0 ? count : others % count;
  auto head = [&](int c) { return 1 + c * length - std::max(0, c - longer); };
  if (v == 0) {
    for (int c = 0; c < count; ++c)
      tree.children.push_back(head(c));
    return shifted(tree, call, root);
  }
  int c = 0;
  while (c + 1 < count && head(c + 1) <= v)
    ++c;
  tree.parent = v == head(c) ? 0 : v - 1;
  const int end = c + 1 < count ? head(c + 1) : call.size;
  if (v + 1 < end)
    tree.children.push_back(v + 1);
  return shifted(tree, call, root);
}

Tree Tree::binary(const Call &call, int root) {
  const int v = relativeRank(call, root);
  Tree tree;
  int width = 1, first = 0; // of the rank's level
  while (v >= first + width) {
    first += width;
    width *= 2;
  }
  if (v > 0) {
    int parent = v;
    while (parent >= first)
      parent -= width / 2;
    tree.parent = parent;
  }
  for (int child : {v + width, v + 2 * width})
    if (child < call.size)
      tree.children.push_back(child);
  return shifted(tree, call, root);
}

Tree Tree::inOrderBinary(const Call &call) {
  Tree tree;
  int low = 0, high = call.size - 1; // the subtree that the rank is in
  auto rightSize = [&] { return high - low + 1 > 2 ? (high - low + 1) / 2 : 0; };
  while (high != call.rank) {
    tree.parent = high;
    const int left = low + rightSize();
    if (call.rank < left) {
      high = left - 1;
    } else {
      low = left;
      --high;
    }
  }
  if (high > low)
    tree.children.push_back(high - 1);
  if (const int size = rightSize(); size > 0)
    tree.children.push_back(low + size - 1);
  return tree;
}

Tree Tree::binomial(const Call &call, int root) {
  const int v = relativeRank(call, root);
  Tree tree;
  int mask = 1;
  while (mask <= v)
    mask *= 2;
  if (v > 0)
    tree.parent = v ^ (mask / 2);
  for (; (v ^ mask) < call.size; mask *= 2)
    tree.children.push_back(v ^ mask);
  return shifted(tree, call, root);
}

Tree Tree::inOrderBinomial(const Call &call, int root) {
  const int v = relativeRank(call, root);
  Tree tree;
  for (int mask = 1; mask < call.size; mask *= 2) {
    if (v & mask) {
      tree.parent = v ^ mask;
      break;
    }
    if (v + mask < call.size)
      tree.children.push_back(v + mask);
  }
  return shifted(tree, call, root);
}

Tree Tree::knomial(const Call &call, int root, int radix) {
  const int v = relativeRank(call, root);
  Tree tree;
  int mask = 1;
  for (; mask < call.size; mask *= radix) {
    if (v % (radix * mask) != 0) {
      tree.parent = v / (radix * mask) * (radix * mask);
      break;
    }
  }
  for (mask /= radix; mask > 0; mask /= radix)
    for (int digit = 1; digit < radix; ++digit)
      if (v + mask * digit < call.size)
        tree.children.push_back(v + mask * digit);
  return shifted(tree, call, root);
}

} // namespace gnomon::coll
