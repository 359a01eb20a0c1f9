/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MPI-IO whose time depends on all that a recording must hold: views, places, hints, sizes of files,
 * modes, and calls that fail. Each part computes something different on each rank. "there.dat" was
 * there before. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { Most = 1 << 16 };

static int rank, size;
static char bytes[Most];
static volatile double sink;

static void compute(int amount) {
  double sum = 0;
  for (int i = 0; i < amount * (rank + 1); ++i)
    sum += 1.0 / (i + 1);
  sink = sum;
}

static MPI_File opened(const char *name, int mode, MPI_Info info) {
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, name, mode, info, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 9);
  return file;
}

/* A view that interleaves blocks of the ranks, with or without collective buffering. */
static void interleaved(const char *buffering) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_cb_write", buffering);
  MPI_Info_set(info, "cb_nodes", "2");
  MPI_Info_set(info, "cb_buffer_size", "4096");
  MPI_Info_set(info, "striping_unit", "1000");
  MPI_Info_set(info, "of_my_own", "ignored");
  MPI_File file = opened("interleaved.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, info);
  MPI_Info_free(&info);
  MPI_Datatype row, rows;
  MPI_Type_vector(16, 32, 32 * size, MPI_DOUBLE, &row);
  MPI_Type_create_resized(row, 0, 16 * 32 * 8 * size + 512, &rows);
  MPI_Type_commit(&rows);
  MPI_File_set_view(file, 256 * rank, MPI_DOUBLE, rows, "native", MPI_INFO_NULL);
  compute(200);
  MPI_File_write_all(file, bytes, 16 * 32 + 40, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_read_at_all(file, 16 * 16, bytes, 16 * 32, MPI_DOUBLE, MPI_STATUS_IGNORE);
  compute(300);
  MPI_File_write_at_all_begin(file, 1000, bytes, 640, MPI_DOUBLE);
  compute(5000);
  MPI_File_write_at_all_end(file, bytes, MPI_STATUS_IGNORE);
  MPI_Request requests[2];
  MPI_File_iwrite_all(file, bytes, 64, MPI_DOUBLE, &requests[0]);
  MPI_File_iread_at_all(file, 8 * rank, bytes, 640, MPI_DOUBLE, &requests[1]);
  compute(1000);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&row);
  MPI_Type_free(&rows);
}

/* Three dimensions, and a type without any regularity. */
static void arrays(void) {
  MPI_File file = opened("arrays.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL);
  int sizes[3] = {6, 10, 4 * size}, part[3] = {6, 5, 4}, starts[3] = {0, 2, 4 * rank};
  MPI_Datatype block, scattered;
  MPI_Type_create_subarray(3, sizes, part, starts, MPI_ORDER_C, MPI_FLOAT, &block);
  MPI_Type_commit(&block);
  MPI_File_set_view(file, 12, MPI_FLOAT, block, "external32", MPI_INFO_NULL);
  MPI_File_write_all(file, bytes, 6 * 5 * 4, MPI_FLOAT, MPI_STATUS_IGNORE);
  MPI_File_seek(file, 20, MPI_SEEK_SET);
  MPI_File_read(file, bytes, 77, MPI_FLOAT, MPI_STATUS_IGNORE);
  int lengths[9], places[9], place = 3 * rank;
  for (int i = 0; i < 9; ++i) {
    lengths[i] = 1 + (i * 7 + rank) % 5;
    places[i] = place;
    place += lengths[i] + (i * i) % 11;
  }
  MPI_Type_indexed(9, lengths, places, MPI_INT, &scattered);
  MPI_Type_commit(&scattered);
  MPI_File_set_view(file, 100, MPI_INT, scattered, "native", MPI_INFO_NULL);
  MPI_File_write(file, bytes, 50, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek(file, -7, MPI_SEEK_END);
  MPI_File_read(file, bytes, 50, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Request request;
  MPI_File_iread(file, bytes, 3, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&block);
  MPI_Type_free(&scattered);
}

static void pointers(void) {
  MPI_File file = opened("pointers.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL);
  compute(100);
  MPI_File_write_shared(file, bytes, 3000 + 100 * rank, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_write_ordered(file, bytes, 5000 - 100 * rank, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_seek_shared(file, 1000, MPI_SEEK_SET);
  MPI_Request request;
  MPI_File_iread_shared(file, bytes, 700, MPI_BYTE, &request);
  compute(100);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_read_ordered_begin(file, bytes, 9000, MPI_BYTE); /* beyond the end, on the last ranks */
  MPI_File_read_ordered_end(file, bytes, MPI_STATUS_IGNORE);
  MPI_File_set_atomicity(file, 1);
  MPI_File_write_at(file, 500, bytes, 2000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_iwrite_at(file, 700 * rank, bytes, 2000, MPI_BYTE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_File_set_size(file, 4000);
  MPI_File_read_at(file, 3000, bytes, 5000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_preallocate(file, 20000);
  MPI_File_read_at_all(file, 3000, bytes, 5000 * (rank + 1), MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

/* Files that were there, are none, are opened again, are deleted and made anew. */
static void openings(void) {
  MPI_File file = opened("there.dat", MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_INFO_NULL);
  MPI_File_write_shared(file, bytes, 100, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read_all(file, bytes, 30000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  for (int i = 0; i < 3; ++i) {
    file = opened("there.dat", MPI_MODE_RDONLY, MPI_INFO_NULL);
    MPI_File_read_all(file, bytes, 30000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_all(file, bytes, 100, MPI_BYTE, MPI_STATUS_IGNORE);                   /* fails */
    MPI_File_set_view(file, rank ? 0 : -5, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL); /* too */
    MPI_File_close(&file);
  }
  MPI_File_open(MPI_COMM_WORLD, "none.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file); /* fails */
  if (rank == 0)
    MPI_File_delete("there.dat", MPI_INFO_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  file = opened("there.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL);
  MPI_File_read_all(file, bytes, 30000, MPI_BYTE, MPI_STATUS_IGNORE); /* is empty */
  MPI_File_write_at_all(file, 1000 * rank, bytes, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File second;
  MPI_File_open(MPI_COMM_SELF, "there.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &second);
  MPI_File_read(second, bytes, 30000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&second);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  interleaved("enable");
  interleaved("disable");
  arrays();
  pointers();
  openings();
  MPI_Finalize();
  return 0;
}
