! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! REQUIRES: pass
! Intent: the pass knows the MPI calls of Fortran through mpif.h, `use mpi` and `use mpi_f08` alike, at -O0 and -O2: scalars by
! reference, the values of constants among them, sentinels, and hidden lengths of strings.
! RUN: flang %gnomon_flag -cpp -DUSE_H -O0 -emit-llvm -c %s -o %t.bc
! RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-print-mpi -disable-output %t.bc | FileCheck %s
! RUN: flang %gnomon_flag -cpp -DUSE_H -O2 -emit-llvm -c %s -o %t.bc
! RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-print-mpi -disable-output %t.bc | FileCheck %s
! RUN: flang %gnomon_flag -cpp -DUSE_MODULE -O2 -emit-llvm -c %s -o %t.bc
! RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-print-mpi -disable-output %t.bc | FileCheck %s
! RUN: flang %gnomon_flag -cpp -DUSE_F08 -O0 -emit-llvm -c %s -o %t.bc
! RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-print-mpi -disable-output %t.bc | FileCheck %s --check-prefixes=CHECK,F08
! RUN: flang %gnomon_flag -cpp -DUSE_F08 -O2 -emit-llvm -c %s -o %t.bc
! RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-print-mpi -disable-output %t.bc | FileCheck %s --check-prefixes=CHECK,F08
subroutine calls(a, n, comm)
#if defined(USE_F08)
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm
  type(MPI_Request) :: request
  type(MPI_Status) :: status
#else
#ifdef USE_MODULE
  use mpi
#endif
  implicit none
#ifdef USE_H
  include 'mpif.h'
#endif
  integer :: comm, request, status(MPI_STATUS_SIZE)
#endif
  double precision :: a(*)
  integer :: n, ierr, rank, m
  ! CHECK: calls_: MPI_Comm_rank fortran local comm@0 : *control=257 out out
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  m = 50
  ! CHECK-NEXT: calls_: MPI_Isend fortran message nonblocking peer@3 tag@4 comm@5 : send(floating x 50) *control=50 *control=540 *control *control=7 *control out out
  call MPI_Isend(a, m, MPI_DOUBLE_PRECISION, rank, 7, comm, request, ierr)
  ! CHECK-NEXT: calls_: MPI_Wait fortran progress : in-out out out
  call MPI_Wait(request, status, ierr)
  ! CHECK-NEXT: calls_: MPI_Recv fortran message peer@3 tag@4 comm@5 : receive(integer) *control *control=537 *control=-1 *control=-2 *control out out
  call MPI_Recv(a, n, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE, ierr)
  ! CHECK-NEXT: calls_: MPI_Allreduce fortran collective reduction comm@5 op@4 : send(in place floating x 1) both(floating x 1) *control=1 *control=730 *control=33 *control out
  call MPI_Allreduce(MPI_IN_PLACE, a, 1, MPI_REAL8, MPI_SUM, comm, ierr)
  ! CHECK-NEXT: calls_: MPI_Bcast fortran collective peer@3 comm@4 : both(bottom bytes x 0) *control=0 *control=583 *control=0 *control out
  call MPI_Bcast(MPI_BOTTOM, 0, MPI_BYTE, 0, comm, ierr)
  ! CHECK-NEXT: calls_: MPI_Comm_set_name fortran local comm@0 : *control text out control=4
  call MPI_Comm_set_name(comm, 'name', ierr)
#ifdef USE_F08
  ! F08-NEXT: calls_: gnomon_comm_eq fortran local : *control *control=257
  if (comm == MPI_COMM_WORLD) call MPI_Abort(comm, 1)
  ! F08-NEXT: calls_: MPI_Abort fortran run noreturn comm@0 : *control *control=1 out
#endif
end subroutine
