// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of any number of ranks, each with a pattern of communication: patterns PATTERN [ARGUMENTS]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Steps = 9, Bytes = 4096 };
static char in[64][Bytes], out[Bytes];
static int rank, ranks;

static void work(void) {
  volatile double sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += i;
}

static void exchange(MPI_Comm comm, const int *peers, const int *bytes, int count) {
  MPI_Request requests[64];
  for (int i = 0; i < count; ++i)
    MPI_Irecv(in[i], bytes[i], MPI_BYTE, peers[i], 7, comm, &requests[i]);
  for (int i = 0; i < count; ++i)
    MPI_Isend(out, bytes[i], MPI_BYTE, peers[i], 7, comm, &requests[count + i]);
  work();
  MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
}

/// To the right, with a sum of all now and then.
static void ring(int step) {
  for (int i = 0; i < Steps; ++i) {
    MPI_Sendrecv(out, 80, MPI_BYTE, (rank + step) % ranks, 1, in[0], 80, MPI_BYTE,
                 (rank + ranks - step) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work();
    double sum = 1, all;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

/// Neighbours by MPI_Cart_shift; those of an open end are MPI_PROC_NULL.
static void cartesian(int dimensions, int periodic) {
  int dims[3] = {0}, periods[3] = {periodic, periodic, periodic}, peers[6], count = 0;
  const int bytes[6] = {1024, 1024, 512, 512, 256, 256};
  MPI_Comm grid;
  MPI_Dims_create(ranks, dimensions, dims);
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 0, &grid);
  for (int d = 0; d < dimensions; ++d, count += 2)
    MPI_Cart_shift(grid, d, 1, &peers[count], &peers[count + 1]);
  for (int i = 0; i < Steps; ++i)
    exchange(grid, peers, bytes, count);
  MPI_Comm_free(&grid);
}

/// All 26 neighbours on an open cube, without a communicator of its own; edges and corners are smaller.
static void cube(void) {
  int side = 1, peers[26], bytes[26], count = 0;
  while (side * side * side < ranks)
    ++side;
  const int x = rank % side, y = rank / side % side, z = rank / side / side;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        if ((dx || dy || dz) && x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side &&
            z + dz >= 0 && z + dz < side)
          bytes[count] = 1024 >> 4 * (abs(dx) + abs(dy) + abs(dz) - 1),
          peers[count++] = rank + dx + side * (dy + side * dz);
  for (int i = 0; i < Steps; ++i)
    exchange(MPI_COMM_WORLD, peers, bytes, count);
  MPI_Reduce(out, in[0], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

/// Broadcasts and sums along rows and columns, as matrix products have them.
static void rows(void) {
  int dims[2] = {0};
  MPI_Comm row, column;
  MPI_Dims_create(ranks, 2, dims);
  const int y = rank / dims[1], x = rank % dims[1];
  MPI_Comm_split(MPI_COMM_WORLD, y, x, &row);
  MPI_Comm_split(MPI_COMM_WORLD, x, rank, &column);
  for (int i = 0; i < Steps; ++i) {
    MPI_Bcast(out, 512, MPI_BYTE, 0, row);
    MPI_Sendrecv(out, 64, MPI_BYTE, (y + 1) % dims[0], 3, in[0], 64, MPI_BYTE,
                 (y + dims[0] - 1) % dims[0], 3, column, MPI_STATUS_IGNORE);
    MPI_Reduce(out, in[0], 4, MPI_INT, MPI_SUM, 0, row);
  }
}

static void collectives(void) {
  int *counts = malloc((size_t)ranks * sizeof *counts),
      *places = malloc((size_t)ranks * sizeof *places);
  char *all = malloc((size_t)ranks * 16), *others = malloc((size_t)ranks * 16);
  for (int i = 0; i < ranks; ++i)
    counts[i] = 16, places[i] = 16 * i;
  memset(all, 0, (size_t)ranks * 16);
  for (int i = 0; i < Steps; ++i) {
    MPI_Alltoall(all, 16, MPI_BYTE, others, 16, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Alltoallv(all, counts, places, MPI_BYTE, others, counts, places, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    MPI_Gather(out, 16, MPI_BYTE, all, 16, MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  free(counts), free(places), free(all), free(others);
}

/// A broadcast over a binomial tree, then a sum by doubling, by hand.
static void tree(void) {
  int mask = 1;
  for (; mask < ranks; mask <<= 1)
    if (rank & mask) {
      MPI_Recv(in[0], 256, MPI_BYTE, rank - mask, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      break;
    }
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (rank + mask < ranks) {
      work();
      MPI_Send(in[0], 256, MPI_BYTE, rank + mask, 2, MPI_COMM_WORLD);
    }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void doubling(int flips) {
  for (int mask = 1; mask < ranks; mask <<= 1) {
    const int to = flips ? rank ^ mask : (rank + mask) % ranks,
              from = flips ? to : (rank + ranks - mask) % ranks;
    MPI_Sendrecv(out, 8, MPI_BYTE, to, 4, in[0], 8, MPI_BYTE, from, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    work();
  }
}

/// All to all, by hand.
static void pairs(void) {
  for (int i = 1; i < ranks; ++i)
    MPI_Sendrecv(out, 32, MPI_BYTE, (rank + i) % ranks, 5, in[0], 32, MPI_BYTE,
                 (rank + ranks - i) % ranks, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// A torus with persistent messages, neighbourhood and nonblocking collectives, and lines of the grid.
static void mixed(void) {
  int dims[2] = {0}, periods[2] = {1, 0}, lines[2] = {0, 1}, up, down;
  MPI_Comm grid, line, copy;
  MPI_Request requests[3];
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_sub(grid, lines, &line);
  MPI_Comm_dup(line, &copy);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Recv_init(in[0], 100, MPI_BYTE, up, 8, grid, &requests[0]);
  MPI_Send_init(out, 100, MPI_BYTE, down, 8, grid, &requests[1]);
  for (int i = 0; i < Steps; ++i) {
    double sum = 1, all[2];
    MPI_Startall(2, requests);
    MPI_Iallreduce(&sum, &all[0], 1, MPI_DOUBLE, MPI_SUM, copy, &requests[2]);
    work();
    MPI_Neighbor_allgather(out, 8, MPI_BYTE, in[1], 8, MPI_BYTE, grid);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Scan(&sum, &all[1], 1, MPI_DOUBLE, MPI_SUM, line);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Comm_free(&copy);
}

/// Each rank broadcasts in turn.
static void roots(void) {
  for (int i = 0; i < ranks; ++i)
    MPI_Bcast(out, 64, MPI_BYTE, i, MPI_COMM_WORLD);
}

/// Around the ring once: a call for each rank.
static void around(void) {
  for (int i = 1; i < ranks; ++i)
    MPI_Sendrecv(out, 32, MPI_BYTE, (rank + 1) % ranks, i, in[0], 32, MPI_BYTE,
                 (rank + ranks - 1) % ranks, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// Each rank sends to one that was drawn; rank 0 takes what comes.
static void scattered(void) {
  const int bytes = 8 * (1 + rank * 7 % 5);
  if (rank)
    MPI_Send(out, bytes, MPI_BYTE, 0, 6, MPI_COMM_WORLD);
  for (int i = 1; !rank && i < ranks; ++i)
    MPI_Recv(in[0], Bytes, MPI_BYTE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  const char *pattern = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!strcmp(pattern, "ring"))
    ring(argc > 2 ? atoi(argv[2]) : 1);
  else if (!strcmp(pattern, "cartesian"))
    cartesian(atoi(argv[2]), atoi(argv[3]));
  else if (!strcmp(pattern, "cube"))
    cube();
  else if (!strcmp(pattern, "rows"))
    rows();
  else if (!strcmp(pattern, "collectives"))
    collectives();
  else if (!strcmp(pattern, "tree"))
    tree();
  else if (!strcmp(pattern, "doubling"))
    doubling(atoi(argv[2]));
  else if (!strcmp(pattern, "pairs"))
    pairs();
  else if (!strcmp(pattern, "mixed"))
    mixed();
  else if (!strcmp(pattern, "roots"))
    roots();
  else if (!strcmp(pattern, "around"))
    around();
  else if (!strcmp(pattern, "scattered"))
    scattered();
  else
    return 1;
  MPI_Finalize();
  return 0;
}
