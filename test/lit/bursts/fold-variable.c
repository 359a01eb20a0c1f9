// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: large parts of variables that no access cuts have records; their addresses are put in when each rank gets a copy
// of its own, so that until then no variable's address is taken for it. What is small or shared in any case has none.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-privatize,verify' -S %t.bursts.ll | FileCheck %s --check-prefix=PLACED
// CHECK: @both = internal{{.*}} global {{.*}}!gnomon.fold.part ![[COUNTS:[0-9]+]], !gnomon.fold.part ![[DATA:[0-9]+]]
// CHECK: @[[FIRST:gnomon.fold.site[.0-9]*]] = internal global {{.*}}ptr null, i64 400000,
// CHECK: @[[SECOND:gnomon.fold.site[.0-9]*]] = internal global {{.*}}ptr null, i64 800000,
// CHECK: @gnomon.fold.sites = internal global [2 x ptr] [ptr @[[FIRST]], ptr @[[SECOND]]]
// CHECK-DAG: ![[COUNTS]] = !{ptr @[[FIRST]], i64 0}
// CHECK-DAG: ![[DATA]] = !{ptr @[[SECOND]], i64 400000}
// PLACED-NOT: gnomon.fold.part
// PLACED: @gnomon.fold.site{{[.0-9]*}} = internal global {{.*}}ptr @both, i64 400000,
// PLACED: @gnomon.fold.site{{[.0-9]*}} = internal global {{.*}}getelementptr{{.*}}i64 400000), i64 800000,
// PLACED-NOT: gnomon.fold.part
#include <mpi.h>
static struct {
  int counts[100000];
  double data[100000];
} both;
static double small[100];
static const double table[100000] = {1, 2, 3};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 100000; i++)
    both.counts[i] = i % 7 + argc;
  for (int step = 0; step < 100; step++) {
    for (int i = 0; i < 100000; i++)
      both.data[i] = both.data[i] * 0.5 + small[i % 100] + table[i];
    small[step] = both.data[step];
    MPI_Send(&both.data[step], both.counts[step], MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
