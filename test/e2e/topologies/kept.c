/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: a nonblocking or persistent collective keeps what it was called with: types and ops that
   the program frees, counts, displacements and lists of types that go (as Fortran's temporary ones
   do) before it runs; what is not significant on a rank is never looked at. */
#include "check.h"
#include <stdint.h>
#include <string.h>

enum { Ranks = 8, Room = 16 * Ranks, Junk = 12 };

/* What calls get, and what is put in its place before they run. */
static MPI_Aint far_out[Ranks], far_in[Ranks];
static int counts[Ranks], out_counts[Ranks], at[Ranks], bytes_out[Ranks], bytes_in[Ranks];
static MPI_Datatype sparse, dense, sparse_list[Ranks], dense_list[Ranks], junk[Junk];
static MPI_Op lowest, wrong_op;
static int sent[Room], got[Room], expected[Room];

static void lower_wins(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)type;
  memcpy(inout, in, sizeof(int) * 2 * (size_t)*length);
}
static void nonsense(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)in, (void)type;
  memset(inout, 0x55, sizeof(int) * 2 * (size_t)*length);
}

/* Two ints with a gap between them, two in a row: the same signature. */
static void make(void) {
  MPI_Datatype gapped;
  MPI_Type_vector(2, 1, 2, MPI_INT, &gapped);
  MPI_Type_create_resized(gapped, 0, 16, &sparse);
  MPI_Type_free(&gapped);
  MPI_Type_contiguous(2, MPI_INT, &dense);
  MPI_Type_commit(&sparse), MPI_Type_commit(&dense);
  MPI_Op_create(lower_wins, 0, &lowest);
  for (int r = 0; r < Ranks; ++r) {
    counts[r] = r % 3;
    out_counts[r] = rank % 3;
    at[r] = 2 * r;
    bytes_out[r] = 32 * r;
    bytes_in[r] = 16 * r;
    far_out[r] = bytes_out[r], far_in[r] = bytes_in[r];
    MPI_Type_dup(sparse, &sparse_list[r]);
    MPI_Type_dup(dense, &dense_list[r]);
  }
}

static void spoil(void) {
  MPI_Type_free(&sparse), MPI_Type_free(&dense), MPI_Op_free(&lowest);
  for (int r = 0; r < Ranks; ++r)
    MPI_Type_free(&sparse_list[r]), MPI_Type_free(&dense_list[r]);
  MPI_Op_create(nonsense, 0, &wrong_op);
  for (int i = 0; i < Junk; ++i) {
    MPI_Type_vector(3, 2, 5, MPI_DOUBLE, &junk[i]);
    MPI_Type_commit(&junk[i]);
  }
  memset(counts, 0x11, sizeof counts), memset(out_counts, 0x11, sizeof out_counts);
  memset(at, 0x11, sizeof at);
  memset(far_out, 0x11, sizeof far_out), memset(far_in, 0x11, sizeof far_in);
  memset(bytes_out, 0x11, sizeof bytes_out), memset(bytes_in, 0x11, sizeof bytes_in);
}

static void clean(void) {
  for (int i = 0; i < Junk; ++i)
    MPI_Type_free(&junk[i]);
  MPI_Op_free(&wrong_op);
}

/* What is exchanged in place is as much in both directions. */
static void set_ones(void) {
  for (int r = 0; r < Ranks; ++r)
    counts[r] = 1;
}

static void fill(int *values) {
  for (int i = 0; i < Room; ++i) {
    sent[i] = 1000 * rank + i;
    values[i] = -1 - i - 1000 * rank;
  }
}

/* The blocking call on `expected`; the nonblocking and the persistent one on `got`. */
#define KEPT(blocking, nonblocking, persistent)                                                    \
  for (int form = 0; form < 2; ++form) {                                                           \
    MPI_Request request;                                                                           \
    make();                                                                                        \
    fill(expected);                                                                                \
    blocking;                                                                                      \
    fill(got);                                                                                     \
    if (form == 0)                                                                                 \
      nonblocking;                                                                                 \
    else                                                                                           \
      persistent;                                                                                  \
    spoil();                                                                                       \
    for (int start = 0; start <= form; ++start) {                                                  \
      if (form == 1) {                                                                             \
        fill(got);                                                                                 \
        MPI_Start(&request);                                                                       \
      }                                                                                            \
      MPI_Wait(&request, MPI_STATUS_IGNORE);                                                       \
      CHECK(memcmp(got, expected, sizeof got) == 0);                                               \
    }                                                                                              \
    if (form == 1)                                                                                 \
      MPI_Request_free(&request);                                                                  \
    clean();                                                                                       \
  }
#define MOVE(name, iname, ...)                                                                     \
  KEPT(MPI_##name(BUFFERS(expected, __VA_ARGS__)),                                                 \
       MPI_##iname(BUFFERS(got, __VA_ARGS__), &request),                                           \
       MPI_##name##_init(BUFFERS(got, __VA_ARGS__), MPI_INFO_NULL, &request))
#define BUFFERS(into, ...) FROM(into, __VA_ARGS__)

static void rooted(int root) {
  int *const nowhere = (int *)(uintptr_t)64, here = rank == root;
  const MPI_Comm world = MPI_COMM_WORLD;
#define FROM(into, ...) into, __VA_ARGS__
  MOVE(Bcast, Ibcast, 3, rank == root ? sparse : sparse_list[0], root, world)
#undef FROM
#define FROM(into, number, type, ...) sent, number, type, into, __VA_ARGS__
  MOVE(Gather, Igather, 2, sparse, 2, dense, root, world)
  MOVE(Gatherv, Igatherv, rank % 3, sparse, here ? counts : nowhere, here ? at : nowhere, dense,
       root, world)
  MOVE(Scatter, Iscatter, 2, sparse, 2, dense, root, world)
#undef FROM
#define FROM(into, numbers, places, type, ...) sent, numbers, places, type, into, __VA_ARGS__
  MOVE(Scatterv, Iscatterv, here ? counts : nowhere, here ? at : nowhere, sparse, rank % 3, dense,
       root, world)
#undef FROM
#define FROM(into, ...) sent, into, __VA_ARGS__
  MOVE(Reduce, Ireduce, 3, dense, lowest, root, world)
#undef FROM
}

static void everywhere(void) {
  int *const nowhere = (int *)(uintptr_t)64;
  const MPI_Comm world = MPI_COMM_WORLD;
#define FROM(into, number, type, ...) sent, number, type, into, __VA_ARGS__
  MOVE(Allgather, Iallgather, 2, sparse, 2, dense, world)
  MOVE(Allgatherv, Iallgatherv, rank % 3, sparse, counts, at, dense, world)
  MOVE(Alltoall, Ialltoall, 2, sparse, 2, dense, world)
#undef FROM
#define FROM(into, numbers, places, type, ...) sent, numbers, places, type, into, __VA_ARGS__
  MOVE(Alltoallv, Ialltoallv, out_counts, at, sparse, counts, at, dense, world)
  MOVE(Alltoallw, Ialltoallw, out_counts, bytes_out, sparse_list, counts, bytes_in, dense_list,
       world)
#undef FROM
#define FROM(into, ...) MPI_IN_PLACE, nowhere, nowhere, MPI_DATATYPE_NULL, into, __VA_ARGS__
  KEPT((set_ones(), MPI_Alltoallv(FROM(expected, counts, at, dense, world))),
       (set_ones(), MPI_Ialltoallv(FROM(got, counts, at, dense, world), &request)),
       (set_ones(),
        MPI_Alltoallv_init(FROM(got, counts, at, dense, world), MPI_INFO_NULL, &request)))
#undef FROM
#define FROM(into, ...) sent, into, __VA_ARGS__
  MOVE(Allreduce, Iallreduce, 3, dense, lowest, world)
  MOVE(Scan, Iscan, 3, dense, lowest, world)
  MOVE(Exscan, Iexscan, 3, dense, lowest, world)
  MOVE(Reduce_scatter, Ireduce_scatter, counts, dense, lowest, world)
  MOVE(Reduce_scatter_block, Ireduce_scatter_block, 2, dense, lowest, world)
#undef FROM
}

/* Along a ring both ways; and from everybody to rank 0, which so has more sources than
 * destinations. */
static void neighbours(void) {
  const int periods[] = {1}, zero = 0;
  int everybody[Ranks];
  MPI_Comm ring, inward;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &ring);
  for (int r = 0; r < size; ++r)
    everybody[r] = r;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0 ? size : 0, everybody, MPI_UNWEIGHTED, 1,
                                 &zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &inward);
#define FROM(into, number, type, ...) sent, number, type, into, __VA_ARGS__
  MOVE(Neighbor_allgather, Ineighbor_allgather, 2, sparse, 2, dense, ring)
  MOVE(Neighbor_allgatherv, Ineighbor_allgatherv, 1, sparse, (set_ones(), counts), at, dense, ring)
  MOVE(Neighbor_alltoall, Ineighbor_alltoall, 2, sparse, 2, dense, ring)
#undef FROM
#define FROM(into, numbers, places, type, ...) sent, numbers, places, type, into, __VA_ARGS__
  MOVE(Neighbor_alltoallv, Ineighbor_alltoallv, (set_ones(), counts), at, sparse, counts, at, dense,
       ring)
  MOVE(Neighbor_alltoallw, Ineighbor_alltoallw, (set_ones(), counts), far_out, sparse_list, counts,
       far_in, dense_list, ring)
  MOVE(Neighbor_alltoallw, Ineighbor_alltoallw, (set_ones(), counts), far_out, sparse_list, counts,
       far_in, dense_list, inward)
#undef FROM
  MPI_Comm_free(&ring), MPI_Comm_free(&inward);
}

/* Between even and odd ranks: the root's arrays are by the other group's ranks. */
static void between(void) {
  MPI_Comm half, inter;
  int place, root;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter);
  MPI_Comm_rank(half, &place);
  root = rank % 2 ? 1 : place == 1 ? MPI_ROOT : MPI_PROC_NULL; /* rank 1 of the even ones */
#define FROM(into, number, type, ...) sent, number, type, into, __VA_ARGS__
  MOVE(Gatherv, Igatherv, place % 3, sparse, counts, at, dense, root, inter)
  MOVE(Allgatherv, Iallgatherv, place % 3, sparse, counts, at, dense, inter)
#undef FROM
#define FROM(into, numbers, places, type, ...) sent, numbers, places, type, into, __VA_ARGS__
  MOVE(Scatterv, Iscatterv, counts, at, sparse, place % 3, dense, root, inter)
#undef FROM
  MPI_Comm_free(&half), MPI_Comm_free(&inter);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rooted(0), rooted(size - 1);
  everywhere();
  neighbours();
  if (size > 3)
    between();
  if (rank == 0)
    puts("kept: PASSED");
  MPI_Finalize();
  return 0;
}
