// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes a trace to a file (docs/trace-format.md), while the ranks that it is of still run.
///
/// Each rank has a window of items, in which loops are folded; a full one is written as blocks.
/// Memory: the windows, some 256 MiB at most; 32 MiB of blocks that others may equal; the tables;
/// 32 bytes for each 64 blocks.
#pragma once

#include "trace/BlockEncoder.h"
#include "trace/Follower.h"
#include "trace/Index.h"
#include "trace/KnownBlocks.h"
#include "trace/Record.h"
#include "trace/Section.h"
#include "trace/Tables.h"
#include "trace/Target.h"
#include "trace/Window.h"

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gnomon::trace {

class TraceWriter final : public Sink {
public:
  /// Writes to a FileTarget. \p ranks is how many MPI_COMM_WORLD has; others may follow. Throws
  /// InputError when nothing can be written there.
  TraceWriter(const std::string &path, uint32_t ranks);
  /// \p path is named in errors.
  TraceWriter(std::unique_ptr<Target> target, std::string path, uint32_t ranks,
              Compressor::Method method = Compressor::Method::Zstd);

  uint32_t function(const Function &function) override;
  int64_t text(std::string_view text) override;
  int64_t communicator(const Group &group) override;
  int64_t set(const std::vector<uint32_t> &members) override;
  void append(uint32_t rank, const Record &record) override;
  Follower *follower(uint32_t rank) override {
    return rank < open_.size() ? &open_[rank]->follower : nullptr;
  }

  /// Writes what is left. Returns what went wrong, at any time; empty on success. Without it there
  /// is no file.
  std::string finish(const Facts &facts);

  /// Bytes of all windows, and of the records in them.
  size_t windowMemory() const;
  /// Bytes written so far.
  uint64_t bytes() const { return bytes_; }

private:
  /// By text; found without making a string.
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return hashOf(text); }
  };
  using Numbers = std::unordered_map<std::string, int64_t, TextHash, std::equal_to<>>;

  std::string head() const;
  void put(std::string_view bytes);
  Reference putSection(const SectionHead &head, std::string_view bytes);
  void addRanks(uint32_t ranks);
  void appendOther(uint32_t rank, const Record &record, const Plan &plan);
  std::span<const int64_t> relativeValues(uint32_t rank, const Record &record, const Plan &plan);
  bool isFull(const Window &window) const;
  void flush(uint32_t rank);
  void flushInParts(uint32_t rank);
  void putBlock(uint32_t rank, uint32_t first, uint32_t end, uint64_t records);
  void refer(uint32_t rank, Reference block);
  std::string trailer(const Reference &tables, const Reference &index) const;

  std::unique_ptr<Target> target_;
  std::string path_, error_;
  uint32_t ranks_;        ///< of MPI_COMM_WORLD: what peers are relative to is counted modulo this
  uint32_t mostNodes_;    ///< of a window
  size_t mostBlockBytes_; ///< of a block when it is decoded, unless it has one item
  Schema schema_;
  TableBytes tables_;
  Numbers texts_, sets_; ///< numbers by text, and by a set's bytes; never walked through
  /// Of a rank.
  struct Open {
    Open(const RecordPool &pool, uint32_t rank, uint32_t ranks)
        : follower(window, pool, rank, ranks) {}
    Window window;
    Follower follower;
  };
  std::vector<std::unique_ptr<Open>> open_; ///< by rank
  std::vector<RankIndex> index_;            ///< by rank
  std::array<int64_t, MostFields> few_;     ///< the values of a record, peers made relative, and
  std::vector<int64_t> many_;               ///< of one that has more of them
  RecordPool pool_;
  BlockEncoder encoder_;
  Compressor compressor_;
  KnownBlocks known_;
  uint64_t bytes_ = 0;
};

} // namespace gnomon::trace
