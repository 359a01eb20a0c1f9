// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: of each MPI call in C the pass knows which arguments decide communication, which carry payload of which kind and
// length, and which come out; MPI_IN_PLACE, MPI_BOTTOM, PMPI_ and _c names are known for what they are; a function that the
// program defines is its own.
// RUN: clang --no-default-config -I%gnomon_prefix/include/gnomon -O2 -S -emit-llvm %s -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-print-mpi -disable-output %t.ll | FileCheck %s
#include <mpi.h>

int PMPI_Own(int);
__attribute__((noinline)) int MPI_Barrier(MPI_Comm comm) { return PMPI_Barrier(comm); }

void calls(double *x, int *counts, MPI_Comm comm, MPI_Datatype derived, int n) {
  MPI_Request requests[2];
  MPI_Status status;
  int flag, rank;
  // CHECK: MPI_Barrier: MPI_Barrier c collective comm@0 : control
  // CHECK-NEXT: calls: MPI_Comm_rank c local comm@0 : control=257 out
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK-NEXT: calls: MPI_Isend c message nonblocking peer@3 tag@4 comm@5 : send(floating x 10) control=10 control=532 control=1 control=7 control out
  MPI_Isend(x, 10, MPI_DOUBLE, 1, 7, comm, &requests[0]);
  // CHECK-NEXT: calls: MPI_Irecv_c c message nonblocking peer@3 tag@4 comm@5 : receive(integer x 5) control=5 control=521 control=-1 control=-2 control out
  MPI_Irecv_c(counts, 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[1]);
  // CHECK-NEXT: calls: MPI_Testall c progress timing : control=2 in-out out out
  PMPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
  // CHECK-NEXT: calls: MPI_Wait c progress : in-out out
  MPI_Wait(&requests[0], &status);
  // CHECK-NEXT: calls: MPI_Get_count c local : control[] control=532 out
  MPI_Get_count(&status, MPI_DOUBLE, &n);
  // CHECK-NEXT: calls: MPI_Send c message peer@3 tag@4 comm@5 : send(bottom other x 1) control=1 control control=0 control=0 control
  MPI_Send(MPI_BOTTOM, 1, derived, 0, 0, comm);
  // CHECK-NEXT: calls: MPI_Allreduce c collective reduction comm@5 op@4 : send(in place floating) both(floating) control control=532 control=35 control
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_MAX, comm);
  // CHECK-NEXT: calls: MPI_Alltoallv c collective comm@8 : send(integer) control[] control[] control=521 both(bytes) control[] control[] control=583 control
  MPI_Alltoallv(counts, counts, counts, MPI_INT, x, counts, counts, MPI_BYTE, comm);
  // CHECK-NEXT: calls: MPI_Bcast c collective peer@3 comm@4 : both(other x 4) control=4 control=555 control=0 control
  MPI_Bcast(counts, 4, MPI_2INT, 0, comm);
  // CHECK-NEXT: calls: MPI_Pack c local comm@6 : send(floating x 3) control=3 control=532 receive(other) control=100 in-out control
  MPI_Pack(x, 3, MPI_DOUBLE, counts, 100, &rank, comm);
  // CHECK-NEXT: calls: MPI_Abort c run noreturn comm@0 : control control=3
  MPI_Abort(comm, 3);
}

void others(MPI_Comm comm, MPI_Win *win, void *base, int *dims) {
  MPI_Comm sub;
  MPI_Aint address;
  // CHECK: others: MPI_Comm_split c collective comm@0 : control control=1 control=2 out
  MPI_Comm_split(comm, 1, 2, &sub);
  // CHECK-NEXT: others: MPI_Dims_create c local : control=8 control=2 in-out
  MPI_Dims_create(8, 2, dims);
  // CHECK-NEXT: others: MPI_Get_address c local : memory out
  MPI_Get_address(base, &address);
  // CHECK-NEXT: others: MPI_Win_create c collective comm@4 : memory control=100 control=1 control=304 control out
  MPI_Win_create(base, 100, 1, MPI_INFO_NULL, comm, win);
  // CHECK-NEXT: others: MPI_Comm_set_attr c local comm@0 : control control=9 memory
  MPI_Comm_set_attr(comm, 9, base);
  // CHECK-NEXT: others: MPI_Comm_set_name c local comm@0 : control text
  MPI_Comm_set_name(comm, "name");
  // CHECK-NEXT: others: MPI_Free_mem c local : control
  MPI_Free_mem(base);
  // CHECK-NOT: PMPI_Own
  PMPI_Own(1);
  // CHECK-NOT: others: MPI_Barrier
  MPI_Barrier(comm);
}
