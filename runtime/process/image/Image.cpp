// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/Image.h"

#include "support/Check.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace gnomon::process {
namespace {

constexpr uintptr_t PageBytes = PageFile::PageBytes;
constexpr uintptr_t LineBytes = 64;
/// Granularity of the search for zeros: small enough to leave the holes of sparse tables alone.
constexpr size_t BlockBytes = 256;

uintptr_t roundDown(uintptr_t value, uintptr_t unit) { return value & ~(unit - 1); }
uintptr_t roundUp(uintptr_t value, uintptr_t unit) { return roundDown(value + unit - 1, unit); }

bool allZero(const char *begin, size_t bytes) {
  return bytes == 0 || (begin[0] == 0 && std::memcmp(begin, begin + 1, bytes - 1) == 0);
}

/// The distance of two ranks' copies of \p bytes bytes each, whose variables are aligned to \p unit.
/// An even number of lines that is no multiple of four: a variable of many ranks lies in 32 places
/// of a page, not in the same few places of a cache. Tops of stacks move by an odd number of lines
/// (kernel/StackPool.cpp), so that a variable and a place on the stack differ by other distances on
/// each rank. A load from where 2 KiB further a store was just made may wait for it (NPB EP: 3 times
/// the time, docs/adr/0015); at worst some ranks' loads do, not those of all.
uintptr_t spread(uintptr_t bytes, uintptr_t unit) {
  if (unit > LineBytes)
    return bytes % PageBytes == 0 ? bytes + unit : bytes;
  while (bytes / LineBytes % 4 != 2)
    bytes += LineBytes;
  return bytes;
}

/// The same, where copies have tables in common: they begin at \p places places of a page.
uintptr_t spreadOver(uint32_t places, uintptr_t bytes, uintptr_t unit) {
  const uintptr_t step = std::max(unit, PageBytes / places);
  bytes = roundUp(bytes, step);
  return step < PageBytes && bytes / step % 2 == 0 ? bytes + step : bytes;
}

/// The blocks of gn_priv that are not all zero.
std::vector<Part> filledBlocks(const gnomon_module &module) {
  std::vector<Part> blocks;
  const auto bytes = static_cast<size_t>(module.data_end - module.private_begin);
  for (size_t offset = 0; offset < bytes; offset += BlockBytes) {
    const size_t length = std::min(BlockBytes, bytes - offset);
    if (allZero(module.private_begin + offset, length))
      continue;
    if (!blocks.empty() && blocks.back().end() == offset)
      blocks.back().bytes += length;
    else
      blocks.push_back({offset, length});
  }
  return blocks;
}

std::vector<size_t> relocatedSlots(const gnomon_module &module) {
  std::vector<size_t> slots;
  for (uint64_t i = 0; i < module.relocation_count; ++i)
    slots.push_back(static_cast<size_t>(module.relocations[i].slot - module.private_begin));
  return slots;
}

/// What is of \p block and in none of \p there, which do not overlap.
template <class Visit> void without(std::span<const Part> there, Part block, const Visit &visit) {
  for (const Part &part : there) {
    if (part.bytes == 0 || part.end() <= block.offset || part.offset >= block.end())
      continue;
    if (block.offset < part.offset)
      visit(Part{block.offset, part.offset - block.offset});
    const size_t next = std::min(part.end(), block.end());
    block = {next, block.end() - next};
  }
  if (block.bytes)
    visit(block);
}

constinit bool areCopiesAligned = false;
constinit uintptr_t apartBytes = 0; ///< 0: copies are as near to each other as they go

/// What an import points to when no module of ours holds its variable.
constexpr intptr_t NoDelta = 0;

} // namespace

void alignCopiesToPages() { areCopiesAligned = true; }
void placeCopiesApart(size_t bytes) { apartBytes = bytes; }

Image::Image(gnomon_module &module, uint32_t ranks)
    : module_(&module), initialRanks_(ranks), blocks_(filledBlocks(module)),
      common_(blocks_, relocatedSlots(module)) {
  auto begin = reinterpret_cast<uintptr_t>(module.private_begin);
  auto end = reinterpret_cast<uintptr_t>(module.private_end);
  if (begin == end)
    return;
  unit_ = std::max<uintptr_t>(LineBytes, module.alignment);
  CHECK((unit_ & (unit_ - 1)) == 0, "a section's alignment that is a power of two");
  origin_ = roundDown(begin, unit_);
  const uintptr_t bytes = roundUp(end - origin_, unit_);
  const bool atFewPlaces = hasTables() || (areCopiesAligned && bytes >= CommonPages::LeastBytes);
  stride_ = static_cast<intptr_t>(atFewPlaces ? spreadOver(CommonPages::places(ranks), bytes, unit_)
                                              : spread(bytes, unit_));
  if (ranks <= 1) {
    keepInitialValues();
    return;
  }
  if (bytes < apartBytes && unit_ <= apartBytes && mapApart(ranks))
    return;
  batches_.push_back(map(0, ranks));
  firstDelta_ = batches_[0].firstDelta;
}

Image::~Image() {
  for (const Batch &batch : batches_)
    munmap(batch.mapping, batch.bytes);
}

/// False where there is no room for it.
bool Image::mapApart(uint32_t ranks) {
  const intptr_t near = std::exchange(stride_, static_cast<intptr_t>(apartBytes));
  try {
    batches_.push_back(map(0, ranks));
  } catch (const std::bad_alloc &) {
    stride_ = near;
    return false;
  }
  firstDelta_ = batches_[0].firstDelta;
  return true;
}

Image::Batch Image::map(uint32_t first, uint32_t count) const {
  const size_t bytes = static_cast<size_t>(stride_) * count + unit_;
  void *mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    throw std::bad_alloc();
  // A huge page per touched variable would multiply the memory of large, sparse sections.
  madvise(mapping, bytes, MADV_NOHUGEPAGE);
  const auto delta =
      static_cast<intptr_t>(roundUp(reinterpret_cast<uintptr_t>(mapping), unit_) - origin_);
  return {first, delta, static_cast<char *>(mapping), bytes, common_.plan(count)};
}

void Image::reserve(uint32_t first, uint32_t count) {
  if (stride_ > 0)
    batches_.push_back(map(first, count));
}

const Image::Batch &Image::batchOf(uint32_t rank) const {
  auto after = std::upper_bound(batches_.begin(), batches_.end(), rank,
                                [](uint32_t r, const Batch &batch) { return r < batch.firstRank; });
  CHECK(after != batches_.begin(), "a rank with a copy of the globals");
  return *(after - 1);
}

intptr_t Image::laterDelta(uint32_t rank) const {
  if (batches_.empty())
    return 0; // nothing to copy
  const Batch &batch = batchOf(rank);
  return batch.firstDelta + static_cast<intptr_t>(rank - batch.firstRank) * stride_;
}

void Image::keepInitialValues() {
  for (const Part &block : blocks_) {
    const char *begin = module_->private_begin + block.offset;
    initialValues_.insert(initialValues_.end(), begin, begin + block.bytes);
  }
}

/// Maps the tables that \p rank has in common with others, and returns where they are, in ascending
/// order.
std::vector<Part> Image::showCommon(uint32_t rank, char *copy) {
  std::vector<Part> there;
  if (common_.tables() == 0 || batches_.empty())
    return there;
  const Batch &batch = batchOf(rank);
  const auto read = [&](Part part, char *to) {
    copyInitial(module_->private_begin + part.offset, part.bytes, to);
  };
  for (size_t table = 0; table < common_.tables(); ++table)
    if (rank - batch.firstRank < batch.sharers[table])
      there.push_back(common_.show(table, copy, read));
  std::sort(there.begin(), there.end(),
            [](const Part &a, const Part &b) { return a.offset < b.offset; });
  return there;
}

/// \p place: of the block's bytes among those of all blocks.
const char *Image::initialOf(const Part &block, size_t place) const {
  return initialValues_.empty() ? module_->private_begin + block.offset
                                : initialValues_.data() + place;
}

void Image::fill(uint32_t rank) {
  char *copy = module_->private_begin + delta(rank);
  const std::vector<Part> there = showCommon(rank, copy);
  size_t place = 0;
  for (const Part &block : blocks_) {
    const char *from = initialOf(block, place);
    without(there, block, [&](Part part) {
      std::memcpy(copy + part.offset, from + (part.offset - block.offset), part.bytes);
    });
    place += block.bytes;
  }
}

void Image::copyInitial(const char *address, size_t bytes, char *to) const {
  std::memset(to, 0, bytes);
  size_t place = 0;
  for (const Part &block : blocks_) {
    const char *begin = module_->private_begin + block.offset;
    const char *from = std::max(begin, address);
    const char *end = std::min(begin + block.bytes, address + bytes);
    if (from < end)
      std::memcpy(to + (from - address), initialOf(block, place) + (from - begin),
                  static_cast<size_t>(end - from));
    place += block.bytes;
  }
}

bool Image::contains(const void *address) const {
  const auto *byte = static_cast<const char *>(address);
  return (byte >= module_->private_begin && byte < module_->data_end) ||
         (byte >= module_->zero_begin && byte < module_->private_end);
}

InitialBytes initialBytes(const gnomon_module &module, uint32_t ranks) {
  const std::vector<Part> blocks = filledBlocks(module);
  const CommonPages common(blocks, relocatedSlots(module));
  uint64_t pages = 0, next = 0; // the first page that is not counted yet
  for (const Part &block : blocks) {
    const uint64_t begin = std::max(next, block.offset / PageBytes);
    next = std::max(next, wholePages(block.end()) / PageBytes);
    pages += next - begin;
  }
  const auto filled = std::min<uint64_t>(
      pages * PageBytes, static_cast<uint64_t>(module.data_end - module.private_begin));
  const std::vector<uint32_t> sharers = common.plan(ranks);
  const bool allShare =
      std::all_of(sharers.begin(), sharers.end(), [&](uint32_t count) { return count == ranks; });
  const uint64_t shared = allShare ? common.bytes() : 0;
  return {filled - std::min(shared, filled), shared * CommonPages::places(ranks)};
}

void Images::build(std::span<gnomon_module *const> modules, uint32_t ranks, Needs needs) {
  ranks_ = ranks;
  for (gnomon_module *module : modules)
    images_.emplace_back(*module, ranks);
  for (const Image &image : images_)
    connectImports(image.module());
  for (Image &image : images_)
    for (uint32_t rank = 0; ranks > 1 && rank < ranks; ++rank)
      fillOne(image, rank, needs);
  if (images_.size() == 1 && ranks > 1) {
    only_ = &images_[0].module();
    onlyFirst_ = images_[0].delta(0);
    onlyStride_ = images_[0].delta(1) - onlyFirst_;
  }
}

void Images::add(gnomon_module &module, Needs needs) {
  only_ = nullptr;
  images_.emplace_back(module, ranks_);
  connectImports(module);
  for (uint32_t rank = 0; ranks_ > 1 && rank < ranks_; ++rank)
    fillOne(images_.back(), rank, needs);
}

void Images::reserve(uint32_t first, uint32_t count) {
  for (Image &image : images_)
    image.reserve(first, count);
}

void Images::fill(uint32_t first, uint32_t count, Needs needs) {
  only_ = nullptr;
  ranks_ = first + count;
  for (Image &image : images_)
    for (uint32_t rank = first; rank < first + count; ++rank)
      fillOne(image, rank, needs);
}

void Images::fillOne(Image &image, uint32_t rank, Needs needs) const {
  if (!needs(image.module(), rank))
    return;
  image.fill(rank);
  relocate(image, rank);
}

const Image &Images::imageOf(const gnomon_module &module) const {
  for (const Image &image : images_)
    if (&image.module() == &module)
      return image;
  CHECK(false, "an image of each module");
  __builtin_unreachable();
}

char *Images::placeOf(const gnomon_module &module, char *address, uint32_t rank) const {
  return address + imageOf(module).delta(rank);
}

std::vector<char> Images::initialValue(const gnomon_module &module, const char *address,
                                       size_t bytes, uint32_t rank) const {
  std::vector<char> value(bytes);
  imageOf(module).copyInitial(address, bytes, value.data());
  for (uint64_t i = 0; i < module.relocation_count; ++i) {
    const gnomon_relocation &relocation = module.relocations[i];
    if (relocation.slot >= address && relocation.slot + sizeof(uintptr_t) <= address + bytes)
      relocateSlot(relocation, imageOf(module), value.data() + (relocation.slot - address), rank);
  }
  return value;
}

const Image *Images::owner(const void *address) const {
  for (const Image &image : images_)
    if (address && image.contains(address))
      return &image;
  return nullptr;
}

void Images::connectImports(gnomon_module &module) const {
  for (uint64_t i = 0; i < module.import_count; ++i) {
    const Image *image = owner(module.imports[i].address);
    module.imports[i].delta = image ? image->module().delta : &NoDelta;
  }
}

void Images::relocateSlot(const gnomon_relocation &relocation, const Image &image, char *slot,
                          uint32_t rank) const {
  const Image *target = relocation.import ? owner(relocation.import->address) : &image;
  if (!target)
    return;
  uintptr_t value;
  std::memcpy(&value, slot, sizeof value);
  value += static_cast<uintptr_t>(target->delta(rank));
  std::memcpy(slot, &value, sizeof value);
}

void Images::relocate(const Image &image, uint32_t rank) const {
  const gnomon_module &module = image.module();
  for (uint64_t i = 0; i < module.relocation_count; ++i)
    relocateSlot(module.relocations[i], image, module.relocations[i].slot + image.delta(rank),
                 rank);
}

void Images::selectAll(uint32_t rank) const {
  for (const Image &image : images_)
    if (image.module().delta)
      image.setDelta(rank);
}

void Images::deselect() const {
  for (const Image &image : images_)
    if (image.module().delta)
      *image.module().delta = 0;
}

uint64_t Images::commonBytes() const {
  uint64_t bytes = 0;
  for (const Image &image : images_)
    bytes += image.commonBytes();
  return bytes;
}

} // namespace gnomon::process
