// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What launch may decide about the memory of the program.
#pragma once

namespace gnomon::process {

/// Whether large blocks are backed by huge pages as long as those come quickly (they do by
/// default). To be called before the program runs; of no effect once a large block exists.
void setHugePages(bool wanted);

} // namespace gnomon::process
