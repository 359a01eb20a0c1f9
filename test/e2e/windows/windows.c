// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every kind of window, and all that a window has beside its memory: attributes, name,
// info, group, error handler, handle in Fortran.
#include "../topologies/check.h"
#include <string.h>

static void attributes(MPI_Win win, void *base, MPI_Aint bytes, int unit, int flavor) {
  void *found;
  MPI_Aint *length;
  int *number, flag;
  MPI_Win_get_attr(win, MPI_WIN_BASE, &found, &flag);
  CHECK(flag && found == base);
  MPI_Win_get_attr(win, MPI_WIN_SIZE, &length, &flag);
  CHECK(flag && *length == bytes);
  MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &number, &flag);
  CHECK(flag && *number == unit);
  MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &number, &flag);
  CHECK(flag && *number == flavor);
  MPI_Win_get_attr(win, MPI_WIN_MODEL, &number, &flag);
  CHECK(flag && *number == MPI_WIN_UNIFIED);
}

static int deleted;
static int onDelete(MPI_Win win, int keyval, void *value, void *extra) {
  deleted += value == (void *)&deleted && extra == (void *)&size;
  return MPI_SUCCESS;
}

static void keys(MPI_Win win) {
  int key, flag;
  void *value;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, onDelete, &key, &size);
  MPI_Win_get_attr(win, key, &value, &flag);
  CHECK(!flag);
  MPI_Win_set_attr(win, key, &deleted);
  MPI_Win_get_attr(win, key, &value, &flag);
  CHECK(flag && value == &deleted);
  MPI_Win_delete_attr(win, key);
  CHECK(deleted == 1);
  MPI_Win_set_attr(win, key, &deleted);
  MPI_Win_free_keyval(&key);
  CHECK(key == MPI_KEYVAL_INVALID);
}

static int called;
static MPI_Win failed;
static void onError(MPI_Win *win, int *code, ...) {
  called = class_of(*code);
  failed = *win;
}

static void handlers(MPI_Win win) {
  MPI_Errhandler handler, before;
  MPI_Win_get_errhandler(win, &before);
  CHECK(before == MPI_ERRORS_ARE_FATAL);
  MPI_Win_create_errhandler(onError, &handler);
  MPI_Win_set_errhandler(win, handler);
  MPI_Errhandler_free(&handler);
  MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
  CHECK(called == MPI_ERR_OTHER && failed == win);
  CHECK_CLASS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
  CHECK(called == MPI_ERR_RMA_SYNC);
  MPI_Win_set_errhandler(win, before);
}

static void names(MPI_Win win) {
  char name[MPI_MAX_OBJECT_NAME];
  int length, flag, same;
  MPI_Info info;
  char value[64];
  MPI_Group mine, world;
  MPI_Win_get_name(win, name, &length);
  CHECK(length == 0 && name[0] == 0);
  MPI_Win_set_name(win, "halo");
  MPI_Win_get_name(win, name, &length);
  CHECK(length == 4 && strcmp(name, "halo") == 0);
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win_set_info(win, info);
  MPI_Info_free(&info);
  MPI_Win_get_info(win, &info);
  MPI_Info_get(info, "no_locks", 63, value, &flag);
  CHECK(flag && strcmp(value, "true") == 0);
  MPI_Info_get(info, "accumulate_ordering", 63, value, &flag);
  CHECK(flag && strcmp(value, "rar,raw,war,waw") == 0);
  MPI_Info_free(&info);
  MPI_Win_get_group(win, &mine);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_compare(mine, world, &same);
  CHECK(same == MPI_IDENT);
  MPI_Group_free(&mine);
  MPI_Group_free(&world);
  CHECK(MPI_Win_f2c(MPI_Win_c2f(win)) == win);
}

static void created(void) {
  double data[10];
  MPI_Win win;
  MPI_Win_create(data, sizeof data, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  attributes(win, data, sizeof data, 8, MPI_WIN_FLAVOR_CREATE);
  keys(win);
  handlers(win);
  names(win);
  MPI_Win_free(&win);
  CHECK(win == MPI_WIN_NULL && deleted == 2);
}

static void allocated(void) {
  int *data, zero = rank == 0;
  MPI_Win win;
  MPI_Win_allocate(zero ? 0 : 40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &data, &win);
  attributes(win, data, zero ? 0 : 40, 4, MPI_WIN_FLAVOR_ALLOCATE);
  int right = (rank + 1) % size;
  MPI_Win_fence(0, win);
  if (right != 0)
    MPI_Put(&rank, 1, MPI_INT, right, 9, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  if (!zero)
    CHECK(data[9] == rank - 1 && data[0] == 0);
  MPI_Win_free(&win);
}

static void dynamic(void) {
  int first[4] = {0}, second[4] = {0}, right = (rank + 1) % size;
  MPI_Aint mine[2], theirs[2];
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  attributes(win, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
  MPI_Win_attach(win, first, sizeof first);
  MPI_Win_attach(win, second, sizeof second);
  MPI_Get_address(&first[1], &mine[0]);
  MPI_Get_address(&second[2], &mine[1]);
  MPI_Sendrecv(mine, 2, MPI_AINT, (rank + size - 1) % size, 0, theirs, 2, MPI_AINT, right, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, right, theirs[0], 1, MPI_INT, win);
  MPI_Put(&size, 1, MPI_INT, right, theirs[1], 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK(first[1] == (rank + size - 1) % size && second[2] == size);
  MPI_Win_detach(win, first);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  CHECK_CLASS(MPI_Put(&rank, 1, MPI_INT, rank, mine[0], 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
  MPI_Win_fence(0, win);
  MPI_Win_detach(win, second);
  MPI_Win_free(&win);
}

static void shared(const char *apart) {
  MPI_Comm node;
  MPI_Info info;
  MPI_Win win;
  int members, me, unit, *mine, *theirs;
  MPI_Aint bytes;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &members);
  MPI_Comm_rank(node, &me);
  CHECK(members == 2);
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", apart);
  MPI_Win_allocate_shared(8 + 4 * me, 4, info, node, &mine, &win);
  MPI_Info_free(&info);
  attributes(win, mine, 8 + 4 * me, 4, MPI_WIN_FLAVOR_SHARED);
  MPI_Win_shared_query(win, 1 - me, &bytes, &unit, &theirs);
  CHECK(bytes == 8 + 4 * (1 - me) && unit == 4);
  if (apart[0] == 'f')
    CHECK(me == 0 ? theirs == mine + 2 : mine == theirs + 2);
  MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit,
                       me == 0 ? (void *)&mine : (void *)&theirs);
  CHECK(bytes == 8);
  // Plain stores are seen by the other one.
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  theirs[1] = 1000 + rank;
  MPI_Win_sync(win);
  MPI_Barrier(node);
  MPI_Win_sync(win);
  CHECK(mine[1] == 1000 + (rank ^ 1));
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&node);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  created();
  allocated();
  dynamic();
  shared("false");
  shared("true");
  if (rank == 0)
    printf("windows: PASSED\n");
  MPI_Finalize();
  return 0;
}
