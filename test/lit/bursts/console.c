// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: what a burst prints to the console does not hold it; the remark says what is left out, and by what word it stays.
// RUN: clang --no-default-config -O2 -g -fno-vectorize -I%gnomon_prefix/include/gnomon %s -S -emit-llvm -o %t.ll
// RUN: printf ' console=needed # all of it\n' > %t.needed
// RUN: printf 'console=some\nconsole=needed\nfiles=unread\n' > %t.wrong
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -pass-remarks=gnomon -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: env GNOMON_BURSTS=%t.needed opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -pass-remarks=gnomon -pass-remarks-missed=gnomon -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=NEEDED
// RUN: env GNOMON_BURSTS=%t.wrong not opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: env GNOMON_BURSTS=%t.needed opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.ll | FileCheck %s --check-prefix=PRINTED

// LEFT: console.c:[[#@LINE+15]]:{{[0-9]+}}: this loop may be skipped; what it prints to the console (console.c:[[#@LINE+19]]) is left out when it is skipped: 'console=needed' in the file of GNOMON_BURSTS keeps it
// NEEDED: console.c:[[#@LINE+14]]:{{[0-9]+}}: this loop always runs, because the call of 'printf' (console.c:[[#@LINE+18]]) rests on
// WRONG: error: gnomon: {{.*}}:1: unknown word 'some' for the console; known: console=needed
// WRONG-NOT: :2:
// PRINTED: console=needed
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  static double values[1000];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double sum = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int step = 0; step < 10; step++) {
    for (int i = 0; i < 1000; i++) {
      values[i] = values[i] * 0.5 + i;
      sum += values[i];
      if (sum < 0)
        printf("negative: %g\n", sum);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
