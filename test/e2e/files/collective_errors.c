// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank whose part of a collective access is wrong, or fails, gets its error; the others
// get what they asked for, nobody waits for ever, and the next collective call finds all ranks
// together.
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static MPI_File file;

/* All write their rank + \p plus by \p write_one, in which rank 0 fails; then what is there is
 * read. */
static void expect(int plus, const char *what, int line) {
  int numbers[16];
  MPI_File_sync(file);
  OK(MPI_File_read_at_all(file, 0, numbers, size, MPI_INT, MPI_STATUS_IGNORE));
  for (int r = 1; r < size; ++r)
    check(numbers[r] == r + plus, what, line);
  MPI_Barrier(MPI_COMM_WORLD);
}
#define EXPECT(plus) expect(plus, "the others wrote + " #plus, __LINE__)

static void buffered(const char *how) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_cb_write", how);
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", info));
  MPI_Info_free(&info);
}

static void wrong_arguments(void) {
  const int bad = rank == 0;
  int number = rank + 10;
  MPI_Offset where = bad ? -1 : rank;
  MPI_Request request;
  MPI_Status status;
  CHECK_CLASS(MPI_File_write_at_all(file, where, &number, 1, MPI_INT, &status),
              bad ? MPI_ERR_ARG : MPI_SUCCESS);
  EXPECT(10);
  number = rank + 20;
  CHECK_CLASS(MPI_File_iwrite_at_all(file, where, &number, 1, MPI_INT, &request),
              bad ? MPI_ERR_ARG : MPI_SUCCESS);
  CHECK((request == MPI_REQUEST_NULL) == bad);
  OK(MPI_Wait(&request, &status));
  EXPECT(20);
  number = rank + 30;
  CHECK_CLASS(MPI_File_write_at_all_begin(file, where, &number, 1, MPI_INT),
              bad ? MPI_ERR_ARG : MPI_SUCCESS);
  if (bad)
    CHECK_CLASS(MPI_File_write_at_all_end(file, &number, &status), MPI_ERR_OTHER);
  else
    OK(MPI_File_write_at_all_end(file, &number, &status));
  EXPECT(30);
  // Part of an etype, at the shared pointer: rank 0 has no turn.
  OK(MPI_File_seek_shared(file, 1, MPI_SEEK_SET));
  number = rank + 40;
  CHECK_CLASS(MPI_File_write_ordered(file, &number, bad ? 3 : 4, MPI_BYTE, &status),
              bad ? MPI_ERR_IO : MPI_SUCCESS);
  EXPECT(40);
  OK(MPI_File_seek_shared(file, 1, MPI_SEEK_SET));
  number = rank + 50;
  CHECK_CLASS(MPI_File_write_ordered_begin(file, &number, bad ? 3 : 4, MPI_BYTE),
              bad ? MPI_ERR_IO : MPI_SUCCESS);
  if (!bad)
    OK(MPI_File_write_ordered_end(file, &number, &status));
  EXPECT(50);
}

/* Far beyond what most file systems let a file hold. */
#define FAR ((MPI_Offset)1 << 58)

static int too_far(void) {
  const int descriptor = open("collective_errors.far", O_CREAT | O_WRONLY, 0600);
  const int refused = pwrite(descriptor, &rank, 4, FAR * 4) < 0 && errno == EFBIG;
  close(descriptor);
  unlink("collective_errors.far");
  return refused;
}

static void failing(void) {
  const int bad = rank == 0 && too_far();
  const MPI_Offset where = rank == 0 ? FAR : rank;
  int number = rank + 60;
  MPI_Request request;
  CHECK_CLASS(MPI_File_write_at_all(file, where, &number, 1, MPI_INT, MPI_STATUS_IGNORE),
              bad ? MPI_ERR_NO_SPACE : MPI_SUCCESS);
  EXPECT(60);
  number = rank + 70;
  OK(MPI_File_iwrite_at_all(file, where, &number, 1, MPI_INT, &request));
  CHECK_CLASS(MPI_Wait(&request, MPI_STATUS_IGNORE), bad ? MPI_ERR_NO_SPACE : MPI_SUCCESS);
  EXPECT(70);
}

static void other_calls(void) {
  const int bad = rank == 0;
  CHECK_CLASS(MPI_File_set_size(file, bad ? -1 : 64), size > 1 ? MPI_ERR_NOT_SAME : MPI_ERR_ARG);
  CHECK_CLASS(MPI_File_set_size(file, -1), MPI_ERR_ARG);
  CHECK_CLASS(MPI_File_set_view(file, bad ? MPI_DISPLACEMENT_CURRENT : 0, MPI_INT, MPI_INT,
                                "native", MPI_INFO_NULL),
              bad ? MPI_ERR_ARG : MPI_SUCCESS);
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  file = new_file("collective_errors.dat");
  for (int i = 0; i < 3; ++i) {
    buffered(i == 0 ? "automatic" : i == 1 ? "enable" : "disable");
    wrong_arguments();
    failing();
    other_calls();
  }
  OK(MPI_File_close(&file));
  if (rank == 0)
    printf("collective errors: PASSED\n");
  MPI_Finalize();
}
