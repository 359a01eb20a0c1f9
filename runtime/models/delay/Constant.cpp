// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/delay/Constant.h"

namespace gnomon::models {

void Constant::transfer(platform::HostIndex, platform::HostIndex, uint64_t, kernel::Action done) {
  engine_.after(seconds_, done);
}

} // namespace gnomon::models
