/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * patterns NAME BYTES…: communication patterns written out in point-to-point, so that two
 * simulators that run them differ in the network and the protocol only. For each size every rank
 * prints how long the pattern took it. `patterns pingpong,scatter 1 100` runs two patterns;
 * `patterns barrier,scatter 100` starts the clocks after an MPI_Barrier, as other programs do. */
#include "patterns.h"

#include <unistd.h>

int rank, size;
char *out, *in;
static int useBarrier;

/* Ranks 0 and 1, the others watch. The second round trip is told on its own, because the first
 * begins when either rank is ready, which the messages before decide. */
static void pingpong(long bytes) {
  double second = MPI_Wtime();
  for (int i = 0; i < 2 && rank < 2; ++i) {
    second = MPI_Wtime();
    if (rank == 0) {
      send(bytes, 1);
      receive(bytes, 1);
    } else {
      receive(bytes, 0);
      send(bytes, 0);
    }
  }
  report("pingpong.round", bytes, MPI_Wtime() - second);
}

/* From rank 0 by a binomial tree; `bytes` for each rank. */
static void scatter_in_order(long bytes, int largestFirst) {
  int mask = 1;
  while (mask < size && !(rank & mask))
    mask <<= 1;
  int mine = rank + mask > size ? size - rank : mask; /* my subtree: rank … rank + mine - 1 */
  if (rank)
    receive(mine * bytes, rank - mask);
  for (int half = largestFirst ? mask >> 1 : 1; half && half < mask;
       half = largestFirst ? half >> 1 : half << 1)
    if (half < mine)
      send((mine - half < half ? mine - half : half) * bytes, rank + half);
}

/* As Open MPI and MPICH do. */
static void scatter(long bytes) { scatter_in_order(bytes, 1); }

/* As SMPI's ompi_binomial does. */
static void scatter_smallest_first(long bytes) { scatter_in_order(bytes, 0); }

static void exchange(long bytes, int to, int from) {
  MPI_Sendrecv(out, (int)bytes, MPI_BYTE, to, 0, in, (int)bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

/* With rank xor step; for powers of two. */
static void alltoall_pair(long bytes) {
  for (int step = 1; step < size; ++step)
    exchange(bytes, rank ^ step, rank ^ step);
}

static void alltoall_ring(long bytes) {
  for (int step = 1; step < size; ++step)
    exchange(bytes, (rank + step) % size, (rank - step + size) % size);
}

/* All at once. */
static void alltoall_flood(long bytes) {
  MPI_Request *requests = malloc(2 * (size_t)size * sizeof *requests);
  int count = 0;
  for (int step = 1; step < size; ++step)
    MPI_Irecv(in, (int)bytes, MPI_BYTE, (rank - step + size) % size, 0, MPI_COMM_WORLD,
              &requests[count++]);
  for (int step = 1; step < size; ++step)
    MPI_Isend(out, (int)bytes, MPI_BYTE, (rank + step) % size, 0, MPI_COMM_WORLD,
              &requests[count++]);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  free(requests);
}

/* Everybody sends to rank 0, which takes what comes. */
static void incast(long bytes) {
  if (rank)
    send(bytes, 0);
  else
    for (int i = 1; i < size; ++i)
      receive(bytes, MPI_ANY_SOURCE);
}

/* Everybody sends to rank 0, which takes them in the order of ranks, the last first. */
static void incast_ordered(long bytes) {
  if (rank)
    send(bytes, 0);
  else
    for (int i = size - 1; i > 0; --i)
      receive(bytes, i);
}

/* Neighbours first, then halves. */
static void sendrecv(long bytes) {
  for (int mask = 1; mask < size; mask <<= 1)
    exchange(bytes, rank ^ mask, rank ^ mask);
}

/* The first half of the ranks to the second, pair by pair. */
static void stream(long bytes) {
  int half = size / 2;
  if (rank < half)
    send(bytes, rank + half);
  else if (rank < 2 * half)
    receive(bytes, rank - half);
}

/* The same, both ways at once. */
static void duplex(long bytes) {
  int other = (rank + size / 2) % size;
  exchange(bytes, other, other);
}

/* A shift round the ring, posted, then work, then waited for. */
static void overlap(long bytes) {
  MPI_Request requests[2];
  MPI_Irecv(in, (int)bytes, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, (int)bytes, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
  usleep(100 * (unsigned)(rank % 4));
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* Even ranks send at once, odd ones receive 2 ms late. */
static void late_receiver(long bytes) {
  if (rank % 2 == 0 && rank + 1 < size)
    send(bytes, rank + 1);
  if (rank % 2) {
    usleep(2000);
    receive(bytes, rank - 1);
  }
}

static void late_sender(long bytes) {
  if (rank % 2 == 0 && rank + 1 < size) {
    usleep(2000);
    send(bytes, rank + 1);
  }
  if (rank % 2)
    receive(bytes, rank - 1);
}

static void late_receiver_isend(long bytes) {
  MPI_Request request;
  if (rank % 2 == 0 && rank + 1 < size) {
    MPI_Isend(out, (int)bytes, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank % 2) {
    usleep(2000);
    MPI_Irecv(in, (int)bytes, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void synchronous(long bytes) {
  if (rank % 2 == 0 && rank + 1 < size)
    MPI_Ssend(out, (int)bytes, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
  if (rank % 2) {
    usleep(1000);
    receive(bytes, rank - 1);
  }
}

/* Two rounds of the same requests. */
static void persistent(long bytes) {
  MPI_Request requests[2];
  MPI_Recv_init(in, (int)bytes, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                &requests[0]);
  MPI_Send_init(out, (int)bytes, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

/* To oneself, by the host's way to itself. */
static void self(long bytes) {
  MPI_Request request;
  MPI_Irecv(in, (int)bytes, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &request);
  send(bytes, rank);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Rank 0 takes messages of different sizes in the order in which they are there, and says which. */
static void waitany(long bytes) {
  if (rank) {
    MPI_Request request;
    MPI_Isend(out, (int)(bytes / (1 + rank * 7 % size)), MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Request *requests = malloc((size_t)size * sizeof *requests);
  double start = MPI_Wtime();
  for (int i = 1; i < size; ++i)
    MPI_Irecv(in, (int)bytes, MPI_BYTE, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
  for (int i = 1; i < size; ++i) {
    int which = -1;
    MPI_Waitany(size - 1, requests, &which, MPI_STATUS_IGNORE);
    report("waitany.which", bytes * 100 + i, which);
    report("waitany.date", bytes * 100 + i, MPI_Wtime() - start);
  }
  free(requests);
}

/* Polls until the message is there; says how often. */
static void test(long bytes) {
  if (rank == 1) {
    usleep(1700);
    send(bytes, 0);
  } else if (rank == 0) {
    MPI_Request request;
    int done = 0, polls = 0;
    MPI_Irecv(in, (int)bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    for (; !done; ++polls)
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    report("test.polls", bytes, polls);
  }
}

static void iprobe(long bytes) {
  if (rank == 1) {
    usleep(1700);
    send(bytes, 0);
  } else if (rank == 0) {
    int there = 0, polls = 0;
    for (; !there; ++polls)
      MPI_Iprobe(1, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    receive(bytes, 1);
    report("iprobe.polls", bytes, polls);
  }
}

static const struct {
  const char *name;
  void (*run)(long bytes);
} patterns[] = {{"pingpong", pingpong},
                {"scatter", scatter},
                {"scatter_smallest_first", scatter_smallest_first},
                {"alltoall_pair", alltoall_pair},
                {"alltoall_ring", alltoall_ring},
                {"alltoall_flood", alltoall_flood},
                {"incast", incast},
                {"incast_ordered", incast_ordered},
                {"sendrecv", sendrecv},
                {"stream", stream},
                {"duplex", duplex},
                {"overlap", overlap},
                {"late_receiver", late_receiver},
                {"late_sender", late_sender},
                {"late_receiver_isend", late_receiver_isend},
                {"synchronous", synchronous},
                {"persistent", persistent},
                {"self", self},
                {"waitany", waitany},
                {"test", test},
                {"iprobe", iprobe}};

static void measure(const char *name, long bytes) {
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; ++i) {
    if (strcmp(patterns[i].name, name) != 0)
      continue;
    if (useBarrier)
      MPI_Barrier(MPI_COMM_WORLD);
    else
      assemble();
    double start = MPI_Wtime();
    patterns[i].run(bytes);
    report(name, bytes, MPI_Wtime() - start);
    return;
  }
  fprintf(stderr, "patterns: no pattern %s\n", name);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long most = 0;
  for (int i = 2; i < argc; ++i)
    most = atol(argv[i]) > most ? atol(argv[i]) : most;
  most *= strstr(argv[1], "scatter") ? size : 1;
  out = calloc(1, (size_t)most + 1);
  in = calloc(1, (size_t)most + 1);
  char *rest; /* not strtok: under SMPI the ranks would share its state */
  for (char *name = strtok_r(argv[1], ",", &rest); name; name = strtok_r(NULL, ",", &rest))
    if (strcmp(name, "barrier") == 0)
      useBarrier = 1;
    else
      for (int i = 2; i < argc; ++i)
        measure(name, atol(argv[i]));
  MPI_Finalize();
  return 0;
}
