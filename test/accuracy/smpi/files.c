// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to a file of each rank's own, timed on each rank: alone on their disk, and several ranks
// at once on one. Arguments: sizes in bytes. Prints `NAME BYTES RANK SECONDS`; see README.md. Under
// SMPI the disks are used as such: what SMPI 3.32 has of MPI_File_write and MPI_File_read ends in a
// segmentation fault. SimGrid rounds what every access has moved to whole bytes at each event of
// the simulation: so nothing else happens while ranks are at their disks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef SMPI_H
#include <simgrid/disk.h>
#include <simgrid/host.h>
#endif

static int rank, size;
static char *buffer;

enum What { Nothing, Write, Read };

#ifdef SMPI_H
static sg_disk_t disk;

static void open_own(void) {
  unsigned count;
  sg_disk_t *disks;
  sg_host_get_disks(sg_host_self(), &count, &disks);
  disk = disks[0];
}
static void close_own(void) {}
static void write_own(int bytes) { sg_disk_write(disk, (sg_size_t)bytes); }
static void read_own(int bytes) { sg_disk_read(disk, (sg_size_t)bytes); }
#else
static MPI_File file;

static void open_own(void) {
  char name[32];
  snprintf(name, sizeof name, "files-%d.dat", rank);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
}
static void close_own(void) { MPI_File_close(&file); }
static void write_own(int bytes) {
  MPI_File_write_at(file, 0, buffer, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void read_own(int bytes) {
  MPI_File_read_at(file, 0, buffer, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}
#endif

/* Ranks leave a barrier some nanoseconds after each other: all start at the next whole second. */
static void start_together(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  const long second = 1000000000, now = (long)(1e9 * MPI_Wtime() + 0.5);
  const struct timespec rest = {1, second - 1 - (now + second - 1) % second};
  nanosleep(&rest, NULL);
}

static void measure(const char *name, int bytes, enum What what) {
  start_together();
  const double begin = MPI_Wtime();
  if (what == Write)
    write_own(bytes);
  else if (what == Read)
    read_own(bytes);
  const double seconds = MPI_Wtime() - begin;
  const struct timespec long_enough = {10, 0};
  nanosleep(&long_enough, NULL); // no message while others are at their disks
  for (int r = 0; r < size; ++r) {
    if (r == rank) {
      printf("%s %d %d %.12g\n", name, bytes, rank, seconds);
      fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  open_own();
  for (int i = 1; i < argc; ++i) {
    const int bytes = atoi(argv[i]);
    buffer = calloc((size_t)bytes, 1);
    measure("fill", bytes, Write); // what is read must be there
    measure("write-alone", bytes, rank == 0 ? Write : Nothing);
    measure("read-alone", bytes, rank == 0 ? Read : Nothing);
    measure("write-all", bytes, Write);
    measure("read-all", bytes, Read);
    measure("mixed", bytes, rank % 2 ? Write : Read);
    // Different amounts at once: who ends first leaves the others more.
    measure("write-growing", bytes / size * (rank + 1), Write);
    measure("read-growing", bytes / size * (rank + 1), Read);
    free(buffer);
  }
  close_own();
  MPI_Finalize();
}
