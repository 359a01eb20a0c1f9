// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Between handles and integers (c2f, f2c, toint, fromint): a handle is its number in every
/// language.
#pragma once

#include <cstdint>

namespace gnomon::api {

template <class Handle> Handle toHandle(int number) {
  return reinterpret_cast<Handle>(static_cast<uintptr_t>(static_cast<unsigned>(number)));
}
template <class Integer, class Handle> Integer toInteger(Handle handle) {
  return static_cast<Integer>(reinterpret_cast<uintptr_t>(handle));
}

} // namespace gnomon::api
