// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads a trace from a file (docs/trace-format.md). Memory: the tables, the index, and of each
/// cursor one decoded block and one page of the index; cursors of ranks with equal blocks share
/// these. Where the file is damaged, InputError names it and the byte.
#pragma once

#include "support/SpinLock.h"
#include "trace/Block.h"
#include "trace/Index.h"
#include "trace/Section.h"
#include "trace/Tables.h"

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gnomon::trace {

class TraceFile final : public Source {
public:
  /// Reads tables and index. Throws InputError: the file cannot be read, is no trace, was cut
  /// short, is of another version, or is damaged.
  explicit TraceFile(std::string path);
  ~TraceFile() override;
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  const Facts &facts() const override { return tables_.facts; }
  const std::vector<Function> &functions() const override { return tables_.schema.functions(); }
  const std::vector<std::string> &texts() const override { return tables_.texts; }
  const std::vector<Group> &communicators() const override { return tables_.communicators; }
  const std::vector<std::vector<uint32_t>> &sets() const override { return tables_.sets; }

  /// Cursors must not outlive the file. Several threads may each use their own. Throws InputError
  /// where there is no such rank.
  std::unique_ptr<Cursor> open(uint32_t rank) const override { return open(rank, 0); }
  /// From record \p first on, which is counted from 0; found by the index.
  std::unique_ptr<Cursor> open(uint32_t rank, uint64_t first) const;
  /// Whether \p record has the values that its function's fields ask for, as all that cursors give
  /// have.
  bool fits(const Record &record) const {
    return tables_.schema.fits(record.function, record.values);
  }
  /// How many \p rank has.
  uint64_t records(uint32_t rank) const;
  /// Ranks that the program began with; those that it started later follow them.
  uint32_t firstRanks() const {
    return worldRanks_ > 0 && worldRanks_ < facts().ranks ? worldRanks_ : facts().ranks;
  }

  const std::string &path() const { return path_; }

private:
  friend class FileCursor;
  using BlockPointer = std::shared_ptr<const Block>;

  [[noreturn]] void damaged(uint64_t place, const std::string &what) const;
  [[noreturn]] void refused(const std::string &what) const;
  std::string read(uint64_t place, uint64_t bytes) const;
  void openFile();
  void readHead();
  void readEnd();
  void checkRank(uint32_t rank) const;
  /// What the section holds, given to \p parse; Damage becomes an InputError.
  template <class Parse>
  auto readSection(const Reference &place, const SectionHead &head, Parse parse) const;
  std::vector<Reference> page(const Reference &place) const;
  BlockPointer block(const Reference &place) const;

  std::string path_;
  int descriptor_ = -1;
  uint64_t bytes_ = 0;
  uint32_t worldRanks_ = 0; ///< what peers are relative to is counted modulo this
  Tables tables_;
  std::vector<RankIndex> index_; ///< by rank

  /// Blocks by place while somebody has them, and some that were used last.
  static constexpr size_t RecentBlocks = 16;
  mutable SpinLock lock_; ///< of what follows
  mutable Decompressor decompressor_;
  mutable std::unordered_map<uint64_t, std::weak_ptr<const Block>> blocks_;
  mutable std::array<BlockPointer, RecentBlocks> recent_;
  mutable size_t nextRecent_ = 0, swept_ = 64;
};

} // namespace gnomon::trace
