// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: what is kept of a skipped burst is the counting, which a message needs; where the count is given, nothing is. So it has
// two copies, and which one is taken is asked at the end of the question whether to execute it.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll | FileCheck %s
// CHECK-LABEL: define {{.*}}@main(
// CHECK: br i1 {{.*}}, label %{{.*}}, label %[[CHOICE:.*choice]],
// CHECK: {{^}}[[CHOICE]]:
// CHECK-NEXT: [[STATE:%.*]] = load i32, ptr @gnomon.points.on
// CHECK-NEXT: [[GIVEN:%.*]] = icmp eq i32 [[STATE]], 2
// CHECK-NEXT: br i1 [[GIVEN]],
#include <mpi.h>
static double x[1000], y[1000];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 1000; i++)
    x[i] = i % 7 * 0.1 * argc;
  for (int step = 0; step < argc; step++) {
    int n = 0;
    for (int i = 0; i < 1000; i++) {
      double a = y[i] * 0.5 + x[i], b = a * a - 0.25 * y[i], c = a * b + 3 * a - b;
      y[i] = (a - b) * (a + c) + 0.125 * c * (b - c) + a * b * c;
      n += x[i] > 0.3;
    }
    MPI_Bcast(y, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
