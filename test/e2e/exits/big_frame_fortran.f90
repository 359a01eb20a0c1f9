! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an automatic array larger than the stack is a stack overflow of its rank in Fortran too.
program main
  use mpi
  implicit none
  integer :: ierr, rank
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  if (rank == 2) then
    !dir$ noinline
    call work(3000000)
  end if
  call mpi_barrier(mpi_comm_world, ierr)
  call mpi_finalize(ierr)
contains
  subroutine work(n)
    integer, intent(in) :: n
    real(8) :: a(n)
    integer :: i
    do i = 1, n
      a(i) = i
    end do
    print *, a(n / 2), sum(a)
  end subroutine
end program
