// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What runs on this machine have found out about its cores (process/ranks/CoreSpeed.h), kept in the
/// user's cache: a run on a shared core cannot see by itself what a core of its own would take.
/// Nothing is kept, and nothing said, where there is no cache or it cannot be written.
#pragma once

namespace gnomon::launch {

/// Of this processor's kernels, reference by chain at best; 0: not known.
double knownCoreRatio();
/// \p ratio: as this run has found it; 0: it did not look. Lower ones are taken for better; a higher
/// one raises what is kept by two thousandths, so that no lucky reading stays for ever.
void noteCoreRatio(double ratio);

} // namespace gnomon::launch
