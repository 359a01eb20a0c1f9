// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a bucket sort of integers (alltoall of counts, alltoallv of keys, as integer-sort kernels
// do) gives the sorted sequence: order across ranks, number and checksum of keys are verified.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { keysPerRank = 64, keySpan = 128, iterations = 2 };

static int rank, size;
static unsigned long long seedOf;
int *keys, *bucketed, *sorted; /* globals on purpose: one set per rank */
static int sendCounts[4096], sendOffsets[4096], receiveCounts[4096], receiveOffsets[4096];

static int nextKey(void) {
  seedOf = seedOf * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int)((seedOf >> 33) % (unsigned long long)(size * keySpan));
}

static void generate(int iteration) {
  seedOf = 7919ULL * (unsigned)(rank + 1) + (unsigned)iteration;
  for (int i = 0; i < keysPerRank; ++i)
    keys[i] = nextKey();
}

static void fillBuckets(void) {
  memset(sendCounts, 0, sizeof sendCounts);
  for (int i = 0; i < keysPerRank; ++i)
    sendCounts[keys[i] / keySpan]++;
  int at[4096], offset = 0;
  for (int b = 0; b < size; ++b) {
    at[b] = sendOffsets[b] = offset;
    offset += sendCounts[b];
  }
  for (int i = 0; i < keysPerRank; ++i)
    bucketed[at[keys[i] / keySpan]++] = keys[i];
}

static int compareKeys(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int exchangeKeys(void) {
  int total = 0;
  MPI_Alltoall(sendCounts, 1, MPI_INT, receiveCounts, 1, MPI_INT, MPI_COMM_WORLD);
  for (int b = 0; b < size; ++b) {
    receiveOffsets[b] = total;
    total += receiveCounts[b];
  }
  sorted = realloc(sorted, sizeof(int) * (unsigned)(total + 1));
  MPI_Alltoallv(bucketed, sendCounts, sendOffsets, MPI_INT, sorted, receiveCounts, receiveOffsets,
                MPI_INT, MPI_COMM_WORLD);
  qsort(sorted, (size_t)total, sizeof(int), compareKeys);
  return total;
}

/* Errors seen by this rank: a key outside its range, or smaller than the left neighbour's largest.
 */
static int verifyOrder(int total) {
  int wrong = 0, leftLargest = -1;
  int largest = total ? sorted[total - 1] : rank * keySpan - 1;
  const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&largest, 1, MPI_INT, right, 5, &leftLargest, 1, MPI_INT, left, 5, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < total; ++i)
    wrong += sorted[i] / keySpan != rank || sorted[i] < leftLargest;
  return wrong;
}

int main(int argc, char **argv) {
  long long mine[4], all[4];
  int good = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  keys = malloc(sizeof(int) * keysPerRank);
  bucketed = malloc(sizeof(int) * keysPerRank);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    generate(iteration);
    memset(mine, 0, sizeof mine);
    for (int i = 0; i < keysPerRank; ++i)
      mine[0] += (long long)keys[i] * keys[i];
    fillBuckets();
    const int total = exchangeKeys();
    for (int i = 0; i < total; ++i)
      mine[1] += (long long)sorted[i] * sorted[i];
    mine[2] = total;
    mine[3] = verifyOrder(total);
    MPI_Reduce(mine, all, 4, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    good = good && all[0] == all[1] && all[2] == (long long)size * keysPerRank && all[3] == 0;
  }
  if (rank == 0)
    printf("integer sort of %lld keys: verification %s\n", all[2], good ? "SUCCESSFUL" : "FAILED");
  MPI_Finalize();
  return 0;
}
