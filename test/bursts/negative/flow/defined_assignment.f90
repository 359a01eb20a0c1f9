! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an assignment that a component's type defines for itself, and Fortran's runtime calls, finds what is a count.
module boxes
  implicit none
  integer :: total = 0
  type box
    integer :: values(1000)
  contains
    procedure :: copy
    generic :: assignment(=) => copy
  end type
  type pair
    integer, allocatable :: other(:)
    type(box) :: inner
  end type
contains
  subroutine copy(to, from)
    class(box), intent(inout) :: to
    class(box), intent(in) :: from
    total = mod(total + from%values(3), 90)
    to%values(1) = from%values(1)
  end subroutine
end module
program defined_assignment
  use mpi
  use boxes
  implicit none
  type(pair) :: a, b
  integer :: i
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  do step = 1, 36
    ! EXPECT-RUN
    do i = 1, 1000
      a%inner%values(i) = mod(i * 7 + step * 13, 90) + 1
    end do
    b = a
    call MPI_Sendrecv(out, total + 1, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
