// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An array of zeros for what is noted while something is worked out, of no use afterwards. A large one
/// takes memory only where it has been written: of a million links, few need be looked at.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace gnomon::solver {

template <class T> class Scratch {
public:
  /// Makes it at least \p count long; all of it is zero again if it has to grow.
  void atLeast(size_t count) {
    if (count > size_) [[unlikely]]
      renew(std::bit_ceil(count));
  }
  /// All of it is zero again.
  void clear() { renew(size_); }

  size_t size() const { return size_; }
  T &operator[](size_t index) { return elements_[index]; }
  const T &operator[](size_t index) const { return elements_[index]; }

private:
  // Zeros are its initial value, and whatever is in it may be forgotten.
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  struct Free {
    void operator()(T *elements) const { std::free(elements); }
  };

  /// calloc() knows of fresh pages that they are zero, and leaves them alone.
  [[gnu::noinline]] void renew(size_t count) {
    elements_.reset();
    size_ = 0;
    if (count == 0)
      return;
    auto *const fresh = static_cast<T *>(std::calloc(count, sizeof(T)));
    if (!fresh)
      throw std::bad_alloc();
    elements_.reset(fresh);
    size_ = count;
  }

  std::unique_ptr<T[], Free> elements_;
  size_t size_ = 0;
};

} // namespace gnomon::solver
