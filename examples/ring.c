/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A token goes three times round the ring, growing by each rank's number; then a message as large
 * as argv[1] bytes (default 65536) goes once, and its bytes are checked. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 3 };

static int rank, size;

static long sendTokenRound(long token) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  if (rank == 0) {
    MPI_Send(&token, 1, MPI_LONG, next, 1, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_LONG, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&token, 1, MPI_LONG, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token += rank;
    MPI_Send(&token, 1, MPI_LONG, next, 1, MPI_COMM_WORLD);
  }
  return token;
}

static int exchangeBlock(int bytes) {
  unsigned char *out = malloc(bytes), *in = malloc(bytes);
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int wrong = 0;
  for (int i = 0; i < bytes; ++i)
    out[i] = (unsigned char)(i * 7 + rank);
  MPI_Sendrecv(out, bytes, MPI_BYTE, next, 2, in, bytes, MPI_BYTE, previous, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < bytes; ++i)
    wrong += in[i] != (unsigned char)(i * 7 + previous);
  free(out);
  free(in);
  return wrong;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = argc > 1 ? atoi(argv[1]) : 65536;
  const double begin = MPI_Wtime();
  long token = 0;
  for (int i = 0; i < rounds; ++i)
    token = sendTokenRound(token);
  int wrong = exchangeBlock(bytes), allWrong = 0;
  MPI_Reduce(&wrong, &allWrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    const long expected = (long)rounds * size * (size - 1) / 2;
    const int good = token == expected && allWrong == 0 && MPI_Wtime() > begin;
    printf("ring of %d: token %ld, %d wrong bytes: %s\n", size, token, allWrong,
           good ? "PASSED" : "FAILED");
  }
  MPI_Finalize();
  return 0;
}
