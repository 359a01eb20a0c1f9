// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a trace of a real run says of itself.
#pragma once

#include "trace/Record.h"

namespace gnomon::acquisition {

trace::Facts factsOfProcess(uint32_t ranks, bool complete);

} // namespace gnomon::acquisition
