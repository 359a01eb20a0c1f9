// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: calls on sockets and pipes give what the system's give: at once where the program asked
// for it, all or a part, with errno left alone; ranks that wait at several descriptors wake as data
// comes, also while another rank polls; numeric addresses stay what they are.
#define _GNU_SOURCE
#include "Check.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

enum { Much = 1 << 22 };
static int rank;
static char data[Much];

// Rank 0 makes two ends that all ranks have: one process, the same numbers.
static void both(int ends[2], int isPipe) {
  if (rank == 0)
    CHECK((isPipe ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) == 0);
  MPI_Bcast(ends, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

// All ranks are done with them.
static void closeBoth(int ends[2]) {
  others();
  if (rank == 0)
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
  others();
}

// Waits for a word of rank `from` as loops do that have something else to do.
static void awaitWord(int from) {
  for (int there = 0; !there;)
    MPI_Iprobe(from, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  MPI_Recv(NULL, 0, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void answer(void) { MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD); }

static void atOnce(void) {
  int ends[2];
  both(ends, 0);
  if (rank == 0) {
    const struct timeval soon = {0, 20000}, never = {0, 0}, second = {1, 0};
    char byte;
    errno = 0;
    CHECK(recv(ends[0], &byte, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    struct iovec place = {&byte, 1};
    struct msghdr message = {.msg_iov = &place, .msg_iovlen = 1};
    CHECK(recvmsg(ends[0], &message, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    CHECK(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon) == 0);
    CHECK(recv(ends[0], &byte, 1, 0) == -1 && errno == EAGAIN);
    CHECK(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second) == 0);
    CHECK(recv(ends[0], &byte, 1, 0) == -1 && errno == EAGAIN);
    CHECK(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &never, sizeof never) == 0);
    CHECK(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    CHECK(recv(ends[0], &byte, 1, 0) == -1 && errno == EAGAIN);
    // A part, and then nothing.
    const ssize_t part = send(ends[1], data, Much, 0);
    CHECK(part > 0 && part < Much);
    CHECK(send(ends[1], data, Much, 0) == -1 && errno == EAGAIN);
    CHECK(write(ends[1], data, Much) == -1 && errno == EAGAIN);
    CHECK(sendmsg(ends[1], &message, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    CHECK(recv(ends[0], data, Much, MSG_WAITALL | MSG_PEEK) > 0);
  }
  closeBoth(ends);
  both(ends, 1);
  if (rank == 0) {
    CHECK(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    const ssize_t part = write(ends[1], data, Much);
    CHECK(part > 0 && part < Much);
    CHECK(write(ends[1], data, Much) == -1 && errno == EAGAIN);
  }
  closeBoth(ends);
}

// Writes wait for room, however little they write; a reader gets what is left at the end.
static void full(void) {
  int ends[2];
  both(ends, 1);
  if (rank == 0) {
    CHECK(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    while (write(ends[1], data, 4096) > 0)
      ;
    CHECK(fcntl(ends[1], F_SETFL, 0) == 0);
    CHECK(write(ends[1], data, 1) == 1);
    MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    CHECK(read(ends[0], data, 65536) > 0);
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  closeBoth(ends);
  both(ends, 0);
  if (rank == 0) {
    CHECK(write(ends[0], data, Much) == Much); // more than such a socket holds
    CHECK(send(ends[0], "four", 4, 0) == 4);
    CHECK(shutdown(ends[0], SHUT_WR) == 0);
  } else if (rank == 1) {
    CHECK(recv(ends[1], data, Much, MSG_WAITALL) == Much);
    CHECK(recv(ends[1], data, 8, MSG_WAITALL) == 4 && memcmp(data, "four", 4) == 0);
    CHECK(recv(ends[1], data, 8, MSG_WAITALL) == 0);
  }
  closeBoth(ends);
}

// The rank that polls never waits at a descriptor; what it writes wakes those that do.
static void whilePolling(void) {
  int ends[2];
  both(ends, 0);
  for (int way = 0; way < 4; ++way) {
    struct iovec place = {data, 2 * 4096};
    struct msghdr message = {.msg_iov = &place, .msg_iovlen = 1};
    if (rank == 0) {
      MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK((way == 0   ? write(ends[0], data, 2 * 4096)
             : way == 1 ? send(ends[0], data, 2 * 4096, 0)
             : way == 2 ? sendto(ends[0], data, 2 * 4096, 0, NULL, 0)
                        : sendmsg(ends[0], &message, 0)) == 2 * 4096);
      awaitWord(1);
    } else if (rank == 1) {
      ssize_t got = 0;
      answer();
      errno = 77;
      while (got < 2 * 4096) {
        const ssize_t part = way == 0   ? read(ends[1], data, 2 * 4096)
                             : way == 1 ? recv(ends[1], data, 2 * 4096, 0)
                             : way == 2 ? recvfrom(ends[1], data, 2 * 4096, 0, NULL, NULL)
                                        : recvmsg(ends[1], &message, 0);
        CHECK(part > 0 && errno == 77);
        got += part;
      }
      answer();
    }
  }
  // Who waited at a descriptor and sleeps now waits no more: polls for its word are not in vain.
  if (rank == 0) {
    CHECK(write(ends[0], data, 1) == 1);
    awaitWord(1);
  } else if (rank == 1) {
    CHECK(read(ends[1], data, 1) == 1);
    sleep(10); // hundreds of times what it takes to call polls in vain
    answer();
  }
  closeBoth(ends);
}

// All other ranks wait, each at its own pipe; the last one is served first.
static void several(void) {
  const int size = worldSize();
  int ends[8][2];
  for (int r = 1; r < size; ++r)
    both(ends[r], 1);
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(1000);
    for (int r = size - 1; r > 0; --r) {
      CHECK(write(ends[r][1], data, 1) == 1);
      awaitWord(r);
    }
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(read(ends[rank][0], data, 1) == 1);
    answer();
  }
  for (int r = 1; r < size; ++r)
    closeBoth(ends[r]);
}

static void addresses(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t bytes = sizeof address;
  const struct hostent *entry = gethostbyname("10.2.3.4");
  CHECK(entry && *(in_addr_t *)entry->h_addr_list[0] == htonl(0x0a020304));
  struct addrinfo *found = NULL, hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET};
  CHECK(getaddrinfo("10.2.3.4", NULL, &hints, &found) == 0);
  CHECK(((struct sockaddr_in *)found->ai_addr)->sin_addr.s_addr == htonl(0x0a020304));
  freeaddrinfo(found);
  if (rank == 1) {
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listening, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK(listen(listening, 5) == 0);
    CHECK(getsockname(listening, (struct sockaddr *)&address, &bytes) == 0);
    MPI_Send(&address, sizeof address, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    const int one = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    CHECK(one >= 0 && read(one, data, 1) == 1);
    answer();
    close(one);
    close(listening);
  } else if (rank == 0) {
    MPI_Recv(&address, sizeof address, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    usleep(1000);
    const int one = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(one, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK(write(one, data, 1) == 1);
    awaitWord(1);
    close(one);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  rank = worldRank();
  atOnce();
  full();
  whilePolling();
  several();
  addresses();
  passed("descriptors");
  MPI_Finalize();
  return 0;
}
