/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: an OpenMP region is only a remark, and only when remarks are asked for. OpenMPRegion
 * RUN: %plugin_clang -fopenmp -Wall -fsyntax-only %s 2>&1 | count 0
 * RUN: %plugin_clang -fopenmp -fplugin-arg-gnomon-remarks -fsyntax-only %s 2>&1 | FileCheck %s
 * CHECK: :[[#@LINE+3]]:1: remark: an OpenMP region of a rank runs on threads of this machine; only the rank's own thread is timed
 */
void kernel(double *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    a[i] = i;
}
