/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: constructors and questions of datatypes, info of communicators, and what tells of the
 * environment, in C. */
#include "Check.h"

#include <float.h>

/* Whether one element of the type is these of the numbers 0, 1, 2…; frees the type. */
static int picks(MPI_Datatype *type, int count, const int *elements) {
  int from[20], to[20], bytes;
  for (int i = 0; i < 20; ++i)
    from[i] = i;
  MPI_Type_commit(type);
  MPI_Type_size(*type, &bytes);
  MPI_Sendrecv(from, 1, *type, 0, 1, to, count, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Type_free(type);
  return bytes == count * (int)sizeof(int) &&
         memcmp(to, elements, sizeof(int) * (size_t)count) == 0;
}

static void constructors(void) {
  MPI_Datatype type, twice;
  MPI_Type_create_indexed_block(2, 2, (int[]){0, 3}, MPI_INT, &type);
  MPI_Type_dup(type, &twice);
  CHECK(picks(&type, 4, (int[]){0, 1, 3, 4}));
  CHECK(picks(&twice, 4, (int[]){0, 1, 3, 4}));
  MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]){4, 16}, MPI_INT, &type);
  CHECK(picks(&type, 2, (int[]){1, 4}));
  MPI_Type_create_darray(2, 1, 1, (int[]){6}, (int[]){MPI_DISTRIBUTE_CYCLIC}, (int[]){2},
                         (int[]){2}, MPI_ORDER_C, MPI_INT, &type);
  CHECK(picks(&type, 2, (int[]){2, 3}));
}

static void questions(void) {
  MPI_Datatype type;
  MPI_Aint lower, extent;
  MPI_Count lower_x, extent_x;
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Type_create_hindexed_block(1, 2, (MPI_Aint[]){8}, MPI_INT, &type);
  MPI_Type_get_extent(type, &lower, &extent);
  CHECK(lower == 8 && extent == 8);
  MPI_Type_get_extent_x(type, &lower_x, &extent_x);
  CHECK(lower_x == 8 && extent_x == 8);
  MPI_Type_get_true_extent(type, &lower, &extent);
  CHECK(lower == 8 && extent == 8);
  MPI_Type_get_true_extent_x(type, &lower_x, &extent_x);
  CHECK(lower_x == 8 && extent_x == 8);
  MPI_Type_size_x(type, &extent_x);
  CHECK(extent_x == 8);
  MPI_Type_set_name(type, "a pair");
  MPI_Type_get_name(type, name, &length);
  CHECK(length == 6 && strcmp(name, "a pair") == 0);
  MPI_Type_free(&type);
}

static void kinds(void) {
  MPI_Datatype type, again;
  int bytes;
  MPI_Type_create_f90_real(DBL_DIG, 307, &type);
  MPI_Type_create_f90_real(DBL_DIG, 307, &again);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 8 && type == again);
  MPI_Type_create_f90_complex(FLT_DIG, MPI_UNDEFINED, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 8);
  MPI_Type_create_f90_integer(4, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 2);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 8);
}

static void others(void) {
  MPI_Info info;
  MPI_Comm comm;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, keyval, main_thread, bytes, position = 0;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
  MPI_Type_free_keyval(&keyval);
  CHECK(keyval == MPI_KEYVAL_INVALID);
  MPI_Pack_size(5, MPI_DOUBLE, MPI_COMM_WORLD, &bytes);
  MPI_Pack((double[5]){0}, 5, MPI_DOUBLE, text, sizeof text, &position, MPI_COMM_WORLD);
  CHECK(position <= bytes);
  MPI_Info_create_env(0, NULL, &info);
  MPI_Info_set(info, "mpi_assert_allow_overtaking", "false");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  CHECK(MPI_Comm_set_info(comm, info) == MPI_SUCCESS);
  MPI_Info_free(&info);
  MPI_Comm_get_info(comm, &info);
  CHECK(info != MPI_INFO_NULL);
  MPI_Info_free(&info);
  MPI_Comm_free(&comm);
  MPI_Get_library_version(text, &length);
  CHECK(length == (int)strlen(text) && strstr(text, "Gnomon"));
  MPI_Is_thread_main(&main_thread);
  CHECK(main_thread);
  CHECK(MPI_Pcontrol(1, "whatever", 2.0) == MPI_SUCCESS);
  CHECK(MPI_Aint_diff(MPI_Aint_add(100, 20), 100) == 20);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  constructors();
  questions();
  kinds();
  others();
  return finish("types");
}
