// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a program starts ranks of itself and of another program, talks to them, and parts from
// them; what is a process's own (globals, arguments, directory, MPI_COMM_WORLD) is each new rank's
// own.
#include "../process/Check.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int changed =
    7; // every rank begins with 7, whatever the ranks that started it did to theirs
static int *pointer = &changed;
static int zero;

static int attribute(int keyval) {
  int *value, found;
  MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &found);
  return found ? *value : -1;
}

// Both groups add up their numbers, then merge.
static void talk(MPI_Comm inter, int high, int expectedSize) {
  int mine = 1, sum = 0, size, remote, merged;
  MPI_Comm all;
  MPI_Comm_remote_size(inter, &remote);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter);
  CHECK(sum == remote);
  MPI_Intercomm_merge(inter, high, &all);
  MPI_Comm_size(all, &size);
  MPI_Allreduce(&mine, &merged, 1, MPI_INT, MPI_SUM, all);
  CHECK(size == expectedSize && merged == expectedSize);
  MPI_Comm_free(&all);
}

static int child(int argc, char **argv, MPI_Comm parent) {
  int rank, size, parents, numbers[2];
  char directory[4096];
  CHECK(changed == 7 && pointer == &changed && zero == 0);
  changed = zero = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size == 3 && argc == 3 && !strcmp(argv[1], "of a kind") && !strcmp(argv[2], "child") &&
        !argv[3]);
  CHECK(attribute(MPI_APPNUM) == 0);
  CHECK(getcwd(directory, sizeof directory) != NULL);
  CHECK(!strcmp(strrchr(directory, '/'), "/elsewhere"));
  MPI_Comm_remote_size(parent, &parents);
  MPI_Bcast(numbers, 2, MPI_INT, parents - 1, parent);
  CHECK(numbers[0] == 11 && numbers[1] == 10 + parents);
  talk(parent, 1, size + parents);
  MPI_Comm_disconnect(&parent);
  CHECK(parent == MPI_COMM_NULL);
  MPI_Comm_get_parent(&parent);
  CHECK(parent == MPI_COMM_NULL);
  MPI_Finalize();
  return 0;
}

static void spawnItself(const char *program, int size) {
  char *arguments[] = {"of a kind", "child", NULL};
  int codes[3] = {-1, -1, -1}, numbers[2] = {11, 10 + size}, rank;
  const int root = size - 1;
  MPI_Comm children;
  MPI_Info info;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Info_create(&info);
  MPI_Info_set(info, "wdir", "elsewhere");
  MPI_Comm_spawn(rank == root ? program : NULL, rank == root ? arguments : NULL,
                 rank == root ? 3 : -5, info, root, MPI_COMM_WORLD, &children, codes);
  CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS && codes[2] == MPI_SUCCESS);
  MPI_Bcast(numbers, 2, MPI_INT, rank == root ? MPI_ROOT : MPI_PROC_NULL, children);
  talk(children, 0, 3 + size);
  MPI_Comm_disconnect(&children);
  MPI_Info_free(&info);
}

static void spawnOthers(char *program) {
  char *commands[] = {"worker", program}, *first[] = {"one", NULL},
       **arguments[] = {first, MPI_ARGV_NULL};
  const int counts[] = {2, 1};
  int codes[3], workers, token = 5, numbers[3];
  MPI_Comm children;
  MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Info_create(&infos[0]);
  MPI_Info_set(infos[0], "path", "/nowhere:elsewhere/.:.");
  MPI_Info_set(infos[0], "host", "node-3");
  MPI_Comm_spawn_multiple(2, commands, arguments, counts, infos, 0, MPI_COMM_SELF, &children,
                          codes);
  MPI_Comm_remote_size(children, &workers);
  CHECK(workers == 3);
  MPI_Bcast(&token, 1, MPI_INT, MPI_ROOT, children);
  MPI_Gather(NULL, 0, MPI_INT, numbers, 1, MPI_INT, MPI_ROOT, children);
  // 100 × MPI_APPNUM + rank + 1000 × (whether on node-3) + 10 × argc
  CHECK(numbers[0] == 1020 && numbers[1] == 1021 && numbers[2] == 112);
  MPI_Comm_disconnect(&children);
  MPI_Info_free(&infos[0]);
}

static void refuse(void) {
  int codes[2] = {0, 0}, code, class;
  MPI_Comm children = MPI_COMM_SELF;
  MPI_Info info;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  code = MPI_Comm_spawn("./nothing-there", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF,
                        &children, codes);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_SPAWN && codes[0] == MPI_ERR_SPAWN && codes[1] == MPI_ERR_SPAWN);
  CHECK(children == MPI_COMM_NULL);
  code = MPI_Comm_spawn("/bin/true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                        MPI_ERRCODES_IGNORE);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_SPAWN);
  MPI_Info_create(&info);
  MPI_Info_set(info, "host", "mars");
  code = MPI_Comm_spawn("./worker", MPI_ARGV_NULL, 1, info, 0, MPI_COMM_SELF, &children,
                        MPI_ERRCODES_IGNORE);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_SPAWN);
  code = MPI_Comm_spawn("./worker", MPI_ARGV_NULL, 1000000000, MPI_INFO_NULL, 0, MPI_COMM_SELF,
                        &children, MPI_ERRCODES_IGNORE);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_SPAWN);
  MPI_Info_free(&info);
}

// Of the numbers that soft allows, the largest up to maxprocs are started, whichever way the list
// goes; the rest is told as not started.
static void spawnAllowed(char *soft, int expected) {
  char *arguments[] = {"soft", NULL};
  int codes[5], workers, token = 5, numbers[5], i;
  MPI_Comm children;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "soft", soft);
  MPI_Comm_spawn("./worker", arguments, 5, info, 0, MPI_COMM_SELF, &children, codes);
  MPI_Comm_remote_size(children, &workers);
  CHECK(workers == expected);
  for (i = 0; i < 5; ++i)
    CHECK(codes[i] == (i < expected ? MPI_SUCCESS : MPI_ERR_SPAWN));
  MPI_Bcast(&token, 1, MPI_INT, MPI_ROOT, children);
  MPI_Gather(NULL, 0, MPI_INT, numbers, 1, MPI_INT, MPI_ROOT, children);
  MPI_Comm_disconnect(&children);
  MPI_Info_free(&info);
}

static void spawnSoftly(void) {
  int class;
  MPI_Comm children;
  MPI_Info info;
  spawnAllowed("1:3:2,8", 3);
  spawnAllowed("0:5:3", 3);
  spawnAllowed("8:2:-6", 2);
  MPI_Info_create(&info);
  MPI_Info_set(info, "soft", "1:3:0");
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Comm_spawn("./worker", MPI_ARGV_NULL, 5, info, 0, MPI_COMM_SELF, &children,
                                 MPI_ERRCODES_IGNORE),
                  &class);
  CHECK(class == MPI_ERR_INFO_VALUE);
  MPI_Info_free(&info);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Comm parent;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL && argc == 3)
    return child(argc, argv, parent);
  if (parent != MPI_COMM_NULL) { // of spawnOthers
    int token, number = 12 + 100 * attribute(MPI_APPNUM);
    CHECK(argc == 1 && changed == 7);
    MPI_Bcast(&token, 1, MPI_INT, 0, parent);
    number -= token - 5;
    number += argc - 1;
    MPI_Gather(&number, 1, MPI_INT, NULL, 0, MPI_INT, 0, parent);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(attribute(MPI_UNIVERSE_SIZE) == 8);
  changed = 70 + rank;
  zero = 1;
  spawnItself(argv[0], size);
  if (rank == 0) {
    spawnOthers(argv[0]);
    refuse();
    spawnSoftly();
  }
  CHECK(changed == 70 + rank && *pointer == changed);
  passed("spawner");
  MPI_Finalize();
  return 0;
}
