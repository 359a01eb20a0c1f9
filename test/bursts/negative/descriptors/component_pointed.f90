! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a pointer refers to a component that is assigned to as a whole; a number that it reads there is a count.
program component_pointed
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  type box
    integer :: tag
    integer, allocatable :: counts(:)
  end type
  type(box), target :: a
  type(box) :: b
  integer, pointer :: seen(:)
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  allocate (a%counts(n), b%counts(n))
  a%counts = 1
  b%counts = 1
  seen => a%counts
  do step = 1, steps
    ! EXPECT-RUN
    do i = 1, n
      b%counts(i) = mod(b%counts(i) + i * 7 + step * 13 + rank, 90) + 1
    end do
    call copy(a, b)
    call MPI_Sendrecv(out, seen(5), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine copy(to, from)
    type(box), intent(inout) :: to
    type(box), intent(in) :: from
    to%counts = from%counts
  end subroutine
end program
