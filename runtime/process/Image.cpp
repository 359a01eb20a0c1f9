// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/Image.h"

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

/// What an import points to when no module of ours holds its variable.
constexpr intptr_t NoDelta = 0;

} // namespace

Image::Image(gnomon_module &module, uint32_t ranks) : module_(&module) {
  auto begin = reinterpret_cast<uintptr_t>(module.private_begin);
  auto end = reinterpret_cast<uintptr_t>(module.private_end);
  if (ranks <= 1 || begin == end)
    return;
  uintptr_t unit = std::max<uintptr_t>(LineBytes, module.alignment);
  CHECK((unit & (unit - 1)) == 0, "a section's alignment that is a power of two");
  uintptr_t origin = roundDown(begin, unit);
  stride_ = static_cast<intptr_t>(roundUp(end - origin, unit));
  // Copies a whole number of pages apart would put each variable of all ranks into the same few
  // places of a cache.
  if (stride_ % static_cast<intptr_t>(PageBytes) == 0)
    stride_ += static_cast<intptr_t>(unit);
  mappingBytes_ = static_cast<size_t>(stride_) * ranks + unit;
  void *mapping = mmap(nullptr, mappingBytes_, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    throw std::bad_alloc();
  // A huge page per touched variable would multiply the memory of large, sparse sections.
  madvise(mapping, mappingBytes_, MADV_NOHUGEPAGE);
  mapping_ = static_cast<char *>(mapping);
  firstDelta_ = static_cast<intptr_t>(roundUp(reinterpret_cast<uintptr_t>(mapping), unit) - origin);
  findBlocks();
}

Image::~Image() {
  if (mapping_)
    munmap(mapping_, mappingBytes_);
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

void Image::fill(uint32_t rank) const {
  char *copy = module_->private_begin + delta(rank);
  for (const Block &block : blocks_)
    std::memcpy(copy + block.offset, module_->private_begin + block.offset, block.bytes);
}

bool Image::contains(const void *address) const {
  const auto *byte = static_cast<const char *>(address);
  return (byte >= module_->private_begin && byte < module_->data_end) ||
         (byte >= module_->zero_begin && byte < module_->private_end);
}

void Images::build(std::span<gnomon_module *const> modules, uint32_t ranks) {
  ranks_ = ranks;
  for (gnomon_module *module : modules)
    images_.emplace_back(*module, ranks);
  for (const Image &image : images_)
    connectImports(image.module());
  for (const Image &image : images_)
    for (uint32_t rank = 0; ranks > 1 && rank < ranks; ++rank) {
      image.fill(rank);
      relocate(image, rank);
    }
  if (images_.size() == 1) {
    only_ = &images_[0].module();
    onlyFirst_ = images_[0].delta(0);
    onlyStride_ = images_[0].delta(1) - onlyFirst_;
  }
}

void Images::add(gnomon_module &module) {
  only_ = nullptr;
  images_.emplace_back(module, ranks_);
  connectImports(module);
  for (uint32_t rank = 0; ranks_ > 1 && rank < ranks_; ++rank) {
    images_.back().fill(rank);
    relocate(images_.back(), rank);
  }
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

void Images::relocate(const Image &image, uint32_t rank) const {
  const gnomon_module &module = image.module();
  for (uint64_t i = 0; i < module.relocation_count; ++i) {
    const gnomon_relocation &relocation = module.relocations[i];
    const Image *target = relocation.import ? owner(relocation.import->address) : &image;
    if (!target)
      continue;
    char *slot = relocation.slot + image.delta(rank);
    uintptr_t value;
    std::memcpy(&value, slot, sizeof value);
    value += static_cast<uintptr_t>(target->delta(rank));
    std::memcpy(slot, &value, sizeof value);
  }
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
