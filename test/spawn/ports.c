// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: groups connect through ports and published names and through a socket, and errors have
// their classes.
#include "../process/Check.h"

#include <mpi.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int classOf(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}

// Ranks 0 and 1 are a server, 2 and 3 come as clients one by one.
static void connectThroughName(int rank) {
  char port[MPI_MAX_PORT_NAME];
  int turn, mine = rank, theirs[2], sum = 0;
  MPI_Comm group, inter;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : rank, 0, &group);
  if (rank == 1) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("service", MPI_INFO_NULL, port);
  }
  others();
  for (turn = 0; turn < (rank < 2 ? 2 : 1); ++turn) {
    if (rank < 2) {
      MPI_Comm_accept(port, MPI_INFO_NULL, 1, group, &inter);
    } else {
      MPI_Lookup_name("service", MPI_INFO_NULL, port);
      MPI_Comm_connect(port, MPI_INFO_NULL, 0, group, &inter);
    }
    MPI_Allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, inter);
    CHECK(rank < 2 || (theirs[0] == 0 && theirs[1] == 1));
    sum += theirs[0];
    MPI_Comm_disconnect(&inter);
  }
  CHECK(rank >= 2 || sum == 2 + 3);
  MPI_Comm_free(&group);
  others();
  if (rank == 1) {
    CHECK(classOf(MPI_Publish_name("service", MPI_INFO_NULL, port)) == MPI_ERR_SERVICE);
    CHECK(classOf(MPI_Unpublish_name("service", MPI_INFO_NULL, "x")) == MPI_ERR_SERVICE);
    MPI_Unpublish_name("service", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
}

static void refuse(int rank) {
  char port[MPI_MAX_PORT_NAME];
  double before, waited;
  MPI_Comm inter = MPI_COMM_WORLD;
  MPI_Info info;
  CHECK(classOf(MPI_Lookup_name("service", MPI_INFO_NULL, port)) == MPI_ERR_NAME);
  CHECK(classOf(MPI_Unpublish_name("service", MPI_INFO_NULL, "x")) == MPI_ERR_SERVICE);
  CHECK(classOf(MPI_Close_port("nowhere")) == MPI_ERR_PORT);
  CHECK(classOf(MPI_Comm_connect("nowhere", MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter)) ==
        MPI_ERR_PORT);
  CHECK(inter == MPI_COMM_NULL);
  // Nobody accepts: the time limit is simulated.
  MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Info_create(&info);
  MPI_Info_set(info, "timeout", "30");
  before = MPI_Wtime();
  CHECK(classOf(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &inter)) == MPI_ERR_PORT);
  waited = MPI_Wtime() - before;
  CHECK(waited > 29.9 && waited < 30.1);
  MPI_Info_set(info, "timeout", "-1");
  CHECK(classOf(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &inter)) == MPI_ERR_INFO_VALUE);
  before = MPI_Wtime();
  CHECK(classOf(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter)) == MPI_ERR_PORT);
  waited = MPI_Wtime() - before;
  CHECK(waited > 179.9 && waited < 180.1);
  MPI_Close_port(port);
  MPI_Info_free(&info);
  CHECK(rank >= 0);
}

// A port that is closed lets those go who wait at it.
static void closeEarly(int rank) {
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm inter;
  if (rank == 0)
    MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 1)
    CHECK(classOf(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter)) == MPI_ERR_PORT);
  if (rank == 2) {
    // Not to be found before rank 1 waits there: a message that takes its time.
    static char big[1 << 20];
    MPI_Send(big, sizeof big, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) {
    static char big[1 << 20];
    MPI_Recv(big, sizeof big, MPI_CHAR, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Close_port(port);
  }
}

// Who comes first is served first; a meeting of two hosts takes time, and both part together.
static void queue(int rank) {
  char port[MPI_MAX_PORT_NAME], other[MPI_MAX_PORT_NAME];
  MPI_Comm inter;
  int number = rank;
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Open_port(MPI_INFO_NULL, other);
    CHECK(strcmp(port, other) != 0);
    MPI_Close_port(other);
  }
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank > 0) { // rank 3 comes first, rank 1 last
    usleep((unsigned)(4 - rank) * 1000000);
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
    MPI_Send(&number, 1, MPI_INT, 0, 0, inter);
    const double before = MPI_Wtime();
    MPI_Comm_disconnect(&inter);
    CHECK(MPI_Wtime() - before > 0.9);
    return;
  }
  usleep(5000000);
  for (int expected = 3; expected > 0; --expected) {
    const double before = MPI_Wtime();
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
    CHECK(MPI_Wtime() - before > 1e-6);
    MPI_Recv(&number, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
    CHECK(number == expected);
    usleep(1000000); // the other side waits for this one
    MPI_Comm_disconnect(&inter);
  }
  MPI_Close_port(port);
}

static void join(int rank) {
  int ends[2], mine = 10 + rank, theirs = -1;
  long end;
  MPI_Comm inter;
  if (rank > 1)
    return;
  if (rank == 0) {
    CHECK(classOf(MPI_Comm_join(-1, &inter)) == MPI_ERR_ARG);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    end = ends[1];
    MPI_Send(&end, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&end, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ends[0] = (int)end;
  }
  MPI_Comm_join(ends[0], &inter);
  MPI_Sendrecv(&mine, 1, MPI_INT, 0, 0, &theirs, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
  CHECK(theirs == 11 - rank);
  MPI_Comm_disconnect(&inter);
}

// MPI_Comm_disconnect waits for what is under way on its communicator, also for what the program
// has freed, and for nothing else.
static void disconnectWaits(int rank) {
  enum { Bytes = 20000000 };
  static char data[Bytes];
  char port[MPI_MAX_PORT_NAME] = "";
  int word = rank, got = -1, done = 0;
  double before;
  MPI_Comm inter;
  MPI_Request request, elsewhere;
  if (rank == 0)
    MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int freed = 0; freed < 2 && rank < 2; ++freed) {
    if (rank == 0)
      MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
    else
      MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
    before = MPI_Wtime();
    MPI_Irecv(&got, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &elsewhere);
    if (rank == 0)
      MPI_Isend(data, Bytes, MPI_CHAR, 0, 0, inter, &request);
    else
      MPI_Irecv(data, Bytes, MPI_CHAR, 0, 0, inter, &request);
    if (freed)
      MPI_Request_free(&request);
    MPI_Comm_disconnect(&inter);
    CHECK(MPI_Wtime() - before > Bytes / 2e10);
    if (!freed) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      CHECK(done);
    }
    MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    MPI_Wait(&elsewhere, MPI_STATUS_IGNORE);
    CHECK(got == rank);
  }
  if (rank == 0)
    MPI_Close_port(port);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  connectThroughName(rank);
  others();
  refuse(rank);
  others();
  closeEarly(rank);
  others();
  queue(rank);
  others();
  join(rank);
  others();
  disconnectWaits(rank);
  passed("ports");
  MPI_Finalize();
  return 0;
}
