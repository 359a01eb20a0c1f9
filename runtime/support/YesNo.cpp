// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/YesNo.h"

#include <algorithm>

namespace gnomon {

std::optional<bool> yesOrNo(std::string_view value, Words yes, Words no) {
  if (std::ranges::find(yes, value) != yes.end())
    return true;
  if (std::ranges::find(no, value) != no.end())
    return false;
  return std::nullopt;
}

} // namespace gnomon
