// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/fold/LocalBlocks.h"

#include "process/fold/FoldedMemory.h"

#include <sys/mman.h>

namespace gnomon::process::fold {

void *LocalBlocks::take(uint32_t rank, gnomon_fold_site &site, size_t bytes,
                        uintptr_t stackPointer) {
  if (bytes < memory_.leastBytes())
    return nullptr;
  if (rank >= locals_.size())
    locals_.resize(rank + 1);
  dropBelow(rank, stackPointer);
  void *block = make(rank, site, bytes);
  if (block)
    locals_[rank].push_back({stackPointer, block, bytes});
  return block;
}

/// Two arrays of one frame differ by what is left of the first one on the stack. An array at the same place as the new
/// one was made by an earlier iteration, or by a function that has returned.
void LocalBlocks::dropBelow(uint32_t rank, uintptr_t stackPointer) {
  std::vector<Local> &locals = locals_[rank];
  while (!locals.empty() && locals.back().stackPointer <= stackPointer) {
    const Local gone = locals.back();
    locals.pop_back();
    if (!memory_.release(rank, gone.block))
      munmap(gone.block, gone.bytes); // a poisoned one
  }
}

void *LocalBlocks::make(uint32_t rank, gnomon_fold_site &site, size_t bytes) {
  if (!memory_.poisons()) {
    void *block = memory_.allocate(rank, site, bytes);
    if (!block)
      memory_.note(rank, site, nullptr, bytes, Place::Fixed);
    return block;
  }
  void *block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return nullptr;
  memory_.note(rank, site, block, bytes, Place::Movable);
  return block;
}

} // namespace gnomon::process::fold
