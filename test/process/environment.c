// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: errno, environment, current directory, process id and host name are a rank's own.
#include "Check.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = worldRank();
  char value[16], folder[32], path[4096], start[4096], host[256];

  errno = 1000 + rank;
  others();
  CHECK(errno == 1000 + rank);

  CHECK(!getenv("GNOMON_RUN"));
  snprintf(value, sizeof value, "%d", rank);
  CHECK(setenv("WHO", value, 1) == 0);
  others();
  CHECK(strcmp(getenv("WHO"), value) == 0);
  if (rank == 0)
    unsetenv("WHO");
  others();
  CHECK(rank == 0 ? !getenv("WHO") : strcmp(getenv("WHO"), value) == 0);

  CHECK(getcwd(start, sizeof start) != NULL);
  snprintf(folder, sizeof folder, "folder-%d", rank);
  mkdir(folder, 0777);
  CHECK(chdir(folder) == 0);
  others();
  CHECK(getcwd(path, sizeof path) != NULL && strcmp(strrchr(path, '/') + 1, folder) == 0);
  FILE *file = fopen("here", "w");
  CHECK(file && fclose(file) == 0);
  others();
  CHECK(access("here", F_OK) == 0);
  CHECK(chdir("..") == 0);
  others();
  CHECK(getcwd(path, sizeof path) != NULL && strcmp(path, start) == 0);

  int pid = getpid(), pids[64];
  CHECK(worldSize() <= 64);
  MPI_Allgather(&pid, 1, MPI_INT, pids, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < worldSize(); ++i)
    CHECK(i == rank || pids[i] != pid);
  struct utsname name;
  char processor[MPI_MAX_PROCESSOR_NAME];
  int length;
  CHECK(gethostname(host, sizeof host) == 0 && uname(&name) == 0);
  MPI_Get_processor_name(processor, &length);
  CHECK(strcmp(host, processor) == 0 && strcmp(name.nodename, host) == 0);
  passed("environment");
  MPI_Finalize();
  return 0;
}
