// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The receiver of GNOMON_PRINT_FORMULAS (llvm-pass/work/PrintWork.cpp): compares what the runtime
// makes of a formula with what the code computed for the same work. Compiled without the pass.
#include "process/burst/Formula.cpp"

#include <cstdio>

static int equal, different;

extern "C" void gnomon_test_formula(gnomon_formula *formula, int64_t a, int64_t b, int64_t c,
                                    int64_t d, uint64_t work) {
  const uint64_t evaluated = gnomon::process::burst::workOf(*formula, a, b, c, d);
  ++(evaluated == work ? equal : different);
  if (evaluated != work)
    std::printf("%lu in place of %lu\n", evaluated, work);
}

extern "C" void check(const char *, double, double) {}

static const struct AtTheEnd {
  ~AtTheEnd() { std::printf("%d equal, %d different\n", equal, different); }
} atTheEnd;
