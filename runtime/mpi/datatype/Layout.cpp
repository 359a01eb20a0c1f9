// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Building and shortening layouts, and walking them.
#include "mpi/datatype/Layout.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gnomon::mpi {

Layout runLayout(int64_t offset, int64_t bytes) {
  Layout layout;
  if (bytes > 0)
    layout.push_back({offset, 1, 0, bytes, nullptr});
  return layout;
}

/// `count` times a single loop, where that is again a single loop without a new body.
static bool repeatInPlace(Loop &loop, int64_t count, int64_t stride) {
  if (count == 1)
    return true;
  if (loop.isRun() && stride == loop.bytes) {
    loop.bytes *= count;
    return true;
  }
  if (loop.count == 1) {
    loop.count = count;
    loop.stride = stride;
    return true;
  }
  if (stride == loop.count * loop.stride) {
    loop.count *= count;
    return true;
  }
  return false;
}

Layout repeatLayout(const std::shared_ptr<const Layout> &layout, int64_t count, int64_t stride,
                    int64_t offset) {
  if (count <= 0 || layout->empty())
    return {};
  if (layout->size() == 1) {
    Loop loop = layout->front();
    if (repeatInPlace(loop, count, stride)) {
      loop.offset += offset;
      return {std::move(loop)};
    }
  }
  return {Loop{offset, count, count == 1 ? 0 : stride, 0, layout}};
}

void appendLayout(Layout &layout, const Layout &more) {
  for (const Loop &loop : more) {
    if (!layout.empty() && loop.isRun() && layout.back().isRun() &&
        layout.back().offset + layout.back().bytes == loop.offset)
      layout.back().bytes += loop.bytes;
    else
      layout.push_back(loop);
  }
}

static bool sameShape(const Loop &a, const Loop &b) {
  return a.count == b.count && a.stride == b.stride && a.bytes == b.bytes && a.body == b.body;
}

/// How many loops from \p first on have one shape and one distance.
static size_t progression(const Layout &layout, size_t first) {
  size_t next = first + 1;
  if (next >= layout.size())
    return 1;
  const int64_t distance = layout[next].offset - layout[first].offset;
  while (next < layout.size() && sameShape(layout[first], layout[next]) &&
         layout[next].offset - layout[next - 1].offset == distance)
    ++next;
  return next - first;
}

Layout compressLayout(Layout layout) {
  constexpr size_t WorthALoop = 3;
  if (layout.size() < WorthALoop)
    return layout;
  Layout shorter;
  for (size_t i = 0; i < layout.size();) {
    const size_t length = progression(layout, i);
    Loop loop = layout[i];
    if (length < WorthALoop) {
      shorter.push_back(std::move(loop));
      ++i;
      continue;
    }
    const int64_t distance = layout[i + 1].offset - layout[i].offset;
    const int64_t offset = std::exchange(loop.offset, 0);
    if (!repeatInPlace(loop, static_cast<int64_t>(length), distance))
      loop = Loop{0, static_cast<int64_t>(length), distance, 0,
                  std::make_shared<const Layout>(Layout{std::move(loop)})};
    loop.offset = offset;
    shorter.push_back(std::move(loop));
    i += length;
  }
  return shorter;
}

LayoutBounds boundsOf(const Layout &layout) {
  if (layout.empty())
    return {};
  LayoutBounds bounds{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  for (const Loop &loop : layout) {
    const LayoutBounds body = loop.body ? boundsOf(*loop.body) : LayoutBounds{0, loop.bytes};
    const int64_t last = (loop.count - 1) * loop.stride;
    bounds.low = std::min(bounds.low, loop.offset + std::min<int64_t>(0, last) + body.low);
    bounds.high = std::max(bounds.high, loop.offset + std::max<int64_t>(0, last) + body.high);
  }
  return bounds;
}

LayoutCursor::LayoutCursor(const Layout &layout, int64_t count, int64_t extent)
    : root_(layout), remainingElements_(layout.empty() ? 0 : count), extent_(extent) {
  nextRun();
}

void LayoutCursor::nextRun() {
  for (;;) {
    if (frames_.empty()) {
      if (remainingElements_ == 0)
        return; // available_ is 0: done
      --remainingElements_;
      frames_.push_back({&root_, 0, 0, nextBase_});
      nextBase_ += extent_;
    }
    Frame &frame = frames_.back();
    if (frame.index == frame.layout->size()) {
      frames_.pop_back();
      continue;
    }
    const Loop &loop = (*frame.layout)[frame.index];
    const int64_t position = frame.base + loop.offset + frame.iteration * loop.stride;
    if (++frame.iteration == loop.count) {
      frame.iteration = 0;
      ++frame.index;
    }
    if (!loop.body) {
      offset_ = position;
      available_ = loop.bytes;
      return;
    }
    frames_.push_back({loop.body.get(), 0, 0, position});
  }
}

} // namespace gnomon::mpi
