// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How tables of handles grow.
#include "mpi/Handle.h"

namespace gnomon::mpi {

[[gnu::noinline]] void HandleTable::addSlot() {
  if (!inside_)
    inside_ = std::make_unique<Inside>();
  std::vector<Slot> &slots = inside_->slots;
  if (slots.empty())
    slots.push_back({1}); // index 0 names nothing
  inside_->freeHead = static_cast<uint32_t>(slots.size());
  slots.push_back({1});
}

void HandleTable::setSite(uintptr_t handle, const void *site) {
  const uintptr_t index = indexOf(handle);
  std::vector<const void *> &sites = inside_->sites;
  if (sites.size() <= index)
    sites.resize(inside_->slots.capacity());
  sites[index] = site;
}

} // namespace gnomon::mpi
