/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * many COUNT: so many nonblocking and persistent collectives, with types and ops of their own. */
#include <mpi.h>
#include <stdlib.h>

static void add(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < 2 * *length; ++i)
    ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv) {
  int size, one[2] = {1, 1}, sum[2] = {0, 0}, counts[2] = {1, 1}, places[2] = {0, 1}, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1); ++i) {
    MPI_Request requests[3];
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(add, 1, &op);
    MPI_Iallreduce(one, sum, 1, pair, op, MPI_COMM_WORLD, &requests[0]);
    MPI_Type_free(&pair);
    MPI_Op_free(&op);
    int from[2];
    MPI_Ialltoallv(one, counts, places, MPI_INT, from, counts, places, MPI_INT, MPI_COMM_WORLD,
                   &requests[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
    MPI_Start(&requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[2]);
    wrong += sum[0] != size || from[0] != 1;
  }
  MPI_Finalize();
  return wrong != 0;
}
