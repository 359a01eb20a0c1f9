// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: a large local array that decides nothing, and one of a computed size, lie where the runtime says, with nothing but
// a place of 16 bytes on the stack; so does one that decides, as far as decisions may be given. A small one stays as it is.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' \
// RUN:   -pass-remarks=gnomon -pass-remarks-missed=gnomon -S %t.ll -o %t.bursts.ll 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.bursts.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-switch,verify' -S %t.bursts.ll | FileCheck %s --check-prefix=SWITCH
// REMARK-DAG: 'fixed' (fold-locals.c:[[#@LINE+21]]), on the stack, may be folded
// REMARK-DAG: 'computed' (fold-locals.c:[[#@LINE+21]]), on the stack, may be folded
// REMARK-DAG: 'counts' (fold-locals.c:[[#@LINE+21]]), on the stack, is kept by each rank, because the count of MPI_Send
// REMARK-NOT: 'small'
// CHECK: @gnomon.fold.sites = internal global [3 x ptr]
// CHECK-LABEL: define {{.*}}@step(
// CHECK: alloca [10 x double]
// CHECK-NOT: alloca [100000
// CHECK: call noalias ptr @gnomon_local({{.*}}, i64 400000)
// CHECK: %[[FIXED:shared[0-9]*]] = call noalias ptr @gnomon_local({{.*}}, i64 800000)
// CHECK: %[[FOUND:.*]] = icmp ne ptr %[[FIXED]], null
// CHECK: %[[KEPT:.*]] = select i1 %[[FOUND]], i64 16, i64 800000
// CHECK: %[[OWN:own[0-9]*]] = alloca i8, i64 %[[KEPT]], align 16
// CHECK: select i1 %[[FOUND]], ptr %[[FIXED]], ptr %[[OWN]]
// CHECK: call noalias ptr @gnomon_local({{.*}}, i64 %{{.*}})
// CHECK-NOT: call noalias ptr @gnomon_local(
// SWITCH: load i32, ptr @gnomon.bursts.on
// SWITCH: call noalias ptr @gnomon_local(
// SWITCH: phi ptr [ %{{.*}}, %{{.*}} ], [ null, %{{.*}} ]
#include <mpi.h>
__attribute__((noinline)) static void step(int items, int number) {
  double fixed[100000];
  double computed[items];
  int counts[100000];
  double small[10];
  for (int i = 0; i < 100000; i++)
    counts[i] = i % 7;
  for (int i = 0; i < 100000; i++)
    fixed[i] = i;
  for (int i = 0; i < items; i++)
    computed[i] = fixed[i] * 0.5 + i;
  MPI_Bcast(small, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(computed, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Send(fixed, counts[number], MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int number = 0; number < 100; number++)
    step(50000 * argc, number);
  return MPI_Finalize();
}
