! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a FINAL procedure, which Fortran's runtime calls, adds up what is a count.
module boxes
  implicit none
  integer :: total = 0
  type box
    integer, allocatable :: values(:)
  contains
    final :: done
  end type
contains
  subroutine done(b)
    type(box), intent(inout) :: b
    if (allocated(b%values)) total = mod(total + b%values(3), 90)
  end subroutine
  subroutine work(step)
    integer, intent(in) :: step
    type(box) :: b
    integer :: i
    allocate (b%values(1000))
    b%values = 1
    ! EXPECT-RUN
    do i = 1, 1000
      b%values(i) = mod(i * 7 + step * 13, 90) + 1
    end do
  end subroutine
end module
program finalized
  use mpi
  use boxes
  implicit none
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  do step = 1, 36
    call work(step)
    call MPI_Sendrecv(out, total + 1, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
