/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: ranks that talk over the system's sockets and pipes wait for each other as ranks, not as
 * the process: accept, recv, read, and send and write of more than there is room for. Host names
 * are this machine's, waiting takes no simulated time, MPI_Comm_join joins what is connected. */
#define _GNU_SOURCE
#include <mpi.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { Much = 4 << 20 };
static int rank, failures;
#define CHECK(x)                                                                                   \
  ((x) ? 0 : (++failures, printf("rank %d WRONG: %s (line %d)\n", rank, #x, __LINE__)))

/* Rank 1 listens, rank 0 finds it by its host's name. */
static int connected(void) {
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int port = 0, length, one;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
  socklen_t bytes = sizeof address;
  if (rank == 1) {
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listening, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK(listen(listening, 5) == 0);
    CHECK(getsockname(listening, (struct sockaddr *)&address, &bytes) == 0);
    port = ntohs(address.sin_port);
    MPI_Get_processor_name(host, &length);
    MPI_Send(host, sizeof host, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    MPI_Send(&port, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    const int found = accept(listening, NULL, NULL);
    CHECK(found >= 0);
    close(listening);
    return found;
  }
  MPI_Recv(host, sizeof host, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&port, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const struct hostent *entry = gethostbyname(host);
  CHECK(entry != NULL);
  struct addrinfo *found = NULL;
  CHECK(getaddrinfo(host, NULL, NULL, &found) == 0 && found);
  freeaddrinfo(found);
  memcpy(&address.sin_addr, entry->h_addr_list[0], sizeof address.sin_addr);
  address.sin_port = htons(port);
  one = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(connect(one, (struct sockaddr *)&address, sizeof address) == 0);
  return one;
}

static void fill(char *data, int salt) {
  for (int i = 0; i < Much; ++i)
    data[i] = (char)(i * 7 + (i >> 12) + salt);
}

/* More than any buffer holds, both ways at once for none, one way at a time. */
static void talk(int fd) {
  char *mine = malloc(Much), *theirs = malloc(Much), *got = malloc(Much);
  fill(mine, rank);
  fill(theirs, 1 - rank);
  for (int turn = 0; turn < 2; ++turn) {
    if (turn == rank) {
      CHECK(send(fd, mine, Much, 0) == Much);
      CHECK(write(fd, mine, Much) == Much);
    } else {
      CHECK(recv(fd, got, Much, MSG_WAITALL) == Much);
      CHECK(memcmp(got, theirs, Much) == 0);
      memset(got, 0, Much);
      for (ssize_t at = 0, part; at < Much; at += part)
        if ((part = read(fd, got + at, Much - at)) <= 0) {
          CHECK(!"read");
          break;
        }
      CHECK(memcmp(got, theirs, Much) == 0);
    }
  }
  free(mine);
  free(theirs);
  free(got);
}

static void overPipe(void) {
  int ends[2] = {-1, -1}, fd[2];
  if (rank == 0)
    CHECK(pipe(ends) == 0);
  MPI_Bcast(ends, 2, MPI_INT, 0, MPI_COMM_WORLD); /* one process: the same descriptors */
  memcpy(fd, ends, sizeof fd);
  char *data = malloc(Much);
  if (rank == 0) {
    fill(data, 5);
    CHECK(write(fd[1], data, Much) == Much);
    close(fd[1]);
  } else {
    char *expected = malloc(Much);
    ssize_t at = 0, part;
    while ((part = read(fd[0], data + at, Much - at)) > 0)
      at += part;
    fill(expected, 5);
    CHECK(at == Much && memcmp(data, expected, Much) == 0);
    CHECK(read(fd[0], data, 1) == 0);
    free(expected);
  }
  free(data);
}

int main(int argc, char **argv) {
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) { /* a connection that nobody makes */
    struct sockaddr_in address = {.sin_family = AF_INET};
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    bind(listening, (struct sockaddr *)&address, sizeof address);
    listen(listening, 1);
    accept(listening, NULL, NULL);
  }
  const int fd = connected();
  talk(fd);
  overPipe();
  CHECK(MPI_Comm_join(fd, &other) == MPI_SUCCESS);
  int theirs = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &theirs, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
  CHECK(theirs == 1 - rank);
  MPI_Comm_disconnect(&other);
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sockets: %s\n", all ? "FAILED" : "PASSED");
  MPI_Finalize();
  return all != 0;
}
