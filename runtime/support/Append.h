// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// push_back for vectors that are as long as they get: what happens when one is full is out of line.
/// Inlined it would have each function that appends save five registers for the sake of what it
/// never does once warm, which is a third of what a short one takes.
#pragma once

#include <vector>

namespace gnomon {

template <class T>
[[gnu::cold, gnu::noinline, clang::preserve_most]] void growAndAppend(std::vector<T> &vector,
                                                                      const T &value) {
  vector.push_back(value);
}

template <class T> inline void append(std::vector<T> &vector, const T &value) {
  if (vector.size() == vector.capacity()) [[unlikely]]
    return growAndAppend(vector, value);
  vector.push_back(value);
}

} // namespace gnomon
