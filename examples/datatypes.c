/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every constructor of user datatypes, each sent round the ring and compared with what arrives as
 * plain integers; and a user-defined operation over a user-defined type. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

enum { rows = 6, columns = 8, cells = rows * columns };

typedef struct {
  char name;
  double value;
  int index;
} Record;

static int rank, size, next, previous;

/* Sends one `type` from a numbered matrix and receives it as `count` integers that must be
 * expected[]. */
static int checkType(MPI_Datatype type, int count, const int *expected) {
  int matrix[cells], received[cells] = {0}, wrong = 0, packed;
  for (int i = 0; i < cells; ++i)
    matrix[i] = 1000 * rank + i;
  MPI_Type_commit(&type);
  MPI_Type_size(type, &packed);
  wrong += packed != count * (int)sizeof(int);
  MPI_Sendrecv(matrix, 1, type, next, 1, received, count, MPI_INT, previous, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i)
    wrong += received[i] != 1000 * previous + expected[i];
  MPI_Type_free(&type);
  return wrong;
}

static int checkConstructors(void) {
  MPI_Datatype type, base;
  int wrong = 0;
  MPI_Type_contiguous(3, MPI_INT, &type);
  wrong += checkType(type, 3, (int[]){0, 1, 2});
  MPI_Type_vector(3, 2, columns, MPI_INT, &type);
  wrong += checkType(type, 6, (int[]){0, 1, 8, 9, 16, 17});
  MPI_Type_create_hvector(2, 1, 3 * sizeof(int), MPI_INT, &type);
  wrong += checkType(type, 2, (int[]){0, 3});
  MPI_Type_indexed(2, (int[]){1, 2}, (int[]){5, 9}, MPI_INT, &type);
  wrong += checkType(type, 3, (int[]){5, 9, 10});
  MPI_Type_create_hindexed(2, (int[]){2, 1}, (MPI_Aint[]){4 * sizeof(int), 0}, MPI_INT, &type);
  wrong += checkType(type, 3, (int[]){4, 5, 0});
  MPI_Type_create_subarray(2, (int[]){rows, columns}, (int[]){2, 3}, (int[]){1, 2}, MPI_ORDER_C,
                           MPI_INT, &type);
  wrong += checkType(type, 6, (int[]){10, 11, 12, 18, 19, 20});
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &base);
  MPI_Type_contiguous(3, base, &type);
  wrong += checkType(type, 3, (int[]){0, 2, 4});
  MPI_Type_free(&base);
  return wrong;
}

static MPI_Datatype recordType(void) {
  MPI_Datatype packedRecord, record;
  const int lengths[] = {1, 1, 1};
  const MPI_Aint offsets[] = {offsetof(Record, name), offsetof(Record, value),
                              offsetof(Record, index)};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Type_create_struct(3, lengths, offsets, types, &packedRecord);
  MPI_Type_create_resized(packedRecord, 0, sizeof(Record), &record);
  MPI_Type_commit(&record);
  MPI_Type_free(&packedRecord);
  return record;
}

static void keepLarger(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  const Record *other = in;
  Record *mine = inout;
  for (int i = 0; i < *count; ++i)
    if (other[i].value > mine[i].value)
      mine[i] = other[i];
}

static int checkOperation(void) {
  MPI_Datatype type = recordType();
  MPI_Op larger;
  Record mine[2] = {{'a', (rank * 7) % size, rank}, {'b', -rank, rank}}, best[2];
  MPI_Op_create(keepLarger, 1, &larger);
  MPI_Allreduce(mine, best, 2, type, larger, MPI_COMM_WORLD);
  MPI_Op_free(&larger);
  MPI_Type_free(&type);
  return best[0].value != size - 1 || (best[0].index * 7) % size != size - 1 ||
         best[0].name != 'a' || best[1].index != 0 || best[1].name != 'b';
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  previous = (rank + size - 1) % size;
  int wrong = checkConstructors() + checkOperation(), allWrong;
  MPI_Allreduce(&wrong, &allWrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("datatypes: %d differences: %s\n", allWrong, allWrong ? "FAILED" : "PASSED");
  MPI_Finalize();
  return 0;
}
