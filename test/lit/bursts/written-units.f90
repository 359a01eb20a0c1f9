! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! REQUIRES: pass
! Intent: where written files are checked, Fortran's statements tell the runtime of the unit that they connect (0), write (1) and
! read (2), by gnomon_unit.
! RUN: flang %gnomon_flag -fno-lto -O2 -g -S -emit-llvm %s -o %t.ll
! RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -S %t.ll | FileCheck %s
! CHECK: call void @gnomon_unit(i32 7, i32 0)
! CHECK: call void @gnomon_unit(i32 8, i32 2)
! CHECK-NEXT: call ptr @_FortranAioBeginExternalListInput(i32 8,
! CHECK: call void @gnomon_unit(i32 7, i32 1)
! CHECK-NEXT: call ptr @_FortranAioBeginExternalListOutput(i32 7,
! CHECK: call void @gnomon_unit(i32 7, i32 0)
! CHECK-NEXT: call ptr @_FortranAioBeginClose(i32 7,
program written_units
  use mpi
  integer :: ierror, step, i, n
  real(8) :: values(1000)
  call MPI_Init(ierror)
  open (7, file='out.txt')
  values = 1
  do step = 1, 10
    do i = 1, 1000
      values(i) = sqrt(values(i) + i)
    end do
    read (8, *) n
    write (7, *) values(step)
    call MPI_Bcast(values, n, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  end do
  close (7)
  call MPI_Finalize(ierror)
end program
