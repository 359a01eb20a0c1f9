// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/Kernels.h"

#include "cpu/Processors.h"
#include "support/ReferenceKernel.h"

#include <algorithm>
#include <unistd.h>

namespace gnomon::cpu {
namespace {

constexpr uint64_t MiB = uint64_t(1) << 20;
constexpr size_t ElementsPerStep = 4096;
constexpr int RoundsPerStep = 10000;
constexpr double BytesPerElement = 3 * sizeof(double);

uint64_t memoryBytes() {
  const long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page) : 0;
}

} // namespace

uint64_t workingSetBytes(size_t kernel, const Processors &processors, size_t copies) {
  if (Kernels[kernel].name == "flops")
    return 0;
  if (Kernels[kernel].name == "cache")
    return std::max<uint64_t>(processors.l2Bytes, MiB / 2) / 2;
  // Each copy alone overflows the last cache, unless that is so large that the copies would not
  // fit into half of the free memory.
  const uint64_t wanted = std::clamp(4 * processors.l3Bytes, 64 * MiB, 512 * MiB);
  const uint64_t most = memoryBytes() / 2 / std::max<uint64_t>(copies, 1);
  return std::min(wanted, std::max(most, 8 * MiB));
}

Kernel::Kernel(size_t kernel, uint64_t workingSetBytes)
    : isFlops_(Kernels[kernel].name == "flops") {
  if (isFlops_)
    return;
  const size_t steps =
      static_cast<size_t>(static_cast<double>(workingSetBytes) / BytesPerElement / ElementsPerStep);
  const size_t elements = std::max<size_t>(steps, 1) * ElementsPerStep;
  a_.assign(elements, 0);
  b_.assign(elements, 1);
  c_.assign(elements, 2);
}

double Kernel::step() {
  if (isFlops_) {
    kept_ = runReferenceKernel(kept_, RoundsPerStep);
    // What the next step starts from depends on this one, so that none can be left out.
    kept_ = kept_ > 1e6 ? 1 : kept_;
    return ReferenceFlopsPerRound * RoundsPerStep;
  }
  double *a = a_.data() + at_;
  const double *b = b_.data() + at_, *c = c_.data() + at_;
  for (size_t i = 0; i < ElementsPerStep; ++i)
    a[i] = b[i] + 3 * c[i];
  at_ = at_ + ElementsPerStep < a_.size() ? at_ + ElementsPerStep : 0;
  if (a[0] != 7)
    kept_ += 1;
  return BytesPerElement * ElementsPerStep;
}

} // namespace gnomon::cpu
