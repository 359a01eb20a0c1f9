/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Groups that connect through a port, and ranks that two others start: rank 0 two, and the last one
 * three on a host of their own. Which of these is first depends on how long they compute before. */
#include <mpi.h>
#include <string.h>

static char bytes[100000];
static volatile double sink;

static void compute(int amount) {
  double sum = 0;
  for (int i = 0; i < amount; ++i)
    sum += 1.0 / (i + 1);
  sink = sum;
}

static int child(MPI_Comm parent) {
  int rank, size, high = 1;
  MPI_Comm all, half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Bcast(bytes, 5000, MPI_BYTE, 0, MPI_COMM_WORLD);
  compute(1000 * (rank + 1));
  MPI_Intercomm_merge(parent, high, &all);
  MPI_Group group, most;
  MPI_Comm_group(all, &group);
  int last = 0;
  MPI_Group_excl(group, 1, &last, &most); /* who started us stays outside */
  MPI_Comm_create_group(all, most, 7, &half);
  MPI_Allreduce(MPI_IN_PLACE, bytes, 1000 * size, MPI_BYTE, MPI_BOR, half);
  MPI_Send(bytes, 3000 + rank, MPI_BYTE, 0, 5, all);
  MPI_Group_free(&group);
  MPI_Group_free(&most);
  MPI_Comm_free(&half);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&parent);
  MPI_Finalize();
  return 0;
}

static void start(char *program, int ranks, const char *host) {
  MPI_Comm children, all;
  MPI_Info info;
  MPI_Info_create(&info);
  if (host)
    MPI_Info_set(info, "host", host);
  MPI_Comm_spawn(program, MPI_ARGV_NULL, ranks, info, 0, MPI_COMM_SELF, &children,
                 MPI_ERRCODES_IGNORE);
  MPI_Info_free(&info);
  MPI_Intercomm_merge(children, 0, &all);
  for (int i = 0; i < ranks; ++i)
    MPI_Recv(bytes, sizeof bytes, MPI_BYTE, MPI_ANY_SOURCE, 5, all, MPI_STATUS_IGNORE);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&children);
}

static void connect(int rank, int size) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm half, other;
  MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, 0, &half);
  if (rank == 0)
    MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank < size / 2)
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &other);
  else
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &other);
  MPI_Allgather(bytes, 800, MPI_BYTE, bytes + 50000, 800, MPI_BYTE, other);
  MPI_Comm_disconnect(&other);
  MPI_Comm_free(&half);
  if (rank == 0)
    MPI_Close_port(port);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Comm parent;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL)
    return child(parent);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  connect(rank, size);
  if (rank == 0) {
    compute(20000);
    start(argv[0], 2, NULL);
  }
  if (rank == size - 1) {
    MPI_Send(bytes, sizeof bytes, MPI_BYTE, size - 2, 1, MPI_COMM_WORLD);
    start(argv[0], 3, argc > 1 ? argv[1] : NULL);
  }
  if (rank == size - 2)
    MPI_Recv(bytes, sizeof bytes, MPI_BYTE, size - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
