// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What runs on this machine have found out about its cores (process/ranks/CoreSpeed.h) and its pages
/// (process/ranks/PageCost.h), kept in the user's cache: a run on a shared core cannot see by itself what a core of its
/// own would take, nor one that meets slow pages throughout what they take otherwise.
/// Nothing is kept, and nothing said, where there is no cache or it cannot be written.
#pragma once

#include "process/ranks/CoreSpeed.h"

#include <cstdint>

namespace gnomon::launch {

/// Of this processor and of the kernels of this build; nothing where no run has looked. What programs feel of a
/// shared core (process/ranks/CoreFeel.h) is the usual value, drawn to that of all runs, and then to what runs of this
/// \p program, a number, have felt: each by how much they have learned (docs/adr/0050).
process::CoreSpeed::Known knownCores(uint64_t program);
/// What a page takes at best, the median of those runs that made pages; 0: none did.
double knownPageSeconds();
/// Adds what a run of \p program has \p found; the latest 32 are kept. The ratio is the least on which runs agree
/// (AgreedLeast, Looks.h): one run that was disturbed says nothing to the later ones. The chain's time
/// is the mean: a machine's usual clock changes with what its owner puts on it. Runs whose chain took more than four
/// times the least are left out: they ran in an emulator, such as valgrind.
/// \p pageSeconds: what a page took at best; 0: none was made.
void noteCores(const process::CoreSpeed::Figures &found, double pageSeconds, uint64_t program);

} // namespace gnomon::launch
