// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: a loop that nothing rests on is in one burst with its neighbours, in front of them, behind them and between. It is
// not where its addresses rest on what another loop makes: its neighbours may be executed where that one is not. Nor are loops
// of different decisions one burst: where only one of these is not given, the other's loop is skipped.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -pass-remarks-analysis=gnomon -disable-output %t.ll 2>&1 | FileCheck %s --implicit-check-not='are one burst'
#include <mpi.h>
static double u[1000], v[1000], leak[1000], drain[1000], edge[1000], p[1000], q[1000];
static int boxOf[1000], filled[1000];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double all = 0;
  const int n = 7 + argc;
  do {
    for (int i = 0; i < n; i++)
      boxOf[i] = (boxOf[i] * 7 + i) % 1000;
    for (int cell = 0; cell < 100; ++cell) {
      // CHECK: groups-along.c:[[# @LINE + 1]]:{{.*}}this loop and the 4 behind it are one burst
      for (int i = 0; i < n; i++)
        leak[i] += 0.5 * v[i];
      for (int i = 0; i < n; i++)
        u[i] = 0.5 * v[i] + i;
      for (int i = 0; i < n; i++)
        drain[i] += 0.25 * u[i];
      for (int i = 0; i < n; i++)
        v[i] = 0.25 * u[i] - v[i];
      for (int i = 0; i < n; i++)
        edge[i] += 0.125 * v[i];
      MPI_Barrier(MPI_COMM_WORLD);
      for (int i = 0; i < n; i++)
        v[i] = 0.5 * v[i] + i;
      for (int i = 0; i < n; i++)
        filled[boxOf[i]]++;
      for (int i = 0; i < n; i++)
        all += v[i];
      MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int cell = 0; cell < 100; ++cell) {
      for (int i = 0; i < n; i++)
        p[i] = 0.5 * p[i] + i;
      for (int i = 0; i < n; i++)
        q[i] = 0.25 * q[i] + i;
      MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Send(p, (int)p[7], MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Send(q, (int)q[7], MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } while (all > 1);
  return MPI_Finalize();
}
