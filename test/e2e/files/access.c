// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every function that writes puts its elements where the view says, every function that
// reads finds them there, and statuses and pointers say how many.
#include "check.h"

#define N 6 /* elements of a rank in a round */

static MPI_File file;
static MPI_Status status;
static MPI_Request request;
static int in[N], out[N];

static void fill(int round) {
  for (int i = 0; i < N; ++i)
    out[i] = 1000 * round + 10 * rank + i;
  memset(in, -1, sizeof in);
}

/* What rank's part of a round was read as. */
static void got(int round, int of) {
  CHECK(count_of(&status, MPI_INT) == N);
  for (int i = 0; i < N; ++i)
    CHECK(in[i] == 1000 * round + 10 * of + i);
}

/* The ranks' pairs of ints alternate in the file. */
static void interleave(void) {
  MPI_Datatype pairs, tile;
  MPI_Type_contiguous(2, MPI_INT, &pairs);
  MPI_Type_create_resized(pairs, 0, 8 * size, &tile);
  MPI_Type_commit(&tile);
  OK(MPI_File_set_view(file, 8 * rank, MPI_INT, tile, "native", MPI_INFO_NULL));
  MPI_Type_free(&pairs);
  MPI_Type_free(&tile);
}

/* The file itself after a round that began at element `first` (even) of each rank. */
static void on_disk(int round, int first) {
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  int *whole = malloc(sizeof(int) * size * (first + N));
  CHECK(content("access.dat", whole, sizeof(int) * size * (first + N)) ==
        (long)sizeof(int) * size * (first + N));
  for (int r = 0; r < size; ++r)
    for (int i = first; i < first + N; ++i)
      CHECK(whole[i / 2 * 2 * size + 2 * r + i % 2] == 1000 * round + 10 * r + i - first);
  free(whole);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void finish(void) { OK(MPI_Wait(&request, &status)); }

static void explicit_offsets(void) {
  fill(1);
  OK(MPI_File_write_at(file, 0, out, N, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == N);
  on_disk(1, 0);
  OK(MPI_File_read_at(file, 0, in, N, MPI_INT, &status));
  got(1, rank);
  fill(2);
  OK(MPI_File_write_at_all(file, 4, out, N, MPI_INT, &status));
  on_disk(2, 4);
  OK(MPI_File_read_at_all(file, 4, in, N, MPI_INT, &status));
  got(2, rank);
  fill(3);
  OK(MPI_File_iwrite_at(file, 1, out, N, MPI_INT, &request));
  finish();
  CHECK(count_of(&status, MPI_INT) == N);
  OK(MPI_File_iread_at(file, 1, in, N, MPI_INT, &request));
  finish();
  got(3, rank);
  fill(4);
  OK(MPI_File_iwrite_at_all(file, 0, out, N, MPI_INT, &request));
  finish();
  on_disk(4, 0);
  OK(MPI_File_iread_at_all(file, 0, in, N, MPI_INT, &request));
  finish();
  got(4, rank);
  fill(5);
  OK(MPI_File_write_at_all_begin(file, 2, out, N, MPI_INT));
  OK(MPI_File_write_at_all_end(file, out, &status));
  CHECK(count_of(&status, MPI_INT) == N);
  OK(MPI_File_read_at_all_begin(file, 2, in, N, MPI_INT));
  OK(MPI_File_read_at_all_end(file, in, &status));
  got(5, rank);
}

static MPI_Offset position(void) {
  MPI_Offset at;
  OK(MPI_File_get_position(file, &at));
  return at;
}

static void individual_pointers(void) {
  fill(11);
  OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
  OK(MPI_File_write(file, out, N, MPI_INT, &status));
  CHECK(position() == N);
  on_disk(11, 0);
  OK(MPI_File_seek(file, -N, MPI_SEEK_CUR));
  OK(MPI_File_read(file, in, N, MPI_INT, &status));
  got(11, rank);
  fill(12);
  OK(MPI_File_write_all(file, out, N, MPI_INT, &status));
  CHECK(position() == 2 * N);
  on_disk(12, N);
  OK(MPI_File_seek(file, -N, MPI_SEEK_END));
  OK(MPI_File_read_all(file, in, N, MPI_INT, &status));
  got(12, rank);
  fill(13);
  OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
  OK(MPI_File_iwrite(file, out, N, MPI_INT, &request));
  CHECK(position() == N);
  finish();
  OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
  OK(MPI_File_iread(file, in, N, MPI_INT, &request));
  finish();
  got(13, rank);
  fill(14);
  OK(MPI_File_iwrite_all(file, out, N, MPI_INT, &request));
  finish();
  on_disk(14, N);
  OK(MPI_File_seek(file, N, MPI_SEEK_SET));
  OK(MPI_File_iread_all(file, in, N, MPI_INT, &request));
  finish();
  got(14, rank);
  fill(15);
  OK(MPI_File_write_all_begin(file, out, N, MPI_INT));
  OK(MPI_File_write_all_end(file, out, &status));
  OK(MPI_File_seek(file, 2 * N, MPI_SEEK_SET));
  OK(MPI_File_read_all_begin(file, in, N, MPI_INT));
  OK(MPI_File_read_all_end(file, in, &status));
  CHECK(position() == 3 * N);
  got(15, rank);
}

static MPI_Offset shared_position(void) {
  MPI_Offset at;
  MPI_Barrier(MPI_COMM_WORLD);
  OK(MPI_File_get_position_shared(file, &at));
  MPI_Barrier(MPI_COMM_WORLD);
  return at;
}

/* Some rank's whole part, all parts once. */
static void got_one_each(int round) {
  CHECK(count_of(&status, MPI_INT) == N);
  int of = (in[0] - 1000 * round) / 10, sum;
  got(round, of);
  MPI_Allreduce(&of, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2);
}

static void shared_pointers(void) {
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  fill(21);
  OK(MPI_File_write_shared(file, out, N, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == N);
  CHECK(shared_position() == N * size);
  OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  OK(MPI_File_read_shared(file, in, N, MPI_INT, &status));
  got_one_each(21);
  fill(22);
  OK(MPI_File_seek_shared(file, -N * size, MPI_SEEK_CUR));
  OK(MPI_File_iwrite_shared(file, out, N, MPI_INT, &request));
  finish();
  CHECK(shared_position() == N * size);
  OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  OK(MPI_File_iread_shared(file, in, N, MPI_INT, &request));
  finish();
  got_one_each(22);
}

/* Rank r moves r + 1 elements: each must know what the ranks before it move. */
static void ordered(void) {
  const int mine = rank % N + 1;
  int before = 0, all = 0;
  for (int r = 0; r < size; ++r) {
    before += r < rank ? r % N + 1 : 0;
    all += r % N + 1;
  }
  fill(31);
  OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  OK(MPI_File_write_ordered(file, out, mine, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == mine && shared_position() == all);
  OK(MPI_File_read_at(file, before, in, mine, MPI_INT, &status));
  CHECK(!memcmp(in, out, sizeof(int) * mine));
  fill(32);
  OK(MPI_File_write_ordered_begin(file, out, mine, MPI_INT));
  OK(MPI_File_write_ordered_end(file, out, &status));
  CHECK(count_of(&status, MPI_INT) == mine && shared_position() == 2 * all);
  OK(MPI_File_seek_shared(file, all, MPI_SEEK_SET));
  OK(MPI_File_read_ordered(file, in, mine, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == mine && !memcmp(in, out, sizeof(int) * mine));
  fill(31);
  OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  OK(MPI_File_read_ordered_begin(file, in, mine, MPI_INT));
  OK(MPI_File_read_ordered_end(file, in, &status));
  CHECK(count_of(&status, MPI_INT) == mine && !memcmp(in, out, sizeof(int) * mine));
}

/* A file that ends within what is asked for; nothing at all; memory with gaps. */
static void ends_and_gaps(void) {
  OK(MPI_File_set_size(file, 10));
  OK(MPI_File_read_at(file, 0, in, N, MPI_INT, &status));
  CHECK(count_of(&status, MPI_BYTE) == 10 && count_of(&status, MPI_INT) == MPI_UNDEFINED);
  OK(MPI_File_read_at(file, 100, in, N, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == 0);
  OK(MPI_File_write_at_all(file, 0, out, 0, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == 0);
  MPI_Datatype every_other;
  MPI_Type_vector(N / 2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  fill(41);
  OK(MPI_File_write_at(file, rank * N / 2, out, 1, every_other, &status));
  CHECK(count_of(&status, every_other) == 1);
  OK(MPI_File_read_at(file, rank * N / 2, in, N / 2, MPI_INT, &status));
  for (int i = 0; i < N / 2; ++i)
    CHECK(in[i] == out[2 * i]);
  memset(in, -1, sizeof in);
  OK(MPI_File_read_at(file, rank * N / 2, in, 1, every_other, &status));
  CHECK(in[0] == out[0] && in[1] == -1 && in[2] == out[2] && in[3] == -1);
  MPI_Type_free(&every_other);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  file = new_file("access.dat");
  interleave();
  explicit_offsets();
  individual_pointers();
  shared_pointers();
  ordered();
  ends_and_gaps();
  OK(MPI_File_close(&file));
  CHECK(file == MPI_FILE_NULL);
  if (rank == 0)
    printf("access: PASSED\n");
  MPI_Finalize();
}
