/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which ranks take part in what, and how the others learn what the root wants done. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

const char *const nodeNames[Nodes] = {"inter", "intra"};
const int widths[Widths] = {2, 4, 8};
struct group groups[Nodes];
double clockSeconds;

static int worldRank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void toRoot(MPI_Comm comm, int size, const double *mine, int number, double *all) {
  int rank = -1;
  if (comm != MPI_COMM_NULL) {
    MPI_Comm_rank(comm, &rank);
    double *gathered =
        rank == 0 ? allocated((size_t)size * (size_t)number * sizeof *gathered) : NULL;
    MPI_Gather(mine, number, MPI_DOUBLE, gathered, number, MPI_DOUBLE, 0, comm);
    if (rank == 0 && worldRank() == 0)
      memcpy(all, gathered, (size_t)size * (size_t)number * sizeof *gathered);
    else if (rank == 0)
      MPI_Send(gathered, size * number, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    free(gathered);
    if (worldRank() != 0 || rank == 0)
      return;
  }
  MPI_Recv(all, size * number, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Whether this rank takes no part in a transfer to the root. */
static int isOutside(MPI_Comm comm) { return comm == MPI_COMM_NULL && worldRank() != 0; }

/* The group of the ranks that are members. */
static void makeGroup(struct group *group, int size, int isMember) {
  group->size = size >= 2 ? size : 0;
  group->all = MPI_COMM_NULL;
  for (int w = 0; w < Widths; ++w)
    group->first[w] = MPI_COMM_NULL;
  if (group->size == 0)
    return;
  MPI_Comm_split(MPI_COMM_WORLD, isMember ? 0 : MPI_UNDEFINED, worldRank(), &group->all);
  int rank = -1;
  for (int w = 0; isMember && w < Widths; ++w) {
    MPI_Comm_rank(group->all, &rank);
    if (widths[w] <= size)
      MPI_Comm_split(group->all, rank < widths[w] ? 0 : MPI_UNDEFINED, rank, &group->first[w]);
  }
  const double me = worldRank();
  if (isOutside(group->all))
    return;
  double *ranks = allocated((size_t)size * sizeof *ranks);
  toRoot(group->all, size, &me, 1, ranks);
  group->ranks = allocated((size_t)size * sizeof *group->ranks);
  for (int i = 0; worldRank() == 0 && i < size; ++i)
    group->ranks[i] = (int)ranks[i];
  free(ranks);
}

/* Between hosts: the first rank of each. Within one: those of the host that has most, the first of
 * several. */
void makeGroups(void) {
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, worldRank(), MPI_INFO_NULL, &host);
  int rank, leader = worldRank();
  struct {
    int size, leader;
  } mine, largest;
  MPI_Comm_rank(host, &rank);
  MPI_Comm_size(host, &mine.size);
  MPI_Bcast(&leader, 1, MPI_INT, 0, host);
  mine.leader = leader;
  MPI_Allreduce(&mine, &largest, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  int isLeader = rank == 0, hosts;
  MPI_Allreduce(&isLeader, &hosts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  makeGroup(&groups[Inter], hosts, isLeader);
  makeGroup(&groups[Intra], largest.size, leader == largest.leader);
  MPI_Comm_free(&host);

  enum { Readings = 1000 };
  const double since = MPI_Wtime();
  for (int i = 1; i < Readings; ++i)
    MPI_Wtime();
  clockSeconds = (MPI_Wtime() - since) / Readings;
}

void freeGroups(void) {
  for (int node = 0; node < Nodes; ++node) {
    for (int w = 0; w < Widths; ++w)
      if (groups[node].size > 0 && groups[node].first[w] != MPI_COMM_NULL)
        MPI_Comm_free(&groups[node].first[w]);
    if (groups[node].size > 0 && groups[node].all != MPI_COMM_NULL)
      MPI_Comm_free(&groups[node].all);
    free(groups[node].ranks);
  }
}

/* The repetitions of one order on a participant. */
static struct sample *repeat(const struct order *order, MPI_Comm comm) {
  struct sample *samples = allocated((size_t)order->repetitions * sizeof *samples);
  for (long i = order->warm ? -1 : 0; i < order->repetitions; ++i) {
    struct block block = {.comm = comm, .bytes = order->bytes, .rounds = order->rounds};
    block.sample = (struct sample){{-1, -1}, {0, 0}};
    MPI_Comm_rank(comm, &block.me);
    MPI_Comm_size(comm, &block.size);
    experiments[order->experiment].run(&block);
    if (i >= 0)
      samples[i] = block.sample;
  }
  return samples;
}

/* By repetition and participant, from what came by participant and repetition. */
static struct sample *transposed(struct sample *samples, int participants, long repetitions) {
  struct sample *result = allocated((size_t)(participants * repetitions) * sizeof *result);
  for (int p = 0; p < participants; ++p)
    for (long r = 0; r < repetitions; ++r)
      result[r * participants + p] = samples[p * repetitions + r];
  free(samples);
  return result;
}

static struct sample *carryOut(const struct order *order) {
  MPI_Comm comm = groups[order->node].first[order->width];
  const int participants = widths[order->width];
  const long repetitions = order->kind == ProbeEager ? 1 : order->repetitions;
  if (isOutside(comm))
    return NULL;
  struct sample *mine = NULL, *all = NULL;
  if (comm != MPI_COMM_NULL && order->kind == Measure)
    mine = repeat(order, comm);
  else if (comm != MPI_COMM_NULL) {
    mine = allocated(sizeof *mine);
    *mine = probeEager(comm, order->bytes, order->delaySeconds, (enum limit)order->rounds);
  }
  const int doubles = (int)(repetitions * (long)(sizeof *mine / sizeof(double)));
  if (worldRank() == 0)
    all = allocated((size_t)participants * (size_t)repetitions * sizeof *all);
  toRoot(comm, participants, (double *)mine, doubles, (double *)all);
  free(mine);
  return all ? transposed(all, participants, repetitions) : NULL;
}

struct sample *give(struct order order) {
  MPI_Bcast(&order, sizeof order, MPI_BYTE, 0, MPI_COMM_WORLD);
  return order.kind == Stop ? NULL : carryOut(&order);
}

void obey(void) {
  for (;;) {
    struct order order;
    MPI_Bcast(&order, sizeof order, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (order.kind == Stop)
      return;
    free(carryOut(&order));
  }
}
