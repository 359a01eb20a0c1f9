// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: under MPI_THREAD_FUNNELED a rank's first thread calls MPI in the middle of a parallel
// region, of several threads or of one; each rank's region keeps its own team, and teams are used
// again. The clauses of regions outside of that are their own rank's, too.
#include "Tasks.h"
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void need(int holds, const char *what) {
  if (holds)
    return;
  printf("openmp_master: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void talk(void) {
  int next = (rank + 1) % size, before = (rank + size - 1) % size, from = -1, sum = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &from, 1, MPI_INT, before, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  need(from == before, "a wrong neighbour");
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  need(sum == size * (size - 1) / 2, "a wrong sum");
}

/// Regions with clauses before and after a call of MPI, in one function.
static void clauses(int rounds) {
  int team = 0, sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
  team += 1;
  need(team == 2, "num_threads before a call is not kept");
  talk();
  team = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
  team += 1;
  need(team == 2, "num_threads after a call is not kept");
#pragma omp parallel if (rounds < 0)
  {
    need(omp_get_num_threads() == 1 && omp_get_level() == 1, "if makes a team all the same");
#pragma omp for
    for (int i = 0; i < 300; ++i) {
#pragma omp atomic
      sum += i;
    }
  }
  need(sum == 300 * 299 / 2, "a part of a serial region's loop is lost or done twice");
  team = 0;
#pragma omp parallel
#pragma omp atomic
  team += 1;
  need(team == 3, "a region without clauses has others' threads");
}

int main(int argc, char **argv) {
  int granted;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &granted);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  omp_set_num_threads(3);
  for (int round = 0; round < 5; ++round) {
    int before = 0, after = 0, shared = 0;
#pragma omp parallel
    {
      int bit = 1 << omp_get_thread_num();
#pragma omp atomic
      before += bit;
#pragma omp barrier
#pragma omp master
      {
        need(before == 7, "not three threads before the call");
        if ((rank + round) % 2)
          talk(); // inside, while every other rank is outside
        need(omp_get_num_threads() == 3 && omp_get_thread_num() == 0,
             "another team after the call");
      }
#pragma omp barrier
#pragma omp for
      for (int i = 0; i < 300; ++i) {
#pragma omp atomic
        shared += i;
      }
#pragma omp atomic
      after += bit;
    }
    need(before == 7 && after == 7, "not three threads after the call");
    need(shared == 300 * 299 / 2, "a part of the loop is lost or done twice");
    if ((rank + round) % 2 == 0)
      clauses(round);
  }
  need(tasks() <= 4 + 2 * size, "more helpers than regions that are open at a time");
  if (rank == 0)
    printf("openmp_master: PASSED\n");
  MPI_Finalize();
  return 0;
}
