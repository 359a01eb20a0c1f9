// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/TraceWriter.h"

#include "support/Check.h"
#include "support/Error.h"
#include "trace/Wire.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gnomon::trace {
namespace {

/// Decoded blocks of all ranks have 128 MiB at most, if none is shared.
size_t blockBytes(uint32_t ranks) {
  constexpr size_t All = size_t{128} << 20, Least = size_t{2} << 10, Most = size_t{128} << 10;
  return std::clamp(All / std::max<size_t>(ranks, 1), Least, Most);
}

} // namespace

TraceWriter::TraceWriter(const std::string &path, uint32_t ranks)
    : TraceWriter(std::make_unique<FileTarget>(path), path, ranks) {}

TraceWriter::TraceWriter(std::unique_ptr<Target> target, std::string path, uint32_t ranks,
                         Compressor::Method method)
    : target_(std::move(target)), path_(std::move(path)), ranks_(ranks),
      mostNodes_(Window::limit(ranks)), mostBlockBytes_(blockBytes(ranks)),
      encoder_(schema_, pool_), compressor_(method) {
  addRanks(ranks);
  put(head());
  communicator({});
  communicator({});
}

std::string TraceWriter::head() const {
  std::string head(Magic);
  putFixed(head, FormatVersion);
  putFixed(head, ranks_);
  return head;
}

void TraceWriter::put(std::string_view bytes) {
  target_->write(bytes);
  bytes_ += bytes.size();
}

Reference TraceWriter::putSection(const SectionHead &head, std::string_view bytes) {
  if (bytes.size() > mostBytes(head.kind) && error_.empty())
    error_ = fmt::format("cannot write {}: its tables would have {} bytes, and {} are possible",
                         path_, bytes.size(), mostBytes(head.kind));
  const Reference place{.place = bytes_, .bytes = 0, .records = head.records};
  if (error_.empty())
    put(compressor_.section(head, bytes));
  return {.place = place.place, .bytes = bytes_ - place.place, .records = head.records};
}

uint32_t TraceWriter::function(const Function &function) { return schema_.number(function, path_); }

int64_t TraceWriter::text(std::string_view text) {
  const auto known = texts_.find(text);
  if (known != texts_.end())
    return known->second;
  const auto number = static_cast<int64_t>(tables_.textCount++);
  texts_.emplace(text, number);
  putText(tables_.texts, text);
  return number;
}

int64_t TraceWriter::communicator(const Group &group) {
  putMembers(tables_.communicators, group.members);
  putMembers(tables_.communicators, group.remote);
  return static_cast<int64_t>(tables_.communicatorCount++);
}

int64_t TraceWriter::set(const std::vector<uint32_t> &members) {
  std::string bytes;
  putMembers(bytes, members);
  const auto [row, isNew] = sets_.try_emplace(bytes, static_cast<int64_t>(tables_.setCount));
  if (isNew) {
    tables_.sets += bytes;
    ++tables_.setCount;
  }
  return row->second;
}

void TraceWriter::addRanks(uint32_t ranks) {
  for (auto rank = static_cast<uint32_t>(open_.size()); rank < ranks; ++rank)
    open_.push_back(std::make_unique<Open>(pool_, rank, ranks_));
  index_.resize(open_.size());
}

void TraceWriter::append(uint32_t rank, const Record &record) {
  CHECK(schema_.fits(record.function, record.values),
        "a record of a trace has the values that its function's fields ask for");
  if (rank >= open_.size()) [[unlikely]]
    addRanks(rank + 1);
  // Whoever has many records asks the follower first: it is not asked again.
  appendOther(rank, record, schema_.plan(record.function));
}

inline void TraceWriter::appendOther(uint32_t rank, const Record &record, const Plan &plan) {
  if (record.values.size() > MostRecordValues) [[unlikely]] {
    if (error_.empty())
      error_ =
          fmt::format("cannot write {}: a record of rank {} has {} values, and {} are possible",
                      path_, rank, record.values.size(), MostRecordValues);
    return;
  }
  Window &window = open_[rank]->window;
  window.append(pool_, record.function, relativeValues(rank, record, plan), mostNodes_);
  if (isFull(window))
    flush(rank);
}

/// As they are kept; valid until the next call.
std::span<const int64_t> TraceWriter::relativeValues(uint32_t rank, const Record &record,
                                                     const Plan &plan) {
  if (plan.relative == 0 || ranks_ == 0)
    return record.values;
  std::span<int64_t> values(few_.data(), record.values.size());
  if (record.values.size() > few_.size()) [[unlikely]] {
    many_.resize(record.values.size());
    values = many_;
  }
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = record.values[i];
  schema_.shiftPeers(record.function, values, ranks_ - rank % ranks_, ranks_);
  return values;
}

/// Windows of ranks that have few records in common are cut before they are full.
bool TraceWriter::isFull(const Window &window) const {
  constexpr uint32_t FewNodes = 32, FewValues = 4096;
  return window.nodes().size() >= mostNodes_ || window.values() >= MostWindowValues ||
         (pool_.isTight() && (window.nodes().size() >= FewNodes || window.values() >= FewValues));
}

/// Writes the window: as a block if it is small enough, as most are.
void TraceWriter::flush(uint32_t rank) {
  Window &window = open_[rank]->window;
  window.settle(pool_);
  if (BlockEncoder::decodedBytes(window) > mostBlockBytes_)
    flushInParts(rank);
  else if (!window.empty())
    putBlock(rank, 0, window.items(), window.records());
  window.clear(pool_);
}

void TraceWriter::flushInParts(uint32_t rank) {
  const Window &window = open_[rank]->window;
  for (uint32_t first = 0, end = 0; first < window.items(); first = end) {
    uint64_t records = 0;
    size_t bytes = encoder_.decodedBytes(window, end);
    do
      records += window.recordsOf(window.nodeOf(end++));
    while (end < window.items() &&
           (bytes += encoder_.decodedBytes(window, end)) <= mostBlockBytes_);
    putBlock(rank, first, end, records);
  }
}

/// Writes items, with so many records, as a block, or refers to an equal one that was written before.
void TraceWriter::putBlock(uint32_t rank, uint32_t first, uint32_t end, uint64_t records) {
  const Window &window = open_[rank]->window;
  const std::string &block = encoder_.encode(window, first, end);
  if (const Reference *place = known_.find(block)) {
    refer(rank, *place);
    return;
  }
  const Reference place =
      putSection({.kind = SectionKind::Block, .rank = rank, .records = records}, block);
  known_.add(block, place);
  refer(rank, place);
}

void TraceWriter::refer(uint32_t rank, Reference block) {
  RankIndex &index = index_[rank];
  index.blocks.push_back(block);
  if (index.blocks.size() < PageReferences)
    return;
  uint64_t records = 0;
  for (const Reference &reference : index.blocks)
    records += reference.records;
  index.pages.push_back(putSection({.kind = SectionKind::Page, .rank = rank, .records = records},
                                   pageText(index.blocks)));
  index.blocks.clear();
}

std::string TraceWriter::trailer(const Reference &tables, const Reference &index) const {
  std::string places;
  putFixed(places, tables.place);
  putFixed(places, index.place);
  putFixed(places, bytes_ + TrailerBytes);
  places += EndMagic;
  std::string out;
  putFixed(out, hashOf(head() + places));
  return out + places;
}

std::string TraceWriter::finish(const Facts &facts) {
  for (uint32_t rank = 0; rank < open_.size(); ++rank) {
    flush(rank);
    open_[rank]->window = {};
  }
  Facts all = facts;
  all.ranks = std::max(facts.ranks, static_cast<uint32_t>(index_.size()));
  index_.resize(all.ranks);
  const Reference tables =
      putSection({.kind = SectionKind::Tables}, tablesText(schema_, tables_, all));
  const Reference index = putSection({.kind = SectionKind::Index}, indexText(index_));
  put(trailer(tables, index));
  return error_.empty() ? target_->finish() : error_;
}

size_t TraceWriter::windowMemory() const {
  size_t bytes = open_.size() * sizeof(Open) + pool_.bytes();
  for (const std::unique_ptr<Open> &open : open_)
    bytes += open->window.memory();
  return bytes;
}

} // namespace gnomon::trace
