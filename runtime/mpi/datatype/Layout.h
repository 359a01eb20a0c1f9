// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the bytes of a datatype lie: a sequence of loops, in the order of the type map. A loop
/// repeats its body `count` times, `stride` bytes apart, from `offset` on; its body is a run of
/// `bytes` contiguous bytes, or another layout. So a vector of 10^6 blocks is one loop, and a
/// vector of vectors is two nested ones.
///
/// In symbols, with map(L) the sequence of byte positions of a layout L:
///   map(loop) = for k in [0, count): (offset + k * stride) + (body ? map(*body) : [0, bytes))
///   map(layout) = concatenation of map(loop)
/// Everything here keeps map() and only makes its description shorter.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace gnomon::mpi {

struct Loop;
using Layout = std::vector<Loop>;

struct Loop {
  int64_t offset = 0;
  int64_t count = 1;
  int64_t stride = 0; ///< meaningless (0) when count is 1
  int64_t bytes = 0;  ///< of the run, when there is no body
  std::shared_ptr<const Layout> body;

  bool isRun() const { return count == 1 && !body; }
  friend bool operator==(const Loop &, const Loop &) = default;
};

/// A layout of one run.
Layout runLayout(int64_t offset, int64_t bytes);

/// \p layout, \p count times, \p stride bytes apart, all moved by \p offset.
Layout repeatLayout(const std::shared_ptr<const Layout> &layout, int64_t count, int64_t stride,
                    int64_t offset);

/// Appends \p more to \p layout, joining a run to the run that it continues.
void appendLayout(Layout &layout, const Layout &more);

/// Folds three or more neighbours of equal shape at equal distances into one loop.
Layout compressLayout(Layout layout);

struct LayoutBounds {
  int64_t low = 0;  ///< the lowest byte
  int64_t high = 0; ///< one past the highest
};
/// The bytes that \p layout spans; {0, 0} for an empty one.
LayoutBounds boundsOf(const Layout &layout);

/// Walks the runs of `count` elements of a layout in type map order, in pieces of the caller's
/// choice.
class LayoutCursor {
public:
  /// \p layout must outlive the cursor. \p extent is the distance between elements.
  LayoutCursor(const Layout &layout, int64_t count, int64_t extent);

  bool done() const { return available_ == 0; }
  int64_t offset() const { return offset_; }       ///< of the next byte
  int64_t available() const { return available_; } ///< contiguous bytes from there on
  /// Consumes \p bytes, at most available().
  void advance(int64_t bytes) {
    offset_ += bytes;
    available_ -= bytes;
    if (available_ == 0)
      nextRun();
  }

private:
  struct Frame {
    const Layout *layout;
    size_t index;      ///< of the loop within the layout
    int64_t iteration; ///< of that loop
    int64_t base;      ///< what this layout's offsets count from
  };
  void nextRun();

  std::vector<Frame> frames_;
  const Layout &root_;
  int64_t remainingElements_;
  int64_t extent_;
  int64_t nextBase_ = 0;
  int64_t offset_ = 0;
  int64_t available_ = 0;
};

} // namespace gnomon::mpi
