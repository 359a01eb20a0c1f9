/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Intent: every collective between two groups of different sizes, blocking and nonblocking, from
 * every root, moves what the standard says; scans and MPI_IN_PLACE are refused. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MPI_Comm inter;
static int me, isLow, rank, local, remote, first, remoteFirst; /* first: world rank of rank 0 */
static int nonblocking, wrong;
static MPI_Request request;

#define OP(NAME, INAME, ...)                                                                       \
  do {                                                                                             \
    if (nonblocking) {                                                                             \
      MPI_##INAME(__VA_ARGS__, inter, &request);                                                   \
      MPI_Wait(&request, MPI_STATUS_IGNORE);                                                       \
    } else {                                                                                       \
      MPI_##NAME(__VA_ARGS__, inter);                                                              \
    }                                                                                              \
  } while (0)

static void expect(const char *name, long is, long should) {
  if (is != should && ++wrong < 20)
    printf("WRONG %s%s on world rank %d: %ld, not %ld\n", nonblocking ? "nonblocking " : "", name,
           me, is, should);
}

/* What a rank gives as root for root `r` of the lower or upper group. */
static int rootOf(int low, int r) {
  if (low != isLow)
    return r;
  return r == rank ? MPI_ROOT : MPI_PROC_NULL;
}
static int sizeOf(int low) { return low == isLow ? local : remote; }

/* (v, p) o (w, q) = (v q + w, p q): associative, not commutative. */
static void chain(void *in, void *inout, int *length, MPI_Datatype *type) {
  unsigned *a = in, *b = inout;
  (void)type;
  for (int i = 0; i < *length; ++i) {
    b[2 * i] += a[2 * i] * b[2 * i + 1];
    b[2 * i + 1] *= a[2 * i + 1];
  }
}
static unsigned chained(int from, int count) {
  unsigned value = 0;
  for (int r = 0; r < count; ++r)
    value = value * 31 + (unsigned)(from + r + 1);
  return value;
}

static void barrier(void) {
  double entered, last;
  usleep(100 * (unsigned)(me * 7 % 5));
  entered = MPI_Wtime();
  if (nonblocking) {
    MPI_Ibarrier(inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Barrier(inter);
  }
  double left = MPI_Wtime();
  /* Nobody leaves before all of the other group have entered. */
  OP(Allreduce, Iallreduce, &entered, &last, 1, MPI_DOUBLE, MPI_MAX);
  expect("barrier", left >= last, 1);
}

static void bcasts(int low, int r) {
  int data[40], should = 100 * r + low;
  for (int i = 0; i < 40; ++i)
    data[i] = rootOf(low, r) == MPI_ROOT ? should + i : -1;
  if (rootOf(low, r) == MPI_PROC_NULL)
    OP(Bcast, Ibcast, NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL);
  else
    OP(Bcast, Ibcast, data, 40, MPI_INT, rootOf(low, r));
  expect("bcast", data[39], rootOf(low, r) == MPI_PROC_NULL ? -1 : should + 39);
}

static void reduces(int low, int r, MPI_Datatype pair, MPI_Op op) {
  unsigned in[4] = {(unsigned)me + 1, 31, (unsigned)me + 1, 31}, out[4] = {7, 7, 7, 7};
  const int root = rootOf(low, r);
  OP(Reduce, Ireduce, root >= 0 ? in : NULL, root == MPI_ROOT ? out : NULL, 2, pair, op, root);
  expect("reduce", out[2], root == MPI_ROOT ? chained(remoteFirst, remote) : 7);
}

static void gathers(int low, int r) {
  const int root = rootOf(low, r), here = root == MPI_ROOT;
  int *out = malloc(sizeof(int) * (size_t)(remote * (remote + 3))), mine[64];
  int *counts = malloc(sizeof(int) * (size_t)remote),
      *places = malloc(sizeof(int) * (size_t)remote);
  for (int i = 0; i < 64; ++i)
    mine[i] = 100 * me + i;
  OP(Gather, Igather, mine, 2, root >= 0 ? MPI_INT : MPI_DATATYPE_NULL, out, 2,
     here ? MPI_INT : MPI_DATATYPE_NULL, root);
  for (int i = 0; here && i < 2 * remote; ++i)
    expect("gather", out[i], 100 * (remoteFirst + i / 2) + i % 2);
  for (int i = 0; i < remote; ++i)
    counts[i] = i % 3 + 1, places[i] = 4 * i;
  OP(Gatherv, Igatherv, mine, rank % 3 + 1, MPI_INT, out, here ? counts : NULL,
     here ? places : NULL, MPI_INT, root);
  for (int i = 0; here && i < remote; ++i)
    expect("gatherv", out[4 * i + i % 3], 100 * (remoteFirst + i) + i % 3);
  free(out), free(counts), free(places);
}

static void scatters(int low, int r) {
  const int root = rootOf(low, r), here = root == MPI_ROOT;
  int *in = malloc(sizeof(int) * (size_t)(4 * remote)), mine[4] = {-1, -1, -1, -1};
  int *counts = malloc(sizeof(int) * (size_t)remote),
      *places = malloc(sizeof(int) * (size_t)remote);
  for (int i = 0; i < 4 * remote; ++i)
    in[i] = 1000 * r + i;
  OP(Scatter, Iscatter, here ? in : NULL, 2, here ? MPI_INT : MPI_DATATYPE_NULL, mine, 2,
     root >= 0 ? MPI_INT : MPI_DATATYPE_NULL, root);
  expect("scatter", mine[1], root >= 0 ? 1000 * r + 2 * rank + 1 : -1);
  for (int i = 0; i < remote; ++i)
    counts[i] = i % 3 + 1, places[i] = 4 * (remote - 1 - i);
  OP(Scatterv, Iscatterv, in, here ? counts : NULL, here ? places : NULL, MPI_INT, mine,
     rank % 3 + 1, MPI_INT, root);
  if (root >= 0)
    expect("scatterv", mine[rank % 3], 1000 * r + 4 * (local - 1 - rank) + rank % 3);
  free(in), free(counts), free(places);
}

/* To the other group as many elements as it has ranks would be the same number for all: lower ranks
 * give 2, upper ranks 3. */
static void allgathers(void) {
  const int mine = isLow ? 2 : 3, theirs = isLow ? 3 : 2;
  int in[8], *out = malloc(sizeof(int) * (size_t)(8 * remote));
  int *counts = malloc(sizeof(int) * (size_t)remote),
      *places = malloc(sizeof(int) * (size_t)remote);
  for (int i = 0; i < 8; ++i)
    in[i] = 10 * me + i;
  OP(Allgather, Iallgather, in, mine, MPI_INT, out, theirs, MPI_INT);
  for (int i = 0; i < theirs * remote; ++i)
    expect("allgather", out[i], 10 * (remoteFirst + i / theirs) + i % theirs);
  for (int i = 0; i < remote; ++i)
    counts[i] = i % 4, places[i] = 5 * i;
  memset(out, -1, sizeof(int) * (size_t)(8 * remote));
  OP(Allgatherv, Iallgatherv, in, rank % 4, MPI_INT, out, counts, places, MPI_INT);
  for (int i = 0; i < 5 * remote; ++i)
    expect("allgatherv", out[i], i % 5 < i / 5 % 4 ? 10 * (remoteFirst + i / 5) + i % 5 : -1);
  /* Only one group has something to say. */
  OP(Allgather, Iallgather, in, isLow ? 1 : 0, MPI_INT, out, isLow ? 0 : 1, MPI_INT);
  if (!isLow)
    expect("allgather of one group", out[remote - 1], 10 * (remoteFirst + remote - 1));
  free(out), free(counts), free(places);
}

static void allreduces(MPI_Datatype pair, MPI_Op op) {
  unsigned in[2] = {(unsigned)me + 1, 31}, out[2] = {0, 0};
  OP(Allreduce, Iallreduce, in, out, 1, pair, op);
  expect("allreduce", out[0], chained(remoteFirst, remote));
}

static void reduceScatters(void) {
  const int total = 2 * local * remote, share = total / local;
  int *in = malloc(sizeof(int) * (size_t)total), *out = malloc(sizeof(int) * (size_t)total);
  int *counts = malloc(sizeof(int) * (size_t)local), ranks = 0;
  for (int i = 0; i < total; ++i)
    in[i] = me * i;
  for (int r = 0; r < remote; ++r)
    ranks += remoteFirst + r;
  OP(Reduce_scatter_block, Ireduce_scatter_block, in, out, share, MPI_INT, MPI_SUM);
  for (int i = 0; i < share; ++i)
    expect("reduce_scatter_block", out[i], ranks * (share * rank + i));
  for (int r = 0; r < local; ++r)
    counts[r] = r == 0 ? share + local - 1 : share - 1;
  OP(Reduce_scatter, Ireduce_scatter, in, out, counts, MPI_INT, MPI_SUM);
  const int begin = rank == 0 ? 0 : share + local - 1 + (rank - 1) * (share - 1);
  for (int i = 0; i < counts[rank]; ++i)
    expect("reduce_scatter", out[i], ranks * (begin + i));
  free(in), free(out), free(counts);
}

/* A rank r of one group sends (r + s) % 3 + 1 elements to rank s of the other. */
static void alltoalls(void) {
  const size_t n = (size_t)remote;
  int *in = malloc(16 * n), *out = malloc(16 * n), *counts = malloc(4 * n), *places = malloc(4 * n);
  MPI_Datatype *types = malloc(sizeof *types * n);
  for (int i = 0; i < 4 * remote; ++i)
    in[i] = 1000 * me + i;
  OP(Alltoall, Ialltoall, in, 2, MPI_INT, out, 2, MPI_INT);
  for (int i = 0; i < 2 * remote; ++i)
    expect("alltoall", out[i], 1000 * (remoteFirst + i / 2) + 2 * rank + i % 2);
  for (int i = 0; i < remote; ++i)
    counts[i] = (rank + i) % 3 + 1, places[i] = 4 * i;
  OP(Alltoallv, Ialltoallv, in, counts, places, MPI_INT, out, counts, places, MPI_INT);
  for (int i = 0; i < remote; ++i)
    expect("alltoallv", out[4 * i + counts[i] - 1],
           1000 * (remoteFirst + i) + 4 * rank + counts[i] - 1);
  memset(out, -1, 16 * n);
  for (int i = 0; i < remote; ++i)
    places[i] *= (int)sizeof(int), types[i] = MPI_INT;
  OP(Alltoallw, Ialltoallw, in, counts, places, types, out, counts, places, types);
  for (int i = 0; i < remote; ++i)
    expect("alltoallw", out[4 * i + counts[i] - 1],
           1000 * (remoteFirst + i) + 4 * rank + counts[i] - 1);
  free(in), free(out), free(counts), free(places), free(types);
}

/* Several operations under way, completed in the other order. */
static void overlapping(void) {
  MPI_Request requests[3];
  int mine = me, sum = -1, largest = -1;
  MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter, &requests[0]);
  MPI_Ibarrier(inter, &requests[1]);
  MPI_Iallreduce(&mine, &largest, 1, MPI_INT, MPI_MAX, inter, &requests[2]);
  for (int i = 2; i >= 0; --i)
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  expect("overlapping sum", sum, (2 * remoteFirst + remote - 1) * remote / 2);
  expect("overlapping maximum", largest, remoteFirst + remote - 1);
}

static int classOf(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}

static void errors(void) {
  int a = 1, b;
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  expect("scan", classOf(MPI_Scan(&a, &b, 1, MPI_INT, MPI_SUM, inter)), MPI_ERR_COMM);
  expect("iscan", classOf(MPI_Iscan(&a, &b, 1, MPI_INT, MPI_SUM, inter, &request)), MPI_ERR_COMM);
  expect("exscan", classOf(MPI_Exscan(&a, &b, 1, MPI_INT, MPI_SUM, inter)), MPI_ERR_COMM);
  expect("in place", classOf(MPI_Allreduce(MPI_IN_PLACE, &b, 1, MPI_INT, MPI_SUM, inter)),
         MPI_ERR_BUFFER);
  expect("iexscan", classOf(MPI_Iexscan(&a, &b, 1, MPI_INT, MPI_SUM, inter, &request)),
         MPI_ERR_COMM);
  expect("scan_init",
         classOf(MPI_Scan_init(&a, &b, 1, MPI_INT, MPI_SUM, inter, MPI_INFO_NULL, &request)),
         MPI_ERR_COMM);
  /* Where data moves MPI_IN_PLACE has no meaning either. */
  if (!isLow) {
    expect("reduce in place", classOf(MPI_Reduce(MPI_IN_PLACE, &b, 1, MPI_INT, MPI_SUM, 0, inter)),
           MPI_ERR_BUFFER);
    expect("gather in place",
           classOf(MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, &b, 1, MPI_INT, 0, inter)), MPI_ERR_BUFFER);
    expect("scatter in place",
           classOf(MPI_Scatter(&a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, inter)),
           MPI_ERR_BUFFER);
  }
  expect("root", classOf(MPI_Bcast(&a, 1, MPI_INT, remote, inter)), MPI_ERR_ROOT);
  expect("dest", classOf(MPI_Send(&a, 1, MPI_INT, remote, 0, inter)), MPI_ERR_RANK);
  expect("root within", classOf(MPI_Bcast(&a, 1, MPI_INT, MPI_ROOT, MPI_COMM_SELF)), MPI_ERR_ROOT);
}

/* Of a root's group the others move nothing: neither ops nor MPI_IN_PLACE mean anything there. */
static void bystanders(void) {
  double a = 1, b = 2;
  for (int form = 0; form < 3; ++form) {
    const int root = isLow ? rank == 0 ? MPI_ROOT : MPI_PROC_NULL : 0;
    const MPI_Op op = root == MPI_PROC_NULL ? MPI_BAND : MPI_SUM;
    const void *const from = root == MPI_PROC_NULL ? MPI_IN_PLACE : &a;
    void *const to = root == MPI_PROC_NULL ? MPI_IN_PLACE : &b;
    int codes[3] = {0};
    if (form == 0) {
      codes[0] = MPI_Reduce(from, &b, 1, MPI_DOUBLE, op, root, inter);
    } else {
      codes[0] = form == 1 ? MPI_Ireduce(from, &b, 1, MPI_DOUBLE, op, root, inter, &request)
                           : MPI_Reduce_init(from, &b, 1, MPI_DOUBLE, op, root, inter,
                                             MPI_INFO_NULL, &request);
      if (form == 2)
        MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (form == 2)
        MPI_Request_free(&request);
    }
    expect("bystander's op", codes[0], MPI_SUCCESS);
    if (root == MPI_ROOT)
      expect("sum", (long)b, remote);
    double *all = malloc(sizeof *all * (size_t)remote);
    codes[1] = MPI_Gather(from, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, root, inter);
    for (int i = 0; i < remote; ++i)
      all[i] = i;
    codes[2] = MPI_Scatter(all, 1, MPI_DOUBLE, to, 1, MPI_DOUBLE, root, inter);
    expect("bystander's gather", codes[1], MPI_SUCCESS);
    expect("bystander's scatter", codes[2], MPI_SUCCESS);
    free(all);
  }
}

int main(int argc, char **argv) {
  int size, total;
  MPI_Comm part;
  MPI_Datatype pair;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const int low = size / 3 > 0 ? size / 3 : 1;
  isLow = me < low, first = isLow ? 0 : low, remoteFirst = isLow ? low : 0;
  MPI_Comm_split(MPI_COMM_WORLD, isLow, 0, &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, remoteFirst, 3, &inter);
  MPI_Comm_rank(inter, &rank);
  MPI_Comm_size(inter, &local);
  MPI_Comm_remote_size(inter, &remote);
  expect("rank", rank, me - first);
  expect("sizes", local + remote, size);
  MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(chain, 0, &op);
  for (nonblocking = 0; nonblocking < 2; ++nonblocking) {
    barrier();
    for (int side = 0; side < 2; ++side)
      for (int r = 0; r < sizeOf(side); ++r)
        bcasts(side, r), reduces(side, r, pair, op), gathers(side, r), scatters(side, r);
    allgathers(), allreduces(pair, op), reduceScatters(), alltoalls();
  }
  overlapping(), bystanders(), errors();
  MPI_Type_free(&pair), MPI_Op_free(&op), MPI_Comm_free(&part), MPI_Comm_free(&inter);
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0)
    printf(total ? "FAILED: %d\n" : "PASSED\n", total);
  MPI_Finalize();
  return 0;
}
