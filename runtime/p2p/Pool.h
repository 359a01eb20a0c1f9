// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Objects of one type from slabs that are never given back before the pool's end: a free list pop
/// to allocate, a push to free. Messages and requests come and go by the million; malloc would
/// dominate them.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace gnomon::p2p {

template <class T> class Pool {
public:
  Pool() = default;
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  template <class... Arguments> T *create(Arguments &&...arguments) {
    if (!free_)
      grow();
    Cell *cell = free_;
    free_ = cell->next;
    ++live_;
    return new (cell) T(std::forward<Arguments>(arguments)...);
  }
  void destroy(T *object) {
    object->~T();
    auto *cell = reinterpret_cast<Cell *>(object);
    cell->next = free_;
    free_ = cell;
    --live_;
  }
  size_t live() const { return live_; }

private:
  union Cell {
    Cell *next;
    alignas(T) std::byte object[sizeof(T)];
  };
  [[gnu::noinline]] void grow() {
    size_t count = slabs_.empty() ? 64 : 1024;
    slabs_.push_back(std::make_unique_for_overwrite<Cell[]>(count));
    for (size_t i = count; i-- > 0;) {
      slabs_.back()[i].next = free_;
      free_ = &slabs_.back()[i];
    }
  }
  std::vector<std::unique_ptr<Cell[]>> slabs_;
  Cell *free_ = nullptr;
  size_t live_ = 0;
};

} // namespace gnomon::p2p
