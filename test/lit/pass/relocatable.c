// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: runtime, clang-plugin, driver
// Intent: relocatable links (-r) with the flag work: each has a record of its own, and they reach each other's variables,
// which are still per rank.
// RUN: clang %gnomon_flag -O2 -r %s -o %t.main.o
// RUN: clang %gnomon_flag -O2 -DLIBRARY -r %s -o %t.library.o
// RUN: clang %gnomon_flag -O2 %t.main.o %t.library.o -o %t 2>&1 | count 0
// RUN: %gnomon_run -q -n 3 %t | sort | FileCheck %s
// RUN: clang %gnomon_flag -O2 %s %t.library.o -o %t 2>&1 | count 0
// RUN: %gnomon_run -q -n 3 %t | sort | FileCheck %s
#ifdef LIBRARY
extern int inMain;
int inLibrary;
static int hidden = 3;
int step(void) { return inLibrary++, hidden += inMain; }
#else
#include <mpi.h>
#include <stdio.h>
extern int inLibrary;
int inMain = 7;
int step(void);
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  inLibrary = 10 * rank;
  inMain = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  int hidden = step();
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d: %d %d %d\n", rank, inLibrary, inMain, hidden);
  MPI_Finalize();
}
#endif
// CHECK: 0: 1 0 3
// CHECK-NEXT: 1: 11 1 4
// CHECK-NEXT: 2: 21 2 5
