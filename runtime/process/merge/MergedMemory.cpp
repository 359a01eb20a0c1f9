// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/merge/MergedMemory.h"

#include "process/image/Real.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace gnomon::process::merge {
namespace {

/// What malloc keeps in front of a block.
constexpr size_t HeaderBytes = 64;
/// New areas of a rank that are remembered; others come in turn.
constexpr size_t MostNew = 4096;

thread_local bool inside = false;

uintptr_t number(const void *address) { return reinterpret_cast<uintptr_t>(address); }
char *pointer(uintptr_t address) { return reinterpret_cast<char *>(address); }

/// Memory of the rank's own, that reads as zero.
bool mapZeros(uintptr_t begin, uintptr_t end) {
  return mmap(pointer(begin), end - begin, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

/// A row of pages that are all alike equals itself, a page further on: nothing is won by that.
bool overlap(uintptr_t one, uintptr_t other, size_t pages) {
  return std::max(one, other) - std::min(one, other) < pages * MergedMemory::PageBytes;
}

std::vector<std::pair<uintptr_t, uintptr_t>> partsOf(const Runs &runs, uintptr_t begin,
                                                     uintptr_t end) {
  std::vector<std::pair<uintptr_t, uintptr_t>> parts;
  runs.visit(begin, end, [&](uintptr_t first, uintptr_t last) { parts.emplace_back(first, last); });
  return parts;
}

} // namespace

MergedMemory::MergedMemory(uint64_t mappings)
    : mappings_(mappings),
      table_([this](uint64_t hash, uintptr_t page) { return mayStandFor(hash, page); }) {}

void MergedMemory::add(uint32_t rank, char *begin, char *end, Backing backing) {
  if (inside || begin >= end)
    return;
  const SpinGuard guard(lock_, inside);
  const auto pages = static_cast<size_t>(end - begin) / PageBytes;
  areas_.all()[number(begin)] = {rank, backing, std::vector<Page>(pages)};
  if (rank >= new_.size())
    new_.resize(rank + 1);
  if (new_[rank].size() < MostNew)
    new_[rank].push_back(number(begin));
}

void MergedMemory::resize(char *begin, char *end) {
  if (inside)
    return;
  const SpinGuard guard(lock_, inside);
  const auto area = areas_.all().find(number(begin));
  if (area == areas_.all().end())
    return;
  const auto pages = static_cast<size_t>(end - begin) / PageBytes;
  drop(area->first, area->second, pages);
  area->second.pages.resize(pages);
}

void MergedMemory::forget(char *begin) {
  if (inside)
    return;
  const SpinGuard guard(lock_, inside);
  const auto area = areas_.all().find(number(begin));
  if (area == areas_.all().end())
    return;
  char header[HeaderBytes];
  std::memcpy(header, begin, HeaderBytes);
  const bool isHeaderShown = area->second.pages.empty() || area->second.pages[0].shown != Page::Own;
  drop(area->first, area->second, 0);
  if (isHeaderShown)
    std::memcpy(begin, header, HeaderBytes);
  std::vector<uintptr_t> &fresh = new_[area->second.rank];
  if (!fresh.empty() && fresh.back() == area->first)
    fresh.pop_back();
  areas_.all().erase(area);
}

/// The pages of the area from \p firstPage on are not its any more.
void MergedMemory::drop(uintptr_t begin, Area &area, size_t firstPage) {
  for (size_t i = firstPage; i < area.pages.size(); ++i)
    release(area.pages[i]);
  if (firstPage < area.pages.size())
    restore(begin + firstPage * PageBytes, begin + area.pages.size() * PageBytes);
}

void MergedMemory::leaveAlone(const char *begin, const char *end) {
  if (inside)
    return;
  const SpinGuard guard(lock_, inside);
  auto area = areas_.at(number(begin));
  if (area == areas_.all().end())
    area = areas_.all().lower_bound(number(begin));
  while (area != areas_.all().end() && area->first < number(end)) {
    makeOwn(area->first, area->first + area->second.pages.size() * PageBytes);
    for (Page &page : area->second.pages)
      release(page);
    area = areas_.all().erase(area);
  }
}

void MergedMemory::release(Page &page) {
  if (page.shown == Page::Own)
    return;
  if (page.shown != Page::Zero)
    originals_.release(page.shown - 1);
  page.shown = Page::Own;
  --held_;
}

/// Originals that [begin, end) shows go; zeros are in their place. Where the system has no mapping
/// left to cut a run with, the run stays, and is known.
void MergedMemory::restore(uintptr_t begin, uintptr_t end) {
  for (const auto &[first, last] : partsOf(runs_, begin, end))
    if (mapZeros(first, last))
      runs_.remove(first, last);
}

/// The same, but what can be read there stays.
void MergedMemory::makeOwn(uintptr_t begin, uintptr_t end) {
  for (const auto &[first, last] : partsOf(runs_, begin, end)) {
    const std::vector<char> content(pointer(first), pointer(last));
    if (mapZeros(first, last))
      runs_.remove(first, last);
    // Where it fails, to write is enough: the kernel makes the page the rank's own.
    std::memcpy(pointer(first), content.data(), content.size());
  }
}

bool MergedMemory::mayStandFor(uint64_t hash, uintptr_t page) {
  if (originals_.contains(page))
    return true;
  const Page *own = areas_.pageAt(page);
  return own && own->hash == static_cast<uint32_t>(hash);
}

/// A page of a rank that shows an original is that original; 0: \p page is none of ours any more.
uintptr_t MergedMemory::resolve(uintptr_t page) {
  if (originals_.contains(page))
    return page;
  const Page *own = areas_.pageAt(page);
  if (!own || own->shown == Page::Zero)
    return 0;
  return own->shown == Page::Own ? page : number(originals_.at(own->shown - 1));
}

bool MergedMemory::isEqual(uintptr_t other, const char *page) {
  return other != 0 && other != number(page) && std::memcmp(pointer(other), page, PageBytes) == 0;
}

/// \p expected: the page behind the one that the page before was equal to; 0: none.
MergedMemory::Found MergedMemory::find(const char *address, Page &page, uintptr_t expected) {
  if (expected)
    if (const uintptr_t next = resolve(expected); next == expected && isEqual(next, address))
      return {next, false};
  const Content content = contentOf(address);
  if (content.isZero)
    return {0, true};
  if (const uintptr_t other = resolve(table_.find(content.hash)); isEqual(other, address))
    return {other, false};
  page.hash = static_cast<uint32_t>(content.hash);
  table_.set(content.hash, number(address));
  return {};
}

/// The kernel has given it a page of its own again.
void MergedMemory::noteWritten(Page &page, uint64_t word) {
  if (page.shown == Page::Own || !PageMap::isWritten(word))
    return;
  constexpr uint8_t MostSplits = 7;
  release(page);
  ++figures_.splitPages;
  page.splits = std::min<uint8_t>(page.splits + 1, MostSplits);
  page.wait = static_cast<uint8_t>(1U << page.splits);
}

/// Of pages [first, first + count) of the area, a chunk. Returns how many were looked at.
size_t MergedMemory::lookAt(uintptr_t begin, Area &area, size_t first, size_t count) {
  const char *at = pointer(begin + first * PageBytes);
  if (!map_.read(at, count, words_.data()))
    return 0;
  // First, so that no original goes between being found and being shown.
  for (size_t i = 0; i < count; ++i)
    noteWritten(area.pages[first + i], words_[i]);
  size_t looked = 0;
  uintptr_t expected = 0;
  for (size_t i = 0; i < count; ++i, at += PageBytes) {
    Page &page = area.pages[first + i];
    found_[i] = {};
    if (page.wait > 0)
      --page.wait;
    else if (page.shown == Page::Own && PageMap::isOwn(words_[i])) {
      found_[i] = find(at, page, expected);
      ++looked;
    }
    expected = found_[i].page ? found_[i].page + PageBytes : 0;
  }
  act(begin, area, first, count);
  figures_.lookedAtPages += looked;
  return looked;
}

/// How many pages from place \p at of the chunk on are equal to pages in a row, or are zero.
size_t MergedMemory::rowAt(const Area &area, size_t first, size_t at, size_t count) const {
  size_t row = 1;
  const auto goesOn = [&](size_t i) {
    return area.pages[first + i].shown == Page::Own && found_[i].isZero == found_[at].isZero &&
           (found_[i].isZero ||
            (found_[i].page && found_[i].page == found_[at].page + (i - at) * PageBytes));
  };
  while (at + row < count && goesOn(at + row))
    ++row;
  return row;
}

void MergedMemory::act(uintptr_t begin, Area &area, size_t first, size_t count) {
  for (size_t i = 0; i < count;) {
    const bool isFound = found_[i].isZero || found_[i].page;
    if (!isFound || area.pages[first + i].shown != Page::Own) {
      ++i;
      continue;
    }
    const size_t row = rowAt(area, first, i, count);
    char *at = pointer(begin + (first + i) * PageBytes);
    if (found_[i].isZero)
      giveBack(at, row, area, first + i);
    else if (row >= leastRow() && !overlap(number(at), found_[i].page, row))
      merge(at, row, found_[i].page);
    i += row;
  }
}

/// Pages of zeros.
void MergedMemory::giveBack(char *begin, size_t count, Area &area, size_t first) {
  const uintptr_t end = number(begin) + count * PageBytes;
  bool isMapped = false;
  runs_.visit(number(begin), end, [&](uintptr_t, uintptr_t) { isMapped = true; });
  if (isMapped && mapZeros(number(begin), end))
    runs_.remove(number(begin), end);
  else if (isMapped || area.backing == Backing::File ||
           GNOMON_REAL(madvise)(begin, count * PageBytes, MADV_DONTNEED) != 0)
    return;
  for (size_t i = first; i < first + count; ++i)
    area.pages[i].shown = Page::Zero;
  held_ += count;
  figures_.zeroPages += count;
}

bool MergedMemory::show(char *begin, uint32_t original, size_t count) {
  if (!originals_.show(begin, original, count))
    return false;
  runs_.add(number(begin), number(begin) + count * PageBytes, original);
  for (size_t i = 0; i < count; ++i)
    areas_.pageAt(number(begin) + i * PageBytes)->shown = original + static_cast<uint32_t>(i) + 1;
  held_ += count;
  figures_.mergedPages += count;
  return true;
}

/// \p count pages from \p begin on are equal to as many from \p with on: originals, or pages of ranks.
void MergedMemory::merge(char *begin, size_t count, uintptr_t with) {
  if (originals_.contain(with, count)) {
    show(begin, originals_.numberOf(with), count);
    return;
  }
  const std::optional<uint32_t> made = originals_.make(begin, count);
  if (!made)
    return;
  if (!show(begin, *made, count)) {
    originals_.drop(*made, count);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const char *original = originals_.at(*made + static_cast<uint32_t>(i));
    table_.set(contentOf(original).hash, number(original));
  }
  showOthers(with, count, *made);
}

/// The pages that the new originals were found equal to, but for those that show one by now.
void MergedMemory::showOthers(uintptr_t others, size_t count, uint32_t original) {
  const auto isFree = [&](size_t i) {
    const Page *page = i < count ? areas_.pageAt(others + i * PageBytes) : nullptr;
    return page && page->shown == Page::Own;
  };
  for (size_t i = 0; i < count; ++i) {
    size_t row = 0;
    while (isFree(i + row))
      ++row;
    if (row > 0)
      show(pointer(others + i * PageBytes), original + static_cast<uint32_t>(i), row);
    i += row;
  }
}

size_t MergedMemory::leastRow() const {
  constexpr uint64_t Steps = 8;
  const uint64_t used = 2 * runs_.count();
  return used < mappings_ ? size_t{1} << (Steps * used / mappings_) : SIZE_MAX;
}

/// Returns how many pages were looked at.
size_t MergedMemory::lookAtNew(uint32_t rank) {
  if (rank >= new_.size())
    return 0;
  std::vector<uintptr_t> keep;
  size_t all = 0;
  for (const uintptr_t begin : new_[rank]) {
    const auto area = areas_.all().find(begin);
    if (area == areas_.all().end() || area->second.rank != rank)
      continue;
    size_t looked = 0;
    const size_t pages = area->second.pages.size();
    for (size_t first = 0; first < pages; first += ChunkPages)
      looked += lookAt(begin, area->second, first, std::min(ChunkPages, pages - first));
    if (looked == 0)
      keep.push_back(begin); // not used yet
    all += looked;
  }
  new_[rank] = std::move(keep);
  return all;
}

/// All areas once at the most. Memory that is hardly used costs no comparisons, but the kernel is
/// asked of it all the same.
void MergedMemory::lookInTurn(size_t left) {
  const uintptr_t begin = cursor_;
  bool isRound = false;
  for (size_t chunks = 1 + left / ChunkPages; chunks > 0 && left > 0; --chunks) {
    const uintptr_t before = cursor_;
    const std::optional<Areas::Chunk> chunk = areas_.next(cursor_, ChunkPages);
    isRound |= cursor_ < before;
    if (!chunk || (isRound && cursor_ >= begin))
      return;
    left -= std::min(left, lookAt(chunk->begin, *chunk->area, chunk->first, chunk->count));
    cursor_ += chunk->count * PageBytes;
  }
}

void MergedMemory::look(uint32_t rank, size_t pages) {
  const SpinGuard guard(lock_, inside);
  lookInTurn(pages - std::min(pages, lookAtNew(rank)));
  updateFigures();
}

void MergedMemory::updateFigures() {
  figures_.runs = runs_.count();
  figures_.residentBytes = originals_.residentBytes();
  figures_.givenBackBytes = (held_ - std::min(held_, originals_.count())) * PageBytes;
  figures_.mostGivenBackBytes = std::max(figures_.mostGivenBackBytes, figures_.givenBackBytes);
}

Figures MergedMemory::figures() {
  if (inside) // the run ends in the midst of a look
    return figures_;
  const SpinGuard guard(lock_, inside);
  for (auto &[begin, area] : areas_.all())
    for (size_t first = 0; first < area.pages.size(); first += ChunkPages) {
      const size_t count = std::min(ChunkPages, area.pages.size() - first);
      if (map_.read(pointer(begin + first * PageBytes), count, words_.data()))
        for (size_t i = 0; i < count; ++i)
          noteWritten(area.pages[first + i], words_[i]);
    }
  updateFigures();
  return figures_;
}

} // namespace gnomon::process::merge
