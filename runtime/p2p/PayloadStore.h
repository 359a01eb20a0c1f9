// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory for payloads whose sender was let go before a receive was there. Sizes are rounded up to
/// powers of two from 64 bytes to 1 MiB and recycled by size; longer ones come from malloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::p2p {

class PayloadStore {
public:
  PayloadStore() = default;
  ~PayloadStore();
  PayloadStore(const PayloadStore &) = delete;
  PayloadStore &operator=(const PayloadStore &) = delete;

  /// At least \p bytes (> 0) of memory. Throws std::bad_alloc.
  void *allocate(uint64_t bytes);
  /// \p bytes as given to allocate.
  void free(void *block, uint64_t bytes);

private:
  static constexpr uint32_t SmallestBits = 6, LargestBits = 20,
                            Classes = LargestBits - SmallestBits + 1;
  static uint32_t classOf(uint64_t bytes);
  struct Free {
    Free *next;
  };
  Free *free_[Classes] = {};
  std::vector<void *> slabs_;
};

} // namespace gnomon::p2p
