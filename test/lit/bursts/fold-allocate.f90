! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! REQUIRES: pass
! Intent: what Fortran's runtime allocates is folded too; the line number that it is passed is no size.
! RUN: flang %gnomon_flag -fno-lto -O2 -g -S -emit-llvm %s -o %t.ll
! RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -pass-remarks=gnomon \
! RUN:   -S %t.ll -o %t.bursts.ll 2>&1 | FileCheck %s --check-prefix=REMARK
! RUN: FileCheck %s < %t.bursts.ll
! REMARK: fold-allocate.f90:[[#@LINE+17]]:{{.*}}what is allocated here may be folded
! CHECK: @gnomon.fold.sites = internal global [1 x ptr]
! CHECK: call void @gnomon_fold_begin(
! CHECK-NEXT: call i32 @_FortranAAllocatableAllocate(
! CHECK: call void @gnomon_fold_end()
module fields
  real(8), allocatable :: field(:, :)
end module
program fold_allocate
  use fields
  call run(1000)
end program
subroutine run(n)
  use fields
  use mpi
  integer :: n, ierror, step, i, j, status
  call MPI_Init(ierror)
  allocate (field(n, n), stat=status)
  do step = 1, 100
    do j = 1, n
      do i = 1, n
        field(i, j) = field(i, j)*0.5d0 + i
      end do
    end do
    call MPI_Sendrecv_replace(field, n, MPI_DOUBLE_PRECISION, 0, 0, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end subroutine
