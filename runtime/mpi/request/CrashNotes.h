// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What room process cannot know of the ranks' operations when a run ends in a crash.
#pragma once

namespace gnomon::mpi {

/// Tells room process how operations are named (process/ranks/Touched.h) and what messages hold
/// memory.
void explainCrashes();

} // namespace gnomon::mpi
