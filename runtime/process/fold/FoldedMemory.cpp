// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/fold/FoldedMemory.h"

#include "process/fold/Nowhere.h"

#include "process/image/Mappings.h"
#include "process/ranks/Memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <sys/mman.h>

namespace gnomon::process::fold {
namespace {

constexpr int Poison = 0xff;

/// A size that cannot be meant (a negative number), and that rounding up would make small, is the allocator's to refuse.
constexpr size_t MostBytes = size_t{1} << 42;

/// What this thread allocates and frees while it holds the lock is the room's own.
thread_local bool inside = false;

/// Never unmade at the end: blocks outlive static objects.
FoldedMemory *installed = nullptr;

uintptr_t number(const void *address) { return reinterpret_cast<uintptr_t>(address); }

/// The whole pages of a block; null: it has none.
std::pair<char *, char *> pagesOf(char *address, size_t bytes) {
  constexpr uintptr_t Page = SharedPages::PageBytes;
  const uintptr_t begin = (number(address) + Page - 1) / Page * Page;
  const uintptr_t end = (number(address) + bytes) / Page * Page;
  if (begin >= end)
    return {nullptr, nullptr};
  return {reinterpret_cast<char *>(begin), reinterpret_cast<char *>(end)};
}

/// Pages of its own, that read as zero.
void restore(char *begin, char *end) {
  mmap(begin, static_cast<size_t>(end - begin), PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/// Regions have an eighth of a power of two more than was asked for, at most, so that a program with many sizes has few.
size_t roomFor(size_t bytes) {
  constexpr int Eighth = 3;
  const size_t step = std::max(std::bit_floor(bytes) >> Eighth, SharedPages::PageBytes);
  return (bytes + step - 1) / step * step;
}

struct PlannedSite {
  bool foldable; ///< from `phase` on
  uint32_t phase;
  const char *reason;
};

PlannedSite planned(const gnomon_fold_site &record, Plan plan) {
  const bool foldable = record.flags & (1U << static_cast<unsigned>(plan));
  switch (plan) {
  case Plan::Plain:
    return {foldable, record.phase, record.reason};
  case Plan::Decided:
    return {foldable, record.decided_phase, record.decided_reason};
  case Plan::Skipped:
    return {foldable, record.skipped_phase, record.skipped_reason};
  case Plan::DecidedSkipped:
    return {foldable, record.decided_skipped_phase, record.decided_skipped_reason};
  }
  return {};
}

std::string textOf(const char *text) { return text ? text : ""; }

} // namespace

constinit bool detail::any = false;

FoldedMemory *memory() { return installed; }

void install(std::unique_ptr<FoldedMemory> memory) {
  detail::any = false;
  delete std::exchange(installed, memory.release());
}

bool isFolded(const void *address, uint64_t bytes) {
  return any() && (isNowhere(address) || (installed && installed->isFolded(address, bytes)));
}

void FoldedMemory::keep(uint32_t rank) {
  const SpinGuard guard(lock_, inside);
  if (rank >= keepers_.size())
    keepers_.resize(rank + 1, false);
  keepers_[rank] = true;
}

void FoldedMemory::begin(Plan plan, uint32_t reached, Extent extent) {
  const SpinGuard guard(lock_, inside);
  begun_ = true;
  extent_ = extent;
  plan_ = plan;
  reached_ = reached;
  // Each block splits what it lies in. Half of what is left is for whatever else the run needs.
  mappings_ = mappingsLeft() / 4;
  foldAll();
}

void FoldedMemory::settle() {
  const SpinGuard guard(lock_, inside);
  if (!begun_ || std::exchange(extent_, Extent::All) == Extent::All)
    return;
  foldAll();
}

void FoldedMemory::reach(uint32_t reached) {
  const SpinGuard guard(lock_, inside);
  if (!begun_ || reached <= reached_)
    return;
  reached_ = reached;
  foldAll();
}

void FoldedMemory::passAgain(uint32_t reached) {
  const SpinGuard guard(lock_, inside);
  reached_ = reached;
}

uint32_t FoldedMemory::numberOf(gnomon_fold_site &record) {
  if (record.index == 0) {
    SiteReport sum;
    sum.function = textOf(record.function);
    sum.file = textOf(record.file);
    sum.line = record.line;
    sites_.push_back({&record, sum});
    record.index = static_cast<uint32_t>(sites_.size());
  }
  return record.index - 1;
}

FoldedMemory::Site &FoldedMemory::asked(gnomon_fold_site &record, size_t bytes) {
  Site &site = sites_[numberOf(record)];
  ++site.sum.blocks;
  site.sum.bytes += bytes;
  return site;
}

void FoldedMemory::addFolded(Site &site, size_t bytes) const {
  site.sum.foldedBytes += bytes;
  detail::any |= installed == this;
}

bool FoldedMemory::mayFold(const Site &site) const {
  const PlannedSite plan = planned(*site.record, plan_);
  return plan.foldable && plan.phase <= reached_;
}

FoldedMemory::Size FoldedMemory::sizeOf(const Block &block) {
  return {block.site, roomFor(block.bytes)};
}

char *FoldedMemory::makeRegion(size_t bytes) {
  constexpr uint64_t Page = SharedPages::PageBytes;
  const uint64_t part = (bytes / MostWindowsOfBlock + Page - 1) / Page * Page;
  const uint64_t window = std::max<uint64_t>(WindowBytes, part);
  const uint64_t count = (bytes + window - 1) / window;
  if (!settings_.windows || count < 2 || count > windows_)
    return pages_.region(bytes);
  windows_ -= count;
  return pages_.region(bytes, window);
}

char *FoldedMemory::take(uint32_t rank, Size size, uint32_t &ordinal) {
  std::vector<bool> &used = used_[{rank, size}];
  ordinal = static_cast<uint32_t>(std::find(used.begin(), used.end(), false) - used.begin());
  std::vector<char *> &regions = sizes_[size];
  if (ordinal == regions.size()) {
    char *region = makeRegion(size.second);
    if (!region)
      return nullptr;
    regions.push_back(region);
    regions_[number(region)] = {size.first, size.second, ordinal};
  }
  if (ordinal == used.size())
    used.push_back(true);
  used[ordinal] = true;
  return regions[ordinal];
}

void FoldedMemory::give(uint32_t rank, Size size, uint32_t ordinal) {
  if (const auto used = used_.find({rank, size});
      used != used_.end() && ordinal < used->second.size())
    used->second[ordinal] = false;
}

void *FoldedMemory::allocate(uint32_t rank, gnomon_fold_site &record, size_t bytes) {
  if (!begun_ || settings_.poisons || bytes > MostBytes)
    return nullptr;
  const SpinGuard guard(lock_, inside);
  const uint32_t place = numberOf(record);
  if (keeps(rank) || !mayFold(sites_[place]))
    return nullptr;
  uint32_t ordinal = 0;
  char *region = take(rank, {place, roomFor(bytes)}, ordinal);
  if (region)
    addFolded(asked(record, bytes), bytes);
  return region;
}

bool FoldedMemory::wantsPages(uint32_t rank, const gnomon_fold_site &record) {
  const SpinGuard guard(lock_, inside);
  return record.flags != 0 && !keeps(rank);
}

void FoldedMemory::note(uint32_t rank, gnomon_fold_site &record, void *block, size_t bytes,
                        Place place) {
  const SpinGuard guard(lock_, inside);
  Site &site = asked(record, bytes);
  if (keeps(rank))
    return;
  if (place != Place::Movable && !settings_.poisons) {
    if (place == Place::NoAddresses || (begun_ && mayFold(site) && pages_.isShort()))
      site.sum.noAddressBytes += bytes;
    return;
  }
  Block &noted = blocks_[number(block)];
  noted = {rank, record.index - 1, bytes};
  if (begun_ && (settings_.poisons || extent_ == Extent::All) && mayFold(sites_[noted.site]))
    fold(static_cast<char *>(block), noted);
}

void FoldedMemory::fold(char *address, Block &block) {
  if (settings_.poisons) {
    std::memset(address, Poison, block.bytes);
    block.folded = true;
    addFolded(sites_[block.site], block.bytes);
    return;
  }
  const auto [begin, end] = pagesOf(address, block.bytes);
  if (!begin)
    return;
  Site &site = sites_[block.site];
  block.folded = true;
  addFolded(site, block.bytes);
  const bool maps = mappings_ > 0 && block.bytes >= settings_.leastMappedBytes;
  const char *region = maps ? take(block.rank, sizeOf(block), block.ordinal) : nullptr;
  if (region && pages_.mapOver(begin, end, region)) {
    block.mapped = true;
    --mappings_;
    return;
  }
  if (region)
    give(block.rank, sizeOf(block), block.ordinal);
  else if (maps && pages_.isShort())
    site.sum.noAddressBytes += block.bytes;
  madvise(begin, static_cast<size_t>(end - begin), MADV_DONTNEED);
  site.sum.givenBackBytes += block.bytes;
}

void FoldedMemory::foldAll() {
  if (extent_ == Extent::New && !settings_.poisons)
    return;
  for (auto &[address, block] : blocks_)
    if (!block.folded && mayFold(sites_[block.site]))
      fold(reinterpret_cast<char *>(address), block);
}

bool FoldedMemory::release(uint32_t rank, void *address) {
  if (inside)
    return false;
  const SpinGuard guard(lock_, inside);
  if (pages_.contains(address)) {
    const auto region = regions_.find(number(address));
    if (region != regions_.end())
      give(rank, {region->second.site, region->second.bytes}, region->second.ordinal);
    return region != regions_.end();
  }
  const auto found = blocks_.find(number(address));
  if (found == blocks_.end())
    return false;
  const Block block = found->second;
  blocks_.erase(found);
  if (block.mapped) {
    const auto [begin, end] = pagesOf(static_cast<char *>(address), block.bytes);
    restore(begin, end);
    give(block.rank, sizeOf(block), block.ordinal);
    ++mappings_;
  }
  return false;
}

size_t FoldedMemory::capacity(const void *block) {
  const SpinGuard guard(lock_, inside);
  const auto region = regions_.find(number(block));
  return region == regions_.end() ? 0 : region->second.bytes;
}

bool FoldedMemory::isFolded(const void *address, uint64_t bytes) {
  const uintptr_t begin = number(address);
  const SpinGuard guard(lock_, inside);
  if (pages_.contains(address)) {
    const auto region = std::prev(regions_.upper_bound(begin));
    return begin + bytes <= region->first + region->second.bytes;
  }
  auto block = blocks_.upper_bound(begin);
  if (block == blocks_.begin())
    return false;
  --block;
  return block->second.folded && begin + bytes <= block->first + block->second.bytes;
}

Report FoldedMemory::report() {
  const SpinGuard guard(lock_, inside);
  Report report;
  report.residentBytes = pages_.residentBytes();
  report.addressLimit = addressLimit();
  for (const Site &site : sites_) {
    SiteReport row = site.sum;
    const PlannedSite plan = planned(*site.record, plan_);
    row.why = textOf(plan.reason);
    row.foldable = plan.foldable;
    row.phase = plan.phase;
    report.bytes += row.bytes;
    report.foldedBytes += row.foldedBytes;
    report.noAddressBytes += begun_ && row.foldable ? row.noAddressBytes : 0;
    report.sites.push_back(std::move(row));
  }
  return report;
}

} // namespace gnomon::process::fold
