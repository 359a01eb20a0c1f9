// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: while the link optimises, a hook of a burst is one call; in the end each stands behind the question whether hooks are on,
// with what is computed for it alone. A work that is no constant is a formula of the record, not code.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-switch,verify' -S %t.bursts.ll | FileCheck %s --check-prefix=SWITCH
// CHECK-DAG: @[[FORMULA:gnomon.formula]] = internal global { ptr, ptr, i64, i64, i64, i64, i64 } { ptr @gnomon.formula.code, ptr @gnomon.formula.coefficients, i64 0,
// CHECK-DAG: @[[RECORD:gnomon.burst]] = internal global {{.*}} ptr @[[FORMULA]], ptr null }
// CHECK-LABEL: define {{.*}}@main(
// CHECK-NOT: @gnomon.bursts.on
// CHECK-NOT: {{sitofp|fptosi}}
// CHECK: call i32 @gnomon_burst_begin_with(ptr @[[RECORD]], i64 %{{[^,]*}}, i64 0, i64 0, i64 0) #[[HOOK:[0-9]+]]
// CHECK-NEXT: icmp ne
// CHECK-NEXT: br i1
// CHECK-NOT: @gnomon.bursts.on
// CHECK: call void @gnomon_burst_end(ptr @[[RECORD]]) #[[HOOK]]
// CHECK-NOT: @gnomon.bursts.on
// CHECK: call void @gnomon_phase(
// CHECK: attributes #[[HOOK]] = { nounwind }
// SWITCH-LABEL: define {{.*}}@main(
// SWITCH: load i32, ptr @gnomon.bursts.on
// SWITCH: call void @gnomon_phase(
// SWITCH: [[ON:%.*]] = load i32, ptr @gnomon.bursts.on
// SWITCH-NEXT: [[ASKED:%.*]] = icmp ne i32 [[ON]], 0
// SWITCH-NEXT: br i1 [[ASKED]], label %[[BEGIN:[^,]*]], label %[[EXECUTE:[^,]*]],
// SWITCH: {{^}}[[BEGIN]]:
// SWITCH-NEXT: sext
// SWITCH-NEXT: [[ANSWER:%.*]] = call i32 @gnomon_burst_begin_with(
// SWITCH-NEXT: icmp ne i32 [[ANSWER]], 0
// SWITCH-NEXT: br i1 {{.*}}, label %[[EXECUTE]], label %{{[^,]*}}.skip,
// SWITCH: load i32, ptr @gnomon.bursts.on
// SWITCH-NEXT: icmp ne
// SWITCH-NEXT: br i1
// SWITCH: call void @gnomon_burst_end(
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double *array = malloc(100000 * sizeof *array);
  for (int i = 0; i < argc; i++)
    array[i] = i;
  MPI_Allreduce(MPI_IN_PLACE, array, argc, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return MPI_Finalize();
}
