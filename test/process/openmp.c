// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: OpenMP's threads work on the globals of their rank between its MPI calls; MPI_Init_thread
// says that they may not call MPI, and one that does ends the run with a message that names the
// remedy.
#include "Check.h"
#include "Tasks.h"
#include <omp.h>
#include <string.h>

static long values[10000], sum;

int main(int argc, char **argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_FUNNELED);
  rank = worldRank();
  MPI_Session session;
  MPI_Info info;
  char level[MPI_MAX_INFO_VAL] = "";
  int length = sizeof level, found;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Session_get_info(session, &info);
  MPI_Info_get_string(info, "thread_level", &length, level, &found);
  CHECK(found && !strcmp(level, "MPI_THREAD_FUNNELED"));
  MPI_Info_free(&info);
  MPI_Session_finalize(&session);
  for (int round = 0; round < 3; ++round) {
    sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
    for (int i = 0; i < 10000; ++i) {
      values[i] += rank + i;
      sum += values[i];
    }
    others();
    CHECK(sum == (round + 1) * (10000L * rank + 10000L * 9999 / 2));
  }
  CHECK(tasks() <= 5); // one team for all ranks
  if (argc > 1) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  }
  passed("openmp");
  MPI_Finalize();
  return 0;
}
