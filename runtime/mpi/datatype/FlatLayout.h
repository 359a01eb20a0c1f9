// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A layout (Layout.h) as a list of numbers, in which recordings of runs tell file types. First the
/// number of its loops, then of each, in order: offset, count, stride, and the bytes of its run; or,
/// where its body is a layout, minus the number of that layout's loops, which follow. 4 doubles, 100
/// bytes apart, are
///
///     1   0 4 100 8
#pragma once

#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Layout.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gnomon::mpi {

/// The numbers of \p layout; none where they would be more than \p most.
std::vector<int64_t> flatten(const Layout &layout, size_t most);

/// A reference to a type, given back at the end.
struct GiveBackType {
  void operator()(Datatype *type) const { type->release(); }
};
using OwnedType = std::unique_ptr<Datatype, GiveBackType>;

/// A type of bytes that lie as \p numbers say, \p extent apart, committed. Null: they are no layout,
/// or reach beyond 2^60 bytes.
OwnedType typeOfLayout(std::span<const int64_t> numbers, int64_t extent);

} // namespace gnomon::mpi
