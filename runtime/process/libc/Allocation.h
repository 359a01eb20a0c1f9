// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What launch may decide about the memory of the program.
#pragma once

namespace gnomon::process {

/// Whether large blocks are backed by huge pages. Auto: where the machine has its free memory for
/// itself, and as long as they come quickly.
enum class HugePageUse { Auto, Always, Never };

/// To be called before the program runs; of no effect once a large block exists.
void useHugePages(HugePageUse use);
/// Whether the program executes everything, so that it uses what it allocates. Then the pages of its
/// large blocks may be made ahead, many at a time, where a page fault is dear. Off until called.
void expectUse(bool expected);

/// Blocks of 64 KiB and more begin at the same place of a page, as libc's large blocks do, and are noted
/// for whoever merges pages. To be called before the program runs.
void alignBlocksToPages();

} // namespace gnomon::process
