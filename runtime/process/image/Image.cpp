// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/Image.h"

#include "support/Check.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace gnomon::process {
namespace {

constexpr uintptr_t PageBytes = 4096;
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

/// What an import points to when no module of ours holds its variable.
constexpr intptr_t NoDelta = 0;

} // namespace

Image::Image(gnomon_module &module, uint32_t ranks) : module_(&module), initialRanks_(ranks) {
  auto begin = reinterpret_cast<uintptr_t>(module.private_begin);
  auto end = reinterpret_cast<uintptr_t>(module.private_end);
  if (begin == end)
    return;
  unit_ = std::max<uintptr_t>(LineBytes, module.alignment);
  CHECK((unit_ & (unit_ - 1)) == 0, "a section's alignment that is a power of two");
  origin_ = roundDown(begin, unit_);
  stride_ = static_cast<intptr_t>(spread(roundUp(end - origin_, unit_), unit_));
  findBlocks();
  if (ranks <= 1) {
    keepInitialValues();
    return;
  }
  batches_.push_back(map(0, ranks));
  firstDelta_ = batches_[0].firstDelta;
}

Image::~Image() {
  for (const Batch &batch : batches_)
    munmap(batch.mapping, batch.bytes);
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
  return {first, delta, static_cast<char *>(mapping), bytes};
}

void Image::reserve(uint32_t first, uint32_t count) {
  if (stride_ > 0)
    batches_.push_back(map(first, count));
}

intptr_t Image::laterDelta(uint32_t rank) const {
  if (batches_.empty())
    return 0; // nothing to copy
  auto after = std::upper_bound(batches_.begin(), batches_.end(), rank,
                                [](uint32_t r, const Batch &batch) { return r < batch.firstRank; });
  CHECK(after != batches_.begin(), "a rank with a copy of the globals");
  const Batch &batch = *(after - 1);
  return batch.firstDelta + static_cast<intptr_t>(rank - batch.firstRank) * stride_;
}

void Image::findBlocks() {
  auto bytes = static_cast<size_t>(module_->data_end - module_->private_begin);
  for (size_t offset = 0; offset < bytes; offset += BlockBytes) {
    size_t length = std::min(BlockBytes, bytes - offset);
    if (allZero(module_->private_begin + offset, length))
      continue;
    if (!blocks_.empty() && blocks_.back().offset + blocks_.back().bytes == offset)
      blocks_.back().bytes += length;
    else
      blocks_.push_back({offset, length});
  }
}

void Image::keepInitialValues() {
  for (const Block &block : blocks_) {
    const char *begin = module_->private_begin + block.offset;
    initialValues_.insert(initialValues_.end(), begin, begin + block.bytes);
  }
}

void Image::fill(uint32_t rank) const {
  char *copy = module_->private_begin + delta(rank);
  const char *kept = initialValues_.data();
  for (const Block &block : blocks_) {
    const char *from = initialValues_.empty() ? module_->private_begin + block.offset : kept;
    std::memcpy(copy + block.offset, from, block.bytes);
    kept += block.bytes;
  }
}

void Image::copyInitial(const char *address, size_t bytes, char *to) const {
  std::memset(to, 0, bytes);
  const char *kept = initialValues_.data();
  for (const Block &block : blocks_) {
    const char *begin = module_->private_begin + block.offset;
    const char *from = std::max(begin, address);
    const char *end = std::min(begin + block.bytes, address + bytes);
    if (from < end)
      std::memcpy(to + (from - address), initialValues_.empty() ? from : kept + (from - begin),
                  static_cast<size_t>(end - from));
    kept += block.bytes;
  }
}

bool Image::contains(const void *address) const {
  const auto *byte = static_cast<const char *>(address);
  return (byte >= module_->private_begin && byte < module_->data_end) ||
         (byte >= module_->zero_begin && byte < module_->private_end);
}

void Images::build(std::span<gnomon_module *const> modules, uint32_t ranks, Needs needs) {
  ranks_ = ranks;
  for (gnomon_module *module : modules)
    images_.emplace_back(*module, ranks);
  for (const Image &image : images_)
    connectImports(image.module());
  for (const Image &image : images_)
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
  for (const Image &image : images_)
    for (uint32_t rank = first; rank < first + count; ++rank)
      fillOne(image, rank, needs);
}

void Images::fillOne(const Image &image, uint32_t rank, Needs needs) const {
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

} // namespace gnomon::process
