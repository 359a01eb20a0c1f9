// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a core's speed in flop/s means here: how fast it runs this. A run measures it once for
/// `--host-speed=auto`, `gnomon calibrate cpu` says it.
///
/// Eight independent chains of x ← 0.999999 x + 10⁻⁶, so that the adder's latency does not hide its
/// throughput; two flops each, all in registers.
#pragma once

namespace gnomon {

/// Flops of one round of runReferenceKernel.
inline constexpr double ReferenceFlopsPerRound = 16;

/// Runs \p rounds rounds from \p start. The result only keeps the compiler from leaving them out.
double runReferenceKernel(double start, int rounds);

} // namespace gnomon
