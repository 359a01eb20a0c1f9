// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Accumulates on memory: in place where the target's elements lie one behind the other, else
/// through a copy of them.
#include "rma/Accumulate.h"

#include <algorithm>

namespace gnomon::rma {

const mpi::Datatype *elementOf(const mpi::Datatype &type) {
  if (type.isPredefined())
    return &type;
  const mpi::Datatype *found = nullptr;
  for (const mpi::Datatype::Part &part : type.parts()) {
    const mpi::Datatype *element = elementOf(*part.type.get());
    if (!element || (found && found != element))
      return nullptr;
    found = element;
  }
  return found;
}

int64_t elements(int64_t count, const mpi::Datatype &type, const mpi::Datatype &element) {
  return element.size() > 0 ? count * (type.size() / element.size()) : 0;
}

std::vector<char> gather(const void *data, int64_t count, const mpi::Datatype &type,
                         const mpi::Datatype &element) {
  const int64_t length = elements(count, type, element);
  std::vector<char> row(static_cast<size_t>(length * element.extent()));
  mpi::copyTyped(data, count, type, row.data(), length, element);
  return row;
}

void accumulate(const std::vector<char> &operands, void *target, int64_t count,
                const mpi::Datatype &type, const mpi::Datatype &element, const mpi::Op &op) {
  const int64_t length = std::min(static_cast<int64_t>(operands.size()) / element.extent(),
                                  elements(count, type, element));
  if (type.contiguous(count) && element.contiguous()) {
    op.apply(operands.data(), target, length, element);
    return;
  }
  std::vector<char> row = gather(target, count, type, element);
  op.apply(operands.data(), row.data(), length, element);
  mpi::copyTyped(row.data(), static_cast<int64_t>(row.size()) / element.extent(), element, target,
                 count, type);
}

bool isComparable(const mpi::Datatype &type) {
  using mpi::TypeClass;
  const TypeClass kind = type.typeClass();
  return type.isPredefined() && (kind == TypeClass::Integer || kind == TypeClass::Logical ||
                                 kind == TypeClass::Byte || kind == TypeClass::Character);
}

} // namespace gnomon::rma
