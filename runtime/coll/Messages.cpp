// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coll/Messages.h"

namespace gnomon::coll {

void Messages::waitAll() {
  if (!requests_.empty())
    keep(mpi::waitAll(requests_));
  requests_.clear();
}

} // namespace gnomon::coll
