/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: counts, displacements and sizes beyond 2^31 - 1 reach their end whole in messages,
 * collectives, packing, windows and files; what does not fit an int is MPI_UNDEFINED there. The
 * memory is blocks of 1 MiB, mapped again and again, so that nothing large is really needed. */
#define _GNU_SOURCE
#include "Check.h"

#include <sys/mman.h>
#include <unistd.h>

enum { Block = 1 << 20 };
static const MPI_Count Large = (1LL << 31) + 5;
static const MPI_Count Span = (1LL << 31) + Block;

/* Room for Span bytes, all on one block of memory. */
static char *fold(void) {
  const int file = memfd_create("block", 0);
  CHECK(ftruncate(file, Block) == 0);
  char *room = mmap(NULL, Span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (MPI_Count at = 0; at < Span; at += Block)
    if (mmap(room + at, Block, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
        MAP_FAILED)
      return NULL;
  return room;
}

/* Two bytes that lie far apart. */
static MPI_Datatype sparse(void) {
  const MPI_Count lengths[] = {1, 1}, places[] = {0, (1LL << 31) + 3};
  MPI_Datatype type;
  MPI_Type_indexed_c(2, lengths, places, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

static void messages(char *out, char *in) {
  MPI_Status status;
  MPI_Request requests[2];
  MPI_Count count = 0, elements = 0;
  int small = 0;
  const int other = rank ^ 1;
  out[0] = (char)(10 + rank);
  MPI_Irecv_c(in, Large, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend_c(out, Large - rank, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[0], &status);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  CHECK(MPI_Get_count_c(&status, MPI_BYTE, &count) == MPI_SUCCESS && count == Large - other);
  CHECK(MPI_Get_elements_c(&status, MPI_BYTE, &elements) == MPI_SUCCESS && elements == count);
  CHECK(MPI_Get_count(&status, MPI_BYTE, &small) == MPI_SUCCESS && small == MPI_UNDEFINED);
  CHECK(MPI_Get_elements(&status, MPI_BYTE, &small) == MPI_SUCCESS && small == MPI_UNDEFINED);
  CHECK(in[0] == 10 + other);
  /* A receive that is too short by some bytes beyond 2^31 is cut, not taken for a short one. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int code;
  MPI_Isend_c(out, Large, MPI_BYTE, other, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Error_class(MPI_Recv(in, 5, MPI_BYTE, other, 2, MPI_COMM_WORLD, &status), &code);
  CHECK(code == MPI_ERR_TRUNCATE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  /* No memory has so many elements. */
  MPI_Error_class(MPI_Send_c(out, 1LL << 61, MPI_DOUBLE, other, 3, MPI_COMM_WORLD), &code);
  CHECK(code == MPI_ERR_COUNT);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void collectives(char *out, char *in) {
  MPI_Count ones[2] = {1, 1}, counts[2] = {1, Large};
  MPI_Aint places[2] = {Block - 7, 0}, far[2] = {0, (1LL << 31) + 40};
  MPI_Request request;
  out[0] = (char)(20 + rank);
  MPI_Bcast_c(rank ? in : out, Large, MPI_BYTE, 0, MPI_COMM_WORLD);
  CHECK((rank ? in : out)[0] == 20);
  /* Displacements beyond 2^31: byte 2^31 + 40 is byte 40 of the block. */
  out[40] = (char)(50 + rank);
  MPI_Alltoallv_c(out, ones, far, MPI_BYTE, in, ones, far, MPI_BYTE, MPI_COMM_WORLD);
  CHECK(in[0] == (rank ? 50 : 20) && in[40] == (rank ? 51 : 21));
  /* Counts beyond it; the block of rank 1 is the long one. */
  in[Block - 7] = 0;
  MPI_Iallgatherv_c(out, counts[rank], MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD,
                    &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(in[0] == 21);
}

static void types(void) {
  MPI_Count size_ = 0, low = 0, extent = 0, packed = 0, n[4];
  int small = 0, combiner = 0;
  MPI_Datatype far = sparse(), whole;
  MPI_Type_size_c(far, &size_);
  MPI_Type_get_true_extent_c(far, &low, &extent);
  CHECK(size_ == 2 && low == 0 && extent == (1LL << 31) + 4);
  MPI_Type_get_envelope_c(far, &n[0], &n[1], &n[2], &n[3], &combiner);
  CHECK(n[0] == 0 && n[1] == 0 && n[2] == 5 && n[3] == 1 && combiner == MPI_COMBINER_INDEXED);
  MPI_Type_contiguous_c(Large, MPI_INT, &whole);
  MPI_Type_size_c(whole, &size_);
  MPI_Type_size(whole, &small);
  CHECK(size_ == 4 * Large && small == MPI_UNDEFINED);
  MPI_Pack_size_c(Large, MPI_INT, MPI_COMM_WORLD, &packed);
  MPI_Pack_size(1 << 30, MPI_INT, MPI_COMM_WORLD, &small);
  CHECK(packed == 4 * Large && small == MPI_UNDEFINED);
  MPI_Type_free(&whole);
  MPI_Type_free(&far);
}

static void packing(char *out, char *in) {
  MPI_Count position = Large - 1;
  MPI_Datatype far = sparse();
  out[0] = 7;
  out[3] = 8;
  MPI_Pack_c(out, 1, far, in, Large + 1, &position, MPI_COMM_SELF);
  CHECK(position == Large + 1 && in[4] == 7 && in[5] == 8);
  position = Large - 1;
  out[0] = out[3] = 0;
  MPI_Unpack_c(in, Large + 1, &position, out, 1, far, MPI_COMM_SELF);
  CHECK(position == Large + 1 && out[0] == 7 && out[3] == 8);
  MPI_Type_free(&far);
}

static void windows(char *out, char *in) {
  MPI_Win win;
  MPI_Aint bytes, unit = 0, huge = (1LL << 31) + 16;
  char *base;
  MPI_Win_create_c(in, Span, huge, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  in[16] = 0;
  out[0] = (char)(70 + rank);
  MPI_Win_fence(0, win);
  MPI_Put_c(out, 1, MPI_BYTE, rank ^ 1, 1, 1, MPI_BYTE, win);
  MPI_Win_fence(0, win);
  CHECK(in[16] == 70 + (rank ^ 1));
  MPI_Get_c(out, Large, MPI_BYTE, rank ^ 1, 0, Large, MPI_BYTE, win);
  MPI_Win_fence(0, win);
  CHECK(out[16] == 70 + rank);
  MPI_Win_free(&win);
  MPI_Win_allocate_shared_c(64, huge, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win);
  MPI_Win_shared_query_c(win, 0, &bytes, &unit, &base);
  CHECK(bytes == 64 && unit == huge);
  MPI_Win_free(&win);
}

static void files(char *out, char *in) {
  MPI_File file;
  MPI_Status status;
  MPI_Count count = 0;
  MPI_Datatype far = sparse();
  MPI_File_open(MPI_COMM_SELF, rank ? "large.1" : "large.0",
                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  out[0] = 8;
  out[3] = 9;
  MPI_File_write_at_c(file, 0, out, 1, far, &status);
  MPI_Get_count_c(&status, MPI_BYTE, &count);
  CHECK(count == 2);
  /* Past the end: nothing is read of what was asked for. */
  MPI_File_read_at_c(file, 1, in, Large, MPI_BYTE, &status);
  MPI_Get_count_c(&status, MPI_BYTE, &count);
  CHECK(count == 1 && in[0] == 9);
  MPI_File_close(&file);
  MPI_Type_free(&far);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  char *out = fold(), *in = fold();
  types();
  messages(out, in);
  collectives(out, in);
  packing(out, in);
  windows(out, in);
  files(out, in);
  return finish("large");
}
