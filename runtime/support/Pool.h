// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Objects of one type from slabs: a free list pop to allocate, a push to free. Messages and requests
/// come and go by the million; malloc would dominate them. Slabs are given back when no object is
/// left of very many: what a root needed to hear of a million ranks serves its next step.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace gnomon {

template <class T> class Pool {
public:
  Pool() = default;
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  template <class... Arguments> T *create(Arguments &&...arguments) {
    return ::new (take()) T(std::forward<Arguments>(arguments)...);
  }
  void destroy(T *object) {
    object->~T();
    giveBack(object);
  }
  /// The place for an object, and a place whose object has ended.
  void *take() {
    if (!free_)
      grow();
    Cell *cell = free_;
    free_ = cell->next;
    ++live_;
    return cell;
  }
  void giveBack(void *place) {
    auto *cell = static_cast<Cell *>(place);
    cell->next = free_;
    free_ = cell;
    if (--live_ == 0 && slabs_.size() > MostKept) [[unlikely]]
      giveBackSlabs();
  }
  size_t live() const { return live_; }

private:
  union Cell {
    Cell *next;
    alignas(T) std::byte object[sizeof(T)];
  };
  /// Slabs that stay when nothing is in them: 64 K objects. Beyond, it costs next to nothing to ask for
  /// them again.
  static constexpr size_t MostKept = 64;

  [[gnu::noinline]] void grow() {
    size_t count = slabs_.empty() ? 64 : 1024;
    slabs_.push_back(std::make_unique_for_overwrite<Cell[]>(count));
    for (size_t i = count; i-- > 0;) {
      slabs_.back()[i].next = free_;
      free_ = &slabs_.back()[i];
    }
  }
  /// All of them, so that the memory goes back in one piece. Who gives back one object saves no registers for it.
  [[gnu::cold, gnu::noinline, clang::preserve_most]] void giveBackSlabs() {
    slabs_.clear();
    free_ = nullptr;
  }

  std::vector<std::unique_ptr<Cell[]>> slabs_;
  Cell *free_ = nullptr;
  size_t live_ = 0;
};

} // namespace gnomon
