/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: graphs and distributed graphs give back what made them, in order, with weights, to
   duplicates too; wrong descriptions raise the right error class; PMPI names work. */
#include "check.h"
#include <stdlib.h>

/* A star: rank 0 is everybody's neighbour. */
static void star(void) {
  const int nodes = size - 1;
  int *index = malloc(sizeof(int) * size), *edges = malloc(sizeof(int) * 2 * size);
  int count = 0;
  for (int r = 1; r < nodes; ++r)
    edges[count++] = r;
  index[0] = count;
  for (int r = 1; r < nodes; ++r) {
    edges[count++] = 0;
    index[r] = count;
  }
  int place;
  MPI_Graph_map(MPI_COMM_WORLD, nodes, index, edges, &place);
  CHECK(place == (rank < nodes ? rank : MPI_UNDEFINED));
  MPI_Comm graph, copy;
  MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 1, &graph);
  CHECK((graph == MPI_COMM_NULL) == (rank >= nodes));
  if (graph != MPI_COMM_NULL) {
    MPI_Comm_dup(graph, &copy);
    int kind, n, e, degree, neighbors[64], indices[64], all[128];
    MPI_Topo_test(copy, &kind);
    CHECK(kind == MPI_GRAPH);
    PMPI_Graphdims_get(copy, &n, &e);
    CHECK(n == nodes && e == count);
    MPI_Graph_get(copy, 64, 128, indices, all);
    for (int i = 0; i < nodes; ++i)
      CHECK(indices[i] == index[i]);
    for (int i = 0; i < count; ++i)
      CHECK(all[i] == edges[i]);
    MPI_Graph_neighbors_count(copy, 0, &degree);
    CHECK(degree == nodes - 1);
    MPI_Graph_neighbors(copy, 0, degree, neighbors);
    for (int i = 0; i < degree; ++i)
      CHECK(neighbors[i] == i + 1);
    MPI_Graph_neighbors_count(copy, nodes - 1, &degree);
    CHECK(degree == 1);
    MPI_Graph_neighbors(copy, nodes - 1, 1, neighbors);
    CHECK(neighbors[0] == 0);
    CHECK_CLASS(MPI_Graph_neighbors(copy, 0, 0, neighbors), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Graph_neighbors(copy, nodes, 64, neighbors), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Graph_get(copy, nodes - 1, 128, indices, all), MPI_ERR_ARG);
    CHECK_CLASS(MPI_Graph_get(copy, 64, count - 1, indices, all), MPI_ERR_ARG);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&graph);
  }
  MPI_Graph_create(MPI_COMM_WORLD, 0, index, edges, 0, &graph);
  CHECK(graph == MPI_COMM_NULL);
  edges[0] = nodes;
  CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 0, &graph), MPI_ERR_ARG);
  edges[0] = 1;
  index[1] = index[0] - 1;
  CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 0, &graph), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, -1, index, edges, 0, &graph), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Graph_map(MPI_COMM_WORLD, size + 1, index, edges, &place), MPI_ERR_ARG);
  free(index);
  free(edges);
}

/* Rank r receives from r - 1 and r - 2, and sends to r + 1 and r + 2, with weights that name the
 * edge. */
static int before(int distance) { return (rank - distance + size) % size; }
static int after(int distance) { return (rank + distance) % size; }

static void check_ring(MPI_Comm comm, int weighted_expected) {
  int kind, in, out, weighted, from[2], to[2], in_weights[2] = {-7, -7}, out_weights[2] = {-7, -7};
  MPI_Topo_test(comm, &kind);
  CHECK(kind == MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  CHECK(in == 2 && out == 2 && !weighted == !weighted_expected);
  MPI_Dist_graph_neighbors(comm, 2, from, in_weights, 2, to, out_weights);
  for (int k = 0; k < 2; ++k) {
    CHECK(from[k] == before(1) || from[k] == before(2));
    CHECK(to[k] == after(1) || to[k] == after(2));
    CHECK(in_weights[k] == (weighted_expected ? 100 * from[k] + rank : -7));
    CHECK(out_weights[k] == (weighted_expected ? 100 * rank + to[k] : -7));
  }
  CHECK(from[0] != from[1] && to[0] != to[1]);
  int first = -1;
  MPI_Dist_graph_neighbors(comm, 1, &first, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED);
  CHECK(first == from[0]);
}

static void adjacent(void) {
  int from[2] = {before(2), before(1)}, to[2] = {after(1), after(2)}, in[2], out[2];
  for (int k = 0; k < 2; ++k) {
    in[k] = 100 * from[k] + rank;
    out[k] = 100 * rank + to[k];
  }
  MPI_Comm comm, copy;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, in, 2, to, out, MPI_INFO_NULL, 0, &comm);
  check_ring(comm, 1);
  int got[2];
  MPI_Dist_graph_neighbors(comm, 2, got, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED);
  CHECK(got[0] == from[0] && got[1] == from[1]); /* in the order in which they were given */
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_free(&comm);
  check_ring(copy, 1);
  MPI_Comm_free(&copy);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm);
  check_ring(comm, 0);
  MPI_Comm_free(&comm);
  /* Nobody knows anybody. */
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL,
                                 MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &comm);
  int in_degree, out_degree, weighted;
  MPI_Dist_graph_neighbors_count(comm, &in_degree, &out_degree, &weighted);
  CHECK(in_degree == 0 && out_degree == 0 && weighted);
  MPI_Comm_free(&comm);
  CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, -1, from, in, 2, to, out,
                                             MPI_INFO_NULL, 0, &comm),
              MPI_ERR_ARG);
  CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, out,
                                             MPI_INFO_NULL, 0, &comm),
              MPI_ERR_ARG);
  CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_WEIGHTS_EMPTY, 2, to, out,
                                             MPI_INFO_NULL, 0, &comm),
              MPI_ERR_ARG);
  to[1] = size;
  CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, in, 2, to, out, MPI_INFO_NULL,
                                             0, &comm),
              MPI_ERR_RANK);
}

/* The same graph, told by others than those whom it concerns: each rank names the edges of the rank
 * half way round. */
static void general(void) {
  int source = after(size / 2), degree = 2, to[2], weights[2];
  for (int k = 0; k < 2; ++k) {
    to[k] = (source + k + 1) % size;
    weights[k] = 100 * source + to[k];
  }
  MPI_Comm comm;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, to, weights, MPI_INFO_NULL, 1, &comm);
  check_ring(comm, 1);
  MPI_Comm_free(&comm);
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
                        &comm);
  check_ring(comm, 0);
  MPI_Comm_free(&comm);
  /* One rank names the whole graph: a double edge from each rank to itself, one edge from all to
   * rank 1. */
  int n = 0, *sources = malloc(sizeof(int) * size), *degrees = malloc(sizeof(int) * size),
      *ends = malloc(sizeof(int) * 3 * size);
  for (int r = 0; rank == size - 1 && r < size; ++r) {
    sources[n] = r;
    degrees[n] = 3;
    ends[3 * n] = ends[3 * n + 1] = r;
    ends[3 * n + 2] = 1;
    ++n;
  }
  MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, ends, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                        &comm);
  int in_degree, out_degree, weighted;
  MPI_Dist_graph_neighbors_count(comm, &in_degree, &out_degree, &weighted);
  CHECK(in_degree == (rank == 1 ? 2 + size : 2) && out_degree == 3 && !weighted);
  MPI_Comm_free(&comm);
  free(sources);
  free(degrees);
  free(ends);
  /* An empty graph, and wrong ones. */
  MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
                        &comm);
  MPI_Dist_graph_neighbors_count(comm, &in_degree, &out_degree, &weighted);
  CHECK(in_degree == 0 && out_degree == 0 && weighted);
  MPI_Comm_free(&comm);
  CHECK_CLASS(MPI_Dist_graph_create(MPI_COMM_WORLD, -1, &source, &degree, to, weights,
                                    MPI_INFO_NULL, 0, &comm),
              MPI_ERR_ARG);
  source = size;
  CHECK_CLASS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, to, weights, MPI_INFO_NULL,
                                    0, &comm),
              MPI_ERR_RANK);
  source = 0;
  weights[1] = -1;
  CHECK_CLASS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, to, weights, MPI_INFO_NULL,
                                    0, &comm),
              MPI_ERR_ARG);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  star();
  adjacent();
  general();
  int number;
  CHECK_CLASS(MPI_Graphdims_get(MPI_COMM_WORLD, &number, &number), MPI_ERR_TOPOLOGY);
  CHECK_CLASS(MPI_Graph_neighbors_count(MPI_COMM_WORLD, 0, &number), MPI_ERR_TOPOLOGY);
  CHECK_CLASS(MPI_Dist_graph_neighbors_count(MPI_COMM_WORLD, &number, &number, &number),
              MPI_ERR_TOPOLOGY);
  CHECK_CLASS(MPI_Graphdims_get(MPI_COMM_NULL, &number, &number), MPI_ERR_COMM);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    puts("graphs: PASSED");
  MPI_Finalize();
  return 0;
}
