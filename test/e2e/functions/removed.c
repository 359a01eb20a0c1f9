/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: the functions, types and constants of MPI-1 that MPI has removed or deprecated work in
 * old programs. */
#include "Check.h"

/* Whether one element of the type is these of the numbers 0, 1, 2…; frees the type. */
static int picks(MPI_Datatype *type, int count, const int *elements) {
  int from[20], to[20];
  for (int i = 0; i < 20; ++i)
    from[i] = i;
  MPI_Type_commit(type);
  MPI_Sendrecv(from, 1, *type, 0, 1, to, count, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Type_free(type);
  return memcmp(to, elements, sizeof(int) * (size_t)count) == 0;
}

static void types(void) {
  MPI_Datatype type;
  MPI_Aint extent, lower, upper, addresses[2];
  MPI_Type_hvector(2, 1, 12, MPI_INT, &type);
  CHECK(picks(&type, 2, (int[]){0, 3}));
  MPI_Type_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){4, 16}, MPI_INT, &type);
  CHECK(picks(&type, 3, (int[]){1, 4, 5}));
  MPI_Type_struct(3, (int[]){1, 1, 1}, (MPI_Aint[]){-4, 0, 40},
                  (MPI_Datatype[]){MPI_LB, MPI_INT, MPI_UB}, &type);
  MPI_Type_extent(type, &extent);
  MPI_Type_lb(type, &lower);
  MPI_Type_ub(type, &upper);
  CHECK(extent == 44 && lower == -4 && upper == 40);
  int integers, datatypes, numbers, combiner;
  MPI_Type_get_envelope(type, &integers, &numbers, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_STRUCT && combiner != MPI_COMBINER_STRUCT_INTEGER &&
        combiner != MPI_COMBINER_HINDEXED_INTEGER && combiner != MPI_COMBINER_HVECTOR_INTEGER);
  MPI_Type_free(&type);
  MPI_Address(&numbers, &addresses[0]);
  MPI_Address((char *)&numbers + 1, &addresses[1]);
  CHECK(addresses[1] - addresses[0] == 1);
}

static int errors;
static void count_errors(MPI_Comm *comm, int *code, ...) {
  (void)code;
  errors += *comm == MPI_COMM_SELF;
}

static void handlers(void) {
  MPI_Handler_function *function = count_errors;
  MPI_Errhandler handler, current;
  MPI_Errhandler_create(function, &handler);
  MPI_Errhandler_set(MPI_COMM_SELF, handler);
  MPI_Errhandler_get(MPI_COMM_SELF, &current);
  CHECK(current == handler);
  MPI_Send(&rank, 1, MPI_INT, 77, 1, MPI_COMM_SELF);
  CHECK(errors == 1);
  MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&current);
}

static int deleted;
static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)extra;
  deleted += *(int *)value;
  return MPI_SUCCESS;
}

static void attributes(void) {
  MPI_Copy_function *copy = MPI_DUP_FN;
  MPI_Delete_function *remove = on_delete;
  int keyval, flag, value = 3, *found = NULL;
  MPI_Comm comm;
  MPI_Keyval_create(copy, remove, &keyval, NULL);
  MPI_Attr_put(MPI_COMM_SELF, keyval, &value);
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Attr_get(comm, keyval, &found, &flag);
  CHECK(flag && found == &value);
  MPI_Attr_delete(comm, keyval);
  CHECK(deleted == 3);
  MPI_Comm_free(&comm);
  MPI_Attr_delete(MPI_COMM_SELF, keyval);
  MPI_Keyval_free(&keyval);
  CHECK(deleted == 6 && keyval == MPI_KEYVAL_INVALID);
  CHECK(MPI_NULL_COPY_FN == MPI_COMM_NULL_COPY_FN && MPI_NULL_DELETE_FN == MPI_COMM_NULL_DELETE_FN);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  types();
  handlers();
  attributes();
  return finish("removed");
}
