/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: the five neighbourhood collectives, in their blocking, nonblocking and persistent forms,
   move the right block along each edge of grids (whose periodic dimensions of one and two ranks
   have one neighbour twice), graphs and distributed graphs; wrong arguments raise the right error
   class. */
#include "check.h"
#include <stdlib.h>

enum { Most = 64, Forms = 3, Starts = 3 };

/* What an edge carries in a round: named by the sending rank and its slot. */
static int word(int source, int slot, int round) { return (source * Most + slot) * 16 + round; }

/* A topology: whom this rank receives from, and which slot of the sender each block comes from. */
struct Edges {
  MPI_Comm comm;
  int in, out;
  int from[Most], slot[Most], to[Most];
};

static int count_of(int k) { return k % 3; } /* of the v-forms: none, one or two */

/* Runs the form of a call: blocking, nonblocking, or persistent with several starts. */
#define RUN(form, round, before, after, name, ...)                                                 \
  do {                                                                                             \
    MPI_Request request = MPI_REQUEST_NULL;                                                        \
    if ((form) == 2)                                                                               \
      MPI_Neighbor_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request);                            \
    for (int round = 0; round < Starts; ++round) {                                                 \
      before;                                                                                      \
      if ((form) == 0)                                                                             \
        MPI_Neighbor_##name(__VA_ARGS__);                                                          \
      else if ((form) == 1)                                                                        \
        PMPI_Ineighbor_##name(__VA_ARGS__, &request);                                              \
      else                                                                                         \
        MPI_Start(&request);                                                                       \
      if ((form) != 0)                                                                             \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
      CHECK((request == MPI_REQUEST_NULL) == ((form) != 2));                                       \
      after;                                                                                       \
    }                                                                                              \
    if ((form) == 2)                                                                               \
      MPI_Request_free(&request);                                                                  \
  } while (0)

static int sent[2 * Most], got[2 * Most];

static void clear(void) {
  for (int i = 0; i < 2 * Most; ++i)
    got[i] = -1;
}

static void gathers(const struct Edges *e, int form) {
  RUN(
      form, round, clear(); sent[0] = word(rank, 0, round);
      sent[1] = -sent[0],
      for (int k = 0; k < e->in; ++k) {
        const int expected = e->from[k] < 0 ? -1 : word(e->from[k], 0, round);
        CHECK(got[2 * k] == expected && got[2 * k + 1] == (e->from[k] < 0 ? -1 : -expected));
      } CHECK(got[2 * e->in] == -1),
      allgather, sent, 2, MPI_INT, got, 1, MPI_2INT, e->comm);
  /* All send two, everybody keeps room for two, placed backwards with a hole. */
  int counts[Most], at[Most];
  for (int k = 0; k < e->in; ++k) {
    counts[k] = 1;
    at[k] = 2 * (e->in - 1 - k);
  }
  RUN(
      form, round, clear();
      sent[0] = word(rank, 0, round),
      for (int k = 0; k < e->in; ++k) {
        CHECK(got[at[k]] == (e->from[k] < 0 ? -1 : word(e->from[k], 0, round)));
        CHECK(got[at[k] + 1] == -1);
      },
      allgatherv, sent, 1, MPI_INT, got, counts, at, MPI_INT, e->comm);
}

static void exchanges(const struct Edges *e, int form) {
  RUN(form, round, clear();
      for (int k = 0; k < e->out; ++k) sent[k] = word(rank, k, round),
      for (int k = 0; k < e->in; ++k)
          CHECK(got[k] == (e->from[k] < 0 ? -1 : word(e->from[k], e->slot[k], round)));
      CHECK(got[e->in] == -1), alltoall, sent, 1, MPI_INT, got, 1, MPI_INT, e->comm);
  int send_counts[Most], send_at[Most], counts[Most], at[Most];
  MPI_Aint send_bytes[Most], bytes[Most];
  MPI_Datatype send_types[Most], types[Most];
  for (int k = 0; k < e->out; ++k) {
    send_counts[k] = count_of(k);
    send_at[k] = 2 * (e->out - 1 - k);
    send_bytes[k] = send_at[k] * (MPI_Aint)sizeof(int);
    send_types[k] = MPI_INT;
  }
  for (int k = 0; k < e->in; ++k) {
    counts[k] = e->from[k] < 0 ? 1 : count_of(e->slot[k]);
    at[k] = 2 * k;
    bytes[k] = at[k] * (MPI_Aint)sizeof(int);
    MPI_Type_contiguous(1, MPI_INT, &types[k]);
    MPI_Type_commit(&types[k]);
  }
#define FILL                                                                                       \
  clear();                                                                                         \
  for (int k = 0; k < e->out; ++k)                                                                 \
  sent[send_at[k]] = word(rank, k, round), sent[send_at[k] + 1] = -word(rank, k, round)
#define COMPARE                                                                                    \
  for (int k = 0; k < e->in; ++k) {                                                                \
    const int n = e->from[k] < 0 ? 0 : counts[k], expected = word(e->from[k], e->slot[k], round);  \
    CHECK(got[at[k]] == (n > 0 ? expected : -1) && got[at[k] + 1] == (n > 1 ? -expected : -1));    \
  }
  RUN(form, round, FILL, COMPARE, alltoallv, sent, send_counts, send_at, MPI_INT, got, counts, at,
      MPI_INT, e->comm);
  RUN(form, round, FILL, COMPARE, alltoallw, sent, send_counts, send_bytes, send_types, got, counts,
      bytes, types, e->comm);
  for (int k = 0; k < e->in; ++k)
    MPI_Type_free(&types[k]);
}

static void all_forms(const struct Edges *e) {
  for (int form = 0; form < Forms; ++form) {
    gathers(e, form);
    exchanges(e, form);
  }
}

/* What a rank sends down (slot 2 d) comes from above (slot 2 d + 1) to whoever is there, and the
 * other way round. */
static void grid(int dimensions, const int *dims, const int *periods) {
  struct Edges e = {.in = 2 * dimensions, .out = 2 * dimensions};
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 0, &e.comm);
  if (e.comm == MPI_COMM_NULL)
    return;
  for (int d = 0; d < dimensions; ++d) {
    MPI_Cart_shift(e.comm, d, 1, &e.from[2 * d], &e.from[2 * d + 1]);
    e.slot[2 * d] = 2 * d + 1;
    e.slot[2 * d + 1] = 2 * d;
  }
  all_forms(&e);
  MPI_Comm_free(&e.comm);
}

/* A ring as a graph: the left neighbour first, then the right one. The left one's right neighbour
 * is this rank. */
static void graph(void) {
  int *index = malloc(sizeof(int) * size), *edges = malloc(sizeof(int) * 2 * size);
  for (int r = 0; r < size; ++r) {
    index[r] = 2 * r + 2;
    edges[2 * r] = (r + size - 1) % size;
    edges[2 * r + 1] = (r + 1) % size;
  }
  struct Edges e = {
      .in = 2, .out = 2, .from = {edges[2 * rank], edges[2 * rank + 1]}, .slot = {1, 0}};
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &e.comm);
  all_forms(&e);
  MPI_Comm_free(&e.comm);
  free(index);
  free(edges);
}

/* Rank r sends to r + 1 twice and to r + 2; the source of each block is found by the order of
   edges. Rank 0 has an edge to itself besides. */
static void distributed(void) {
  const int one = (rank + size - 1) % size, two = (rank + size - 2) % size, alone = rank == 0;
  struct Edges e = {.in = 3 + alone,
                    .out = 3 + alone,
                    .from = {two, one, one, 0},
                    .slot = {1, 0, 2, 3},
                    .to = {(rank + 1) % size, (rank + 2) % size, (rank + 1) % size, 0}};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, e.in, e.from, MPI_UNWEIGHTED, e.out, e.to,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &e.comm);
  all_forms(&e);
  /* The large-count forms pass temporary arrays on. */
  MPI_Count counts[Most], here[Most];
  MPI_Aint at[Most];
  MPI_Request request;
  for (int k = 0; k < e.in; ++k)
    counts[k] = 1, here[k] = 1, at[k] = 2 * k, sent[2 * k] = word(rank, k, 0);
  clear();
  MPI_Ineighbor_alltoallv_c(sent, counts, at, MPI_INT, got, here, at, MPI_INT, e.comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int k = 0; k < e.in; ++k)
    CHECK(got[2 * k] == word(e.from[k], e.slot[k], 0));
  MPI_Comm_free(&e.comm);
}

/* One way only: rank 0 sends to all others and hears of nobody. */
static void outward(void) {
  struct Edges e = {
      .in = rank > 0, .out = rank > 0 ? 0 : size - 1, .from = {0}, .slot = {rank - 1}};
  for (int k = 0; k < e.out; ++k)
    e.to[k] = k + 1;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, e.in, e.from, MPI_UNWEIGHTED, e.out, e.to,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &e.comm);
  all_forms(&e);
  MPI_Comm_free(&e.comm);
}

static void errors(void) {
  int zero[2] = {0, 0}, wrong[2] = {0, -1}, dims[1] = {size}, periods[1] = {1};
  MPI_Request request;
  MPI_Comm line;
  CHECK(class_of(MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD)) ==
        MPI_ERR_TOPOLOGY);
  CHECK(class_of(MPI_Ineighbor_allgather(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD,
                                         &request)) == MPI_ERR_TOPOLOGY);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  CHECK(class_of(MPI_Neighbor_allgather(sent, -1, MPI_INT, got, 1, MPI_INT, line)) ==
        MPI_ERR_COUNT);
  CHECK(class_of(MPI_Neighbor_allgather(sent, 1, MPI_DATATYPE_NULL, got, 1, MPI_INT, line)) ==
        MPI_ERR_TYPE);
  CHECK(class_of(MPI_Neighbor_alltoallv(sent, zero, zero, MPI_INT, got, wrong, zero, MPI_INT,
                                        line)) == MPI_ERR_COUNT);
  CHECK(class_of(MPI_Neighbor_alltoallv(sent, NULL, zero, MPI_INT, got, zero, zero, MPI_INT,
                                        line)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_NULL)) ==
        MPI_ERR_COMM);
  MPI_Comm_free(&line);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  grid(1, (int[]){size}, (int[]){0});
  grid(1, (int[]){size}, (int[]){1});
  grid(2, (int[]){2, size / 2}, (int[]){1, 0});
  grid(3, (int[]){2, 1, size / 2}, (int[]){1, 1, 1});
  grid(1, (int[]){1}, (int[]){1});
  graph();
  distributed();
  outward();
  errors();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    puts("neighbours: PASSED");
  MPI_Finalize();
  return 0;
}
