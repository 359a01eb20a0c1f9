/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: MPI_Isendrecv and MPI_Isendrecv_replace exchange, report the receive's status, keep their
   place among other messages, work with MPI_PROC_NULL and wildcards, and raise truncation. */
#include "check.h"

enum { Large = 200000 }; /* ints: a rendezvous */
static int big[Large], room[Large];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  int count, flag, mine = rank, got = -1;

  /* A ring of small and large messages at once, one from anywhere. */
  for (int i = 0; i < Large; ++i)
    big[i] = rank * Large + i, room[i] = -1;
  MPI_Isendrecv(&mine, 1, MPI_INT, right, 5, &got, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD,
                &requests[0]);
  PMPI_Isendrecv(big, Large, MPI_INT, left, 6, room, Large, MPI_INT, right, MPI_ANY_TAG,
                 MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  CHECK(requests[0] == MPI_REQUEST_NULL && got == left);
  CHECK(statuses[0].MPI_SOURCE == left && statuses[0].MPI_TAG == 5);
  MPI_Get_count(&statuses[1], MPI_INT, &count);
  CHECK(statuses[1].MPI_SOURCE == right && statuses[1].MPI_TAG == 6 && count == Large);
  for (int i = 0; i < Large; i += 997)
    CHECK(room[i] == right * Large + i);

  /* In place, large: what is sent is what was there at the call. */
  MPI_Isendrecv_replace(big, Large, MPI_INT, right, 7, left, 7, MPI_COMM_WORLD, &requests[0]);
  do
    MPI_Test(&requests[0], &flag, &statuses[0]);
  while (!flag);
  CHECK(statuses[0].MPI_SOURCE == left);
  for (int i = 0; i < Large; i += 997)
    CHECK(big[i] == left * Large + i);

  /* Messages of one tag arrive in the order of the calls. */
  int out[3] = {1, 2, 3}, in[3] = {0, 0, 0};
  MPI_Isend(&out[0], 1, MPI_INT, right, 8, MPI_COMM_WORLD, &requests[0]);
  MPI_Isendrecv(&out[1], 1, MPI_INT, right, 8, &in[0], 1, MPI_INT, left, 8, MPI_COMM_WORLD,
                &requests[1]);
  MPI_Isend(&out[2], 1, MPI_INT, right, 8, MPI_COMM_WORLD, &requests[2]);
  MPI_Irecv(&in[1], 1, MPI_INT, left, 8, MPI_COMM_WORLD, &requests[3]);
  MPI_Recv(&in[2], 1, MPI_INT, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  CHECK(in[0] == 1 && in[1] == 2 && in[2] == 3);

  /* Nobody on one side, or on both. */
  const int below = rank > 0 ? rank - 1 : MPI_PROC_NULL,
            above = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  got = -1;
  MPI_Isendrecv(&mine, 1, MPI_INT, above, 9, &got, 1, MPI_INT, below, 9, MPI_COMM_WORLD,
                &requests[0]);
  MPI_Wait(&requests[0], &statuses[0]);
  CHECK(got == (rank > 0 ? rank - 1 : -1) && statuses[0].MPI_SOURCE == below);
  MPI_Get_count(&statuses[0], MPI_INT, &count);
  CHECK(count == (rank > 0));
  MPI_Isendrecv_replace(&mine, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                        &requests[0]);
  MPI_Request_get_status(requests[0], &flag, &statuses[0]);
  CHECK(flag && statuses[0].MPI_SOURCE == MPI_PROC_NULL);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK(mine == rank);

  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(class_of(MPI_Isendrecv(&mine, 1, MPI_INT, size, 0, &got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
                               &requests[0])) == MPI_ERR_RANK);
  CHECK(class_of(MPI_Isendrecv(&mine, 1, MPI_INT, 0, -1, &got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
                               &requests[0])) == MPI_ERR_TAG);
  CHECK(class_of(MPI_Isendrecv_replace(&mine, -1, MPI_INT, 0, 0, 0, 0, MPI_COMM_WORLD,
                                       &requests[0])) == MPI_ERR_COUNT);
  MPI_Isendrecv(out, 2, MPI_INT, right, 10, &got, 1, MPI_INT, left, 10, MPI_COMM_WORLD,
                &requests[0]);
  CHECK(class_of(MPI_Wait(&requests[0], MPI_STATUS_IGNORE)) == MPI_ERR_TRUNCATE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    puts("isendrecv: PASSED");
  MPI_Finalize();
  return 0;
}
