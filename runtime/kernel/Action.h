// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What happens when an event comes due: a plain function and two words of context. No allocation,
/// no virtual call, so that an event costs a few nanoseconds.
#pragma once

#include <cstdint>

namespace gnomon::kernel {

struct Action {
  using Function = void (*)(void *object, uint64_t argument);
  Function function = nullptr;
  void *object = nullptr;
  uint64_t argument = 0;

  explicit operator bool() const { return function != nullptr; }
  void operator()() const { function(object, argument); }

  /// An action that calls `(object->*Method)(argument)`.
  template <auto Method, class T> static Action of(T *object, uint64_t argument = 0) {
    return {[](void *o, uint64_t a) { (static_cast<T *>(o)->*Method)(a); }, object, argument};
  }
};

} // namespace gnomon::kernel
