// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What copies of are run at once: three kernels that load a core, its caches and memory.
///
///   flops    the reference kernel (support/ReferenceKernel.h): registers only
///   cache    a[i] ← b[i] + s c[i] over arrays that fill half of the second-level cache together
///   memory   the same over arrays many times larger than the last-level cache
///
/// Work is flops, or bytes read and written by the program: 24 an element. What a processor reads
/// of a line before it writes it is not counted.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gnomon::cpu {

struct Processors;

struct KernelInfo {
  std::string_view name, unit;
};
inline constexpr std::array<KernelInfo, 3> Kernels = {
    KernelInfo{"flops", "flop"}, KernelInfo{"cache", "byte"}, KernelInfo{"memory", "byte"}};

/// Bytes of the arrays of one copy of kernel \p kernel, such that \p copies fit into memory.
uint64_t workingSetBytes(size_t kernel, const Processors &processors, size_t copies);

/// One copy, with memory of its own, touched by the thread that makes it.
class Kernel {
public:
  Kernel(size_t kernel, uint64_t workingSetBytes);
  /// Some microseconds of work; returns how much.
  double step();

private:
  bool isFlops_;
  std::vector<double> a_, b_, c_;
  size_t at_ = 0;
  double kept_ = 1;
};

} // namespace gnomon::cpu
