// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Items of a window as the bytes of a block (docs/trace-format.md, "Blocks"), before they are
/// compressed. Values of one field of one function stand together: what repeats compresses to next
/// to nothing, whatever varies beside it. Nodes that stood before in the block are copies (Copies.h).
#pragma once

#include "trace/Copies.h"
#include "trace/FlatBytes.h"
#include "trace/Prediction.h"
#include "trace/Schema.h"
#include "trace/Window.h"

#include <string>
#include <vector>

namespace gnomon::trace {

class BlockEncoder {
public:
  BlockEncoder(const Schema &schema, const RecordPool &pool)
      : schema_(schema), pool_(pool), copies_(pool) {}

  /// The block of the items from \p first on, but those from \p end on; valid until the next call.
  const std::string &encode(const Window &window, uint32_t first, uint32_t end);
  /// Memory that all items take when they are decoded.
  static size_t decodedBytes(const Window &window);
  /// The same of one.
  size_t decodedBytes(const Window &window, uint32_t item) const;

private:
  /// A function, and as bits those of its fields that are not as predicted. Its number in the block
  /// is its place in shapes_, plus 1.
  struct Shape {
    uint32_t function;
    uint64_t mask;
  };

  void clear();
  void encodeNodes(const Window &window, uint32_t begin, uint32_t end);
  void encodeCopy(const Window &window, uint32_t at, const Copies::Copy &copy);
  void encodeLoop(const Loop &loop);
  void encodeRecord(uint32_t record);
  uint64_t maskOf(const Plan &plan, const int64_t *values, const int64_t *expected) const;
  void putFields(const Plan &plan, uint64_t mask, const int64_t *values, const int64_t *expected);
  uint64_t shapeNumber(uint32_t function, uint64_t mask) {
    for (const Known &known : shapesOf_[function])
      if (known.mask == mask)
        return known.number;
    return newShape(function, mask);
  }
  uint32_t newShape(uint32_t function, uint64_t mask);
  void assemble(uint32_t items, uint32_t nodes);

  const Schema &schema_;
  const RecordPool &pool_;
  Copies copies_;
  std::vector<uint32_t> bodyEnds_; ///< of the loops that a node is in, outermost first
  Contexts contexts_;
  std::vector<Shape> shapes_;
  struct Known {
    uint64_t mask;
    uint32_t number;
  };
  std::vector<std::vector<Known>> shapesOf_; ///< by function
  std::vector<uint32_t> fields_;             ///< streams that have bytes, in order of first use
  std::vector<FlatBytes> streams_;           ///< by Plan::firstStream + field
  std::vector<char> hasStream_;              ///< by the same
  uint64_t values_ = 0;
  FlatBytes codes_;
  std::string block_;
};

} // namespace gnomon::trace
