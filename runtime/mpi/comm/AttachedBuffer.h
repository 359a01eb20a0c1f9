// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What MPI_Buffer_attach and its forms for communicators and sessions keep.
#pragma once

#include <cstdint>

namespace gnomon::mpi {

struct AttachedBuffer {
  void *address = nullptr; ///< MPI_BUFFER_AUTOMATIC: of any size
  int64_t bytes = 0;

  bool isAutomatic() const { return address == reinterpret_cast<void *>(2); }
  bool isAttached() const { return bytes > 0 || isAutomatic(); }
  bool holds(int64_t needed) const { return isAutomatic() || bytes >= needed; }
};

} // namespace gnomon::mpi
