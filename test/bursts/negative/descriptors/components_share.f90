! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: components are assigned to each other in a ring, one of them to itself by another name; a number that has
! gone round is a count.
program components_share
  use mpi
  implicit none
  integer, parameter :: n = 500, steps = 36
  type box
    integer, allocatable :: first(:), second(:), third(:)
  end type
  type(box) :: b
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  allocate (b%first(n), b%second(n), b%third(n))
  b%first = 1
  b%second = 1
  b%third = 1
  do step = 1, steps
    ! EXPECT-RUN
    do i = 1, n
      b%first(i) = mod(b%third(i) + i * 7 + step * 13 + rank, 90) + 1
    end do
    call turn(b)
    call MPI_Sendrecv(out, b%third(5), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine turn(b)
    type(box), intent(inout) :: b
    b%second = b%first
    b%third = b%second(n:1:-1)
    b%third = b%third(n:1:-1)
  end subroutine
end program
