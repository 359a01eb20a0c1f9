// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a vector is cut: into segments of so many bytes, or into nearly equal blocks.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll {

/// A typed buffer as a row of equal units: the basic elements where they are all of a size, else
/// bytes. Ranks whose types differ in layout but not in signature find the same.
struct Units {
  int64_t bytes, count; ///< of one unit; units
  Units(int64_t elements, const Datatype &type) {
    const int64_t basic = type.basicCount();
    bytes = basic > 0 && type.size() % basic == 0 ? type.size() / basic : 1;
    bytes = bytes > 0 ? bytes : 1;
    count = elements * type.size() / bytes;
  }
};

/// Elements of a segment of about \p segmentBytes, of \p count elements of \p elementBytes: all of
/// them when the segment is too small for one or large enough for all. Source: Open MPI 4.1,
/// coll_base_util.
inline int64_t segmentElements(int64_t segmentBytes, int64_t elementBytes, int64_t count) {
  if (segmentBytes < elementBytes || segmentBytes >= elementBytes * count)
    return count;
  const int64_t elements = segmentBytes / elementBytes;
  return elements + (segmentBytes - elements * elementBytes > elementBytes / 2 ? 1 : 0);
}

/// \p count elements as \p blocks blocks; the first ones are an element longer.
struct Blocks {
  int64_t each, longer;
  Blocks(int64_t count, int64_t blocks) : each(count / blocks), longer(count % blocks) {}
  int64_t size(int64_t block) const { return each + (block < longer ? 1 : 0); }
  int64_t offset(int64_t block) const { return block * each + (block < longer ? block : longer); }
  int64_t largest() const { return each + (longer > 0 ? 1 : 0); }
};

} // namespace gnomon::coll
