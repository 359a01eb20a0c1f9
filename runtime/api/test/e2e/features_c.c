/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Intent: the C interface end to end: a profiling wrapper, a user's operation, attributes, an error
 * handler, derived types. Rank 0 prints one line a feature. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int sends, copies, deletes, errors;

/* MPI_Send is weak: a program may wrap it. */
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

/* 2x2 matrices: associative, not commutative. */
static void multiply(void *in, void *inout, int *len, MPI_Datatype *type) {
  int *a = in, *b = inout, i;
  (void)type;
  for (i = 0; i < *len; ++i, a += 4, b += 4) {
    int r[4];
    r[0] = a[0] * b[0] + a[1] * b[2];
    r[1] = a[0] * b[1] + a[1] * b[3];
    r[2] = a[2] * b[0] + a[3] * b[2];
    r[3] = a[2] * b[1] + a[3] * b[3];
    memcpy(b, r, sizeof r);
  }
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
  (void)comm, (void)keyval;
  *(void **)out = (char *)in + *(int *)extra;
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  ++deletes;
  return MPI_SUCCESS;
}

static void handler(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  errors += *code == MPI_ERR_TAG;
}

static void report(int rank, const char *name, int ok) {
  int all;
  MPI_Reduce(&ok, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %s\n", name, all ? "ok" : "WRONG");
}

static int pingPong(int rank, int size) {
  int token = -1, next = (rank + 1) % size, previous = (rank + size - 1) % size;
  if (rank == 0) {
    token = 100;
    MPI_Send(&token, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_INT, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return token == 100 + size - 1 && sends == 1;
  }
  MPI_Recv(&token, 1, MPI_INT, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ++token;
  MPI_Send(&token, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
  return sends == 1;
}

static int userOp(int rank, int size) {
  MPI_Op op;
  MPI_Datatype matrix;
  int mine[4] = {1, 1, 0, 1}, product[4];
  mine[1] = rank + 1;
  MPI_Type_contiguous(4, MPI_INT, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op_create(multiply, 0, &op);
  MPI_Allreduce(mine, product, 1, matrix, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Type_free(&matrix);
  return product[0] == 1 && product[1] == size * (size + 1) / 2 && product[2] == 0 &&
         product[3] == 1;
}

static int attributes(void) {
  MPI_Comm first, second;
  int keyval, flag, extra = 5, *upper;
  char value[16], *found = NULL;
  MPI_Comm_create_keyval(copy, drop, &keyval, &extra);
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_set_attr(first, keyval, value);
  MPI_Comm_dup(first, &second);
  MPI_Comm_get_attr(second, keyval, &found, &flag);
  MPI_Comm_free(&second);
  MPI_Comm_free(&first);
  MPI_Comm_free_keyval(&keyval);
  if (!flag || found != value + 5 || copies != 1 || deletes != 2 || keyval != MPI_KEYVAL_INVALID)
    return 0;
  MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &upper, &flag);
  return flag && *upper >= 32767;
}

static int errorHandler(void) {
  MPI_Errhandler mine;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0, class, result;
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
  result = MPI_Send(&length, 1, MPI_INT, 0, -5, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&mine);
  MPI_Error_class(result, &class);
  MPI_Error_string(result, text, &length);
  return errors == 1 && class == MPI_ERR_TAG && (int)strlen(text) == length;
}

static int structures(int rank) {
  struct item {
    char c;
    double d;
    int i[3];
  } out, in;
  int lengths[3] = {1, 1, 3};
  MPI_Aint at[3], base;
  MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT}, item;
  memset(&out, 0, sizeof out);
  memset(&in, 0, sizeof in);
  out.c = 'x';
  out.d = rank;
  out.i[2] = 3;
  MPI_Get_address(&out, &base);
  MPI_Get_address(&out.c, &at[0]);
  MPI_Get_address(&out.d, &at[1]);
  MPI_Get_address(out.i, &at[2]);
  at[0] -= base, at[1] -= base, at[2] -= base;
  MPI_Type_create_struct(3, lengths, at, types, &item);
  MPI_Type_commit(&item);
  MPI_Sendrecv(&out, 1, item, rank, 1, &in, 1, item, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&item);
  return in.c == 'x' && in.d == rank && in.i[2] == 3;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  report(rank, "ping-pong through a wrapper", pingPong(rank, size));
  report(rank, "user's operation", userOp(rank, size));
  report(rank, "attributes", attributes());
  report(rank, "error handler", errorHandler());
  report(rank, "structures", structures(rank));
  MPI_Finalize();
  return 0;
}
