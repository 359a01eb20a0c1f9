// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which bytes of a file a view shows: the file type's layout, tiled from the displacement on. With
/// map() the byte positions of the layout in order (mpi/datatype/Layout.h), s its bytes and E the
/// type's extent, byte p of the view is byte
///     displacement + (p div s) E + map()[p mod s]
/// of the file. A place is found in O(depth × log n) for a type of n loops, so that a small access
/// to a large irregular type does not walk over it.
#pragma once

#include "mpi/datatype/Layout.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace gnomon::io {

class FileMap {
public:
  /// \p layout of one file type of \p extent bytes.
  FileMap(int64_t displacement, std::shared_ptr<const mpi::Layout> layout, int64_t extent);

  /// Bytes of data in a tile; 0: the view shows nothing.
  int64_t tileBytes() const { return tileBytes_; }
  /// Of the file, for byte \p position of the view.
  int64_t offsetOf(int64_t position) const;
  /// How many bytes of the view lie before byte \p offset of the file (for types whose bytes
  /// ascend).
  int64_t positionOf(int64_t offset) const;

private:
  friend class FileCursor;
  using Sums = std::vector<int64_t>; ///< bytes before each loop; at the end those of all loops

  const Sums &sumUp(const mpi::Layout &layout);
  const Sums &sums(const mpi::Layout &layout) const { return sums_.at(&layout); }
  int64_t bytesOf(const mpi::Loop &loop) const;

  int64_t displacement_, extent_;
  std::shared_ptr<const mpi::Layout> layout_;
  std::unordered_map<const mpi::Layout *, Sums> sums_;
  int64_t tileBytes_;
  bool plain_; ///< one run from end to end
};

/// Walks the runs of a view from a place on, without end.
class FileCursor {
public:
  FileCursor(const FileMap &map, int64_t position);

  int64_t offset() const { return offset_; }       ///< in the file, of the next byte
  int64_t available() const { return available_; } ///< contiguous bytes from there on
  /// Consumes \p bytes, at most available().
  void advance(int64_t bytes);

private:
  struct Frame {
    const mpi::Layout *layout;
    size_t index;      ///< of the loop within the layout
    int64_t iteration; ///< of that loop
    int64_t base;      ///< what this layout's offsets count from
  };
  void descend(const mpi::Layout &layout, int64_t base, int64_t position);
  void nextRun();

  const FileMap &map_;
  std::vector<Frame> frames_;
  int64_t tile_ = 0;
  int64_t offset_ = 0;
  int64_t available_ = 0;
};

} // namespace gnomon::io
