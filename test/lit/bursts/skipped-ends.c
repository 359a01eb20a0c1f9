// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: a skipped instance of which nothing is kept goes straight to where the burst's ways lead, past the end's hook: it pays one
// call. An executed one comes to the end.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll | FileCheck %s
// CHECK-LABEL: define {{.*}}@main(
// CHECK: call i32 @gnomon_burst_begin_with(ptr @[[RECORD:gnomon.burst]],
// CHECK: br i1 {{.*}}, label %[[LOOP:[^,]*]], label %[[SKIP:[^,]*\.skip]],
// CHECK: {{^}}[[END:.*\.end]]:
// CHECK-NEXT: call void @gnomon_burst_end(ptr @[[RECORD]])
// CHECK-NEXT: br label %[[BEHIND:[^,]*]],
// CHECK: {{^}}[[LOOP]]:
// CHECK: br i1 {{.*}}, label %[[END]], label %[[LOOP]],
// CHECK: {{^}}[[SKIP]]:
// CHECK-NEXT: br label %[[BEHIND]],
#include <mpi.h>
static double x[1000], y[1000];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int step = 0; step < argc; step++) {
    for (int i = 0; i < argc; i++)
      x[i] += y[i] * 0.5;
    MPI_Bcast(y, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
