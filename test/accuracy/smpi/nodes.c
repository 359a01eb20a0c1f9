/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nodes PATTERN BYTES: one of the patterns below, of nonblocking messages posted at once; prints
 * the simulated date at which each rank has all of its own. For comparing models of contention at
 * the nodes.
 *   fanout, fanin     rank 0 to, from all others
 *   staggered         fanin, rank r sending r times BYTES; by hand only, because SMPI's IB keeps
 *                     penalties that no longer hold (docs/models.md, "Differences from SMPI")
 *   pairs             0 and 1, 2 and 3, … in both directions
 *   alltoall          everybody to everybody
 *   shift             everybody to the next two ranks */
#include "patterns.h"

int rank, size;
char *out, *in;
static int bytes, count;
static MPI_Request requests[4096];

static int bytesOf(const char *pattern, int from) {
  return strcmp(pattern, "staggered") == 0 ? from * bytes : bytes;
}

static int sends(const char *pattern, int from, int to) {
  if (from == to)
    return 0;
  if (strcmp(pattern, "fanout") == 0)
    return from == 0;
  if (strcmp(pattern, "fanin") == 0 || strcmp(pattern, "staggered") == 0)
    return to == 0;
  if (strcmp(pattern, "pairs") == 0)
    return (from ^ 1) == to;
  if (strcmp(pattern, "shift") == 0)
    return to == (from + 1) % size || to == (from + 2) % size;
  return strcmp(pattern, "alltoall") == 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 3)
    MPI_Abort(MPI_COMM_WORLD, 2);
  bytes = atoi(argv[2]);
  in = calloc((size_t)size, (size_t)bytes + 1);
  out = calloc((size_t)size, (size_t)bytes + 1);
  for (int peer = 0; peer < size; ++peer) {
    if (sends(argv[1], peer, rank))
      MPI_Irecv(in, bytesOf(argv[1], peer), MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[count++]);
    if (sends(argv[1], rank, peer))
      MPI_Isend(out, bytesOf(argv[1], rank), MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  report(argv[1], bytes, MPI_Wtime());
  MPI_Finalize();
  return 0;
}
