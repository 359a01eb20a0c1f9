/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Intent: one rank enters a collective seconds after the others, or seconds before them; each frees
 * its operation, datatype and communicator as soon as it has the call behind it (nonblocking:
 * before it is complete) and makes others in their place; the results are those of the standard. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { Blocking, Nonblocking, Persistent, Ways, Elements = 40 };
static const char *const ways[] = {"blocking", "nonblocking", "persistent"};
static int rank, size, way, root, wrong;
static MPI_Comm comm;
static MPI_Datatype type;
static MPI_Op op;
static MPI_Request request;

/* An element: two numbers with a gap behind them. The gap of what is received must stay. */
typedef struct {
  unsigned value, power, gap;
} Element;
static Element *in, *out;
static int *counts, *starts, *bytes;
static MPI_Datatype *types;

#define CALL(NAME, INAME, ...)                                                                     \
  do {                                                                                             \
    if (way == Blocking)                                                                           \
      MPI_##NAME(__VA_ARGS__, comm);                                                               \
    else if (way == Nonblocking)                                                                   \
      MPI_##INAME(__VA_ARGS__, comm, &request);                                                    \
    else                                                                                           \
      MPI_##NAME##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &request);                               \
  } while (0)

/* (v, p) o (w, q) = (v q + w, p q): associative, not commutative. Asks the type for its extent. */
static void chain(void *a, void *b, int *length, MPI_Datatype *of) {
  MPI_Aint low, extent;
  MPI_Type_get_extent(*of, &low, &extent);
  for (int i = 0; i < *length; ++i) {
    const Element *left = (const Element *)((char *)a + i * extent);
    Element *right = (Element *)((char *)b + i * extent);
    right->value += left->value * right->power;
    right->power *= left->power;
  }
}
/* Takes the places of freed operations: whoever calls it has kept one too long. */
static void poison(void *a, void *b, int *length, MPI_Datatype *of) {
  (void)a, (void)b, (void)length, (void)of;
  printf("WRONG an operation is used that nobody gave\n");
  ++wrong;
}

static unsigned value(int of, int i) { return (unsigned)(of * 1009 + i * 31 + 7); }
static unsigned power(int of, int i) { return (unsigned)(2 * (of + i) + 3); }
/* The value after ranks 0 … last, of element i. */
static unsigned chained(int last, int i) {
  unsigned sum = 0;
  for (int r = 0; r <= last; ++r)
    sum = sum * power(r, i) + value(r, i);
  return sum;
}

static void expect(const char *what, int i, unsigned should) {
  if ((out[i].value != should || out[i].gap != 99) && ++wrong < 20)
    printf("WRONG %s %s on rank %d, element %d: %u (gap %u), not %u\n", ways[way], what, rank, i,
           out[i].value, out[i].gap, should);
}

static void prepare(void) {
  const int two[] = {2};
  const MPI_Aint zero[] = {0};
  MPI_Datatype pair;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Type_create_hindexed(1, two, zero, MPI_UNSIGNED, &pair);
  MPI_Type_create_resized(pair, 0, sizeof(Element), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&pair);
  MPI_Op_create(chain, 0, &op);
  for (int i = 0; i < size; ++i) {
    counts[i] = 1 + i % 3;
    starts[i] = 4 * i;
    bytes[i] = starts[i] * (int)sizeof(Element);
    types[i] = type;
  }
  for (int i = 0; i < Elements * size; ++i) {
    in[i] = (Element){value(rank, i), power(rank, i), 5};
    out[i] = (Element){1, 1, 99};
  }
}

/* Everything that the call was given goes, and something else comes in its place. */
static void leave(void) {
  MPI_Op others[4];
  MPI_Datatype bytes3[4];
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  MPI_Comm_free(&comm);
  for (int i = 0; i < 4; ++i) {
    MPI_Op_create(poison, 1, &others[i]);
    MPI_Type_contiguous(3 + i, MPI_CHAR, &bytes3[i]);
    MPI_Type_commit(&bytes3[i]);
  }
  memset(counts, 77, (size_t)size * sizeof *counts * (way == Blocking)); /* else still in use */
  if (way == Persistent)
    MPI_Start(&request);
  if (way != Blocking)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (way == Persistent)
    MPI_Request_free(&request);
  for (int i = 0; i < 4; ++i) {
    MPI_Op_free(&others[i]);
    MPI_Type_free(&bytes3[i]);
  }
}

static void reductions(int which) {
  const int count = Elements;
  switch (which) {
  case 0:
    CALL(Reduce, Ireduce, in, out, count, type, op, root);
    leave();
    for (int i = 0; i < count; ++i)
      expect("reduce", i, rank == root ? chained(size - 1, i) : 1);
    break;
  case 1:
    CALL(Allreduce, Iallreduce, in, out, count, type, op);
    leave();
    for (int i = 0; i < count; ++i)
      expect("allreduce", i, chained(size - 1, i));
    break;
  case 2:
    CALL(Scan, Iscan, in, out, count, type, op);
    leave();
    for (int i = 0; i < count; ++i)
      expect("scan", i, chained(rank, i));
    break;
  case 3:
    CALL(Exscan, Iexscan, in, out, count, type, op);
    leave();
    for (int i = 0; i < count; ++i)
      expect("exscan", i, rank ? chained(rank - 1, i) : 1);
    break;
  case 4:
    CALL(Reduce_scatter_block, Ireduce_scatter_block, in, out, 3, type, op);
    leave();
    for (int i = 0; i < 3; ++i)
      expect("reduce_scatter_block", i, chained(size - 1, 3 * rank + i));
    break;
  default: {
    int before = 0;
    for (int r = 0; r < rank; ++r)
      before += 1 + r % 3;
    CALL(Reduce_scatter, Ireduce_scatter, in, out, counts, type, op);
    leave();
    for (int i = 0; i < 1 + rank % 3; ++i)
      expect("reduce_scatter", i, chained(size - 1, before + i));
  }
  }
}

static void blocks(const char *name, int here) {
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < 2; ++i)
      expect(name, 2 * r + i, here ? value(r, i) : 1);
}

/* Blocks of 1 + r % 3 elements from rank r, four elements apart; element \p first of the sender. */
static void spread(const char *name, int here, int first) {
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < 4; ++i)
      expect(name, 4 * r + i, here && i < 1 + r % 3 ? value(r, first + i) : 1);
}

static void moves(int which) {
  const int mine = 1 + rank % 3;
  switch (which) {
  case 6:
    if (rank == root)
      for (int i = 0; i < Elements; ++i)
        out[i].value = value(root, i);
    CALL(Bcast, Ibcast, out, Elements, type, root);
    leave();
    for (int i = 0; i < Elements; ++i)
      expect("bcast", i, value(root, i));
    break;
  case 7:
    CALL(Gather, Igather, in, 2, type, out, 2, type, root);
    leave();
    blocks("gather", rank == root);
    break;
  case 8:
    CALL(Allgather, Iallgather, in, 2, type, out, 2, type);
    leave();
    blocks("allgather", 1);
    break;
  case 9:
    CALL(Scatter, Iscatter, in, 2, type, out, 2, type, root);
    leave();
    for (int i = 0; i < 2; ++i)
      expect("scatter", i, value(root, 2 * rank + i));
    break;
  case 10:
    CALL(Alltoall, Ialltoall, in, 2, type, out, 2, type);
    leave();
    for (int i = 0; i < 2 * size; ++i)
      expect("alltoall", i, value(i / 2, 2 * rank + i % 2));
    break;
  case 11:
    CALL(Gatherv, Igatherv, in, mine, type, out, counts, starts, type, root);
    leave();
    spread("gatherv", rank == root, 0);
    break;
  case 12:
    CALL(Allgatherv, Iallgatherv, in, mine, type, out, counts, starts, type);
    leave();
    spread("allgatherv", 1, 0);
    break;
  case 13:
    CALL(Scatterv, Iscatterv, in, counts, starts, type, out, mine, type, root);
    leave();
    for (int i = 0; i < mine; ++i)
      expect("scatterv", i, value(root, 4 * rank + i));
    break;
  default: /* from rank r to rank d: 1 + r % 3 elements */
    for (int i = 0; i < size; ++i)
      in[i].gap = 5;
    int *given = malloc((size_t)size * sizeof *given);
    for (int i = 0; i < size; ++i)
      given[i] = mine;
    if (which == 14)
      CALL(Alltoallv, Ialltoallv, in, given, starts, type, out, counts, starts, type);
    else
      CALL(Alltoallw, Ialltoallw, in, given, bytes, types, out, counts, bytes, types);
    leave();
    spread(which == 14 ? "alltoallv" : "alltoallw", 1, 4 * rank);
    free(given);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  in = malloc((size_t)(Elements * size) * sizeof *in);
  out = malloc((size_t)(Elements * size) * sizeof *out);
  counts = malloc((size_t)size * sizeof *counts);
  starts = malloc((size_t)size * sizeof *starts);
  bytes = malloc((size_t)size * sizeof *bytes);
  types = malloc((size_t)size * sizeof *types);
  const int special[] = {0, size / 2, size - 1};
  for (way = 0; way < Ways; ++way)
    for (int which = 0; which < 16; ++which)
      for (int s = 0; s < 3; ++s)
        for (int early = 0; early < 2; ++early) {
          root = special[(s + which) % 3];
          prepare();
          if ((rank == special[s]) != early)
            sleep(3);
          if (which < 6)
            reductions(which);
          else
            moves(which);
        }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf(wrong ? "apart: %d WRONG\n" : "apart: PASSED\n", wrong);
  MPI_Finalize();
  return 0;
}
