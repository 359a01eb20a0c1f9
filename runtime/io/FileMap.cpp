// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/FileMap.h"

#include <algorithm>
#include <limits>

namespace gnomon::io {

using mpi::Layout;
using mpi::Loop;

FileMap::FileMap(int64_t displacement, std::shared_ptr<const Layout> layout, int64_t extent)
    : displacement_(displacement), extent_(extent), layout_(std::move(layout)),
      tileBytes_(sumUp(*layout_).back()) {
  plain_ = layout_->size() == 1 && layout_->front().isRun() && layout_->front().bytes == extent_;
}

const FileMap::Sums &FileMap::sumUp(const Layout &layout) {
  if (auto found = sums_.find(&layout); found != sums_.end())
    return found->second;
  Sums sums{0};
  for (const Loop &loop : layout) {
    const int64_t bytes = loop.body ? sumUp(*loop.body).back() : loop.bytes;
    sums.push_back(sums.back() + loop.count * bytes);
  }
  return sums_[&layout] = std::move(sums);
}

int64_t FileMap::bytesOf(const Loop &loop) const {
  return loop.body ? sums(*loop.body).back() : loop.bytes;
}

int64_t FileMap::offsetOf(int64_t position) const {
  return tileBytes_ == 0 ? displacement_ : FileCursor(*this, position).offset();
}

int64_t FileMap::positionOf(int64_t offset) const {
  if (tileBytes_ == 0 || offset <= displacement_ || extent_ <= 0)
    return 0;
  if (plain_)
    return std::max<int64_t>(0, offset - displacement_ - layout_->front().offset);
  int64_t position = (offset - displacement_) / extent_ * tileBytes_;
  const int64_t end = position + tileBytes_;
  for (FileCursor cursor(*this, position); position < end && cursor.offset() < offset;) {
    const int64_t bytes = std::min(cursor.available(), end - position);
    position += std::min(bytes, offset - cursor.offset());
    cursor.advance(bytes);
  }
  return position;
}

FileCursor::FileCursor(const FileMap &map, int64_t position) : map_(map) {
  if (map_.plain_) {
    offset_ = map_.displacement_ + map_.layout_->front().offset + position;
    available_ = std::numeric_limits<int64_t>::max();
    return;
  }
  tile_ = position / map_.tileBytes_;
  descend(*map_.layout_, map_.displacement_ + tile_ * map_.extent_, position % map_.tileBytes_);
}

/// To byte \p position of \p layout, which lies at \p base.
void FileCursor::descend(const Layout &layout, int64_t base, int64_t position) {
  const FileMap::Sums &sums = map_.sums(layout);
  const auto loopAfter = std::upper_bound(sums.begin(), sums.end(), position);
  const auto index = static_cast<size_t>(loopAfter - sums.begin()) - 1;
  const Loop &loop = layout[index];
  const int64_t bytes = map_.bytesOf(loop), within = position - sums[index];
  const int64_t iteration = within / bytes;
  frames_.push_back({&layout, index, iteration, base});
  const int64_t start = base + loop.offset + iteration * loop.stride;
  if (loop.body)
    return descend(*loop.body, start, within % bytes);
  offset_ = start + within % bytes;
  available_ = loop.bytes - within % bytes;
}

void FileCursor::advance(int64_t bytes) {
  offset_ += bytes;
  if (map_.plain_)
    return;
  available_ -= bytes;
  if (available_ == 0)
    nextRun();
}

void FileCursor::nextRun() {
  while (!frames_.empty()) {
    Frame &frame = frames_.back();
    const Loop &loop = (*frame.layout)[frame.index];
    const int64_t within = (frame.iteration + 1) * map_.bytesOf(loop);
    const int64_t position = map_.sums(*frame.layout)[frame.index] + within;
    const Frame left = frame;
    frames_.pop_back();
    if (position < map_.sums(*left.layout).back())
      return descend(*left.layout, left.base, position);
  }
  ++tile_;
  descend(*map_.layout_, map_.displacement_ + tile_ * map_.extent_, 0);
}

} // namespace gnomon::io
