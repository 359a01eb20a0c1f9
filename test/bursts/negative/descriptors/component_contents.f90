! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a component is computed and assigned to another variable's; a number in it is a count.
program component_contents
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  type box
    integer :: tag
    integer, allocatable :: counts(:), others(:)
  end type
  type(box) :: a, b
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  allocate (a%counts(n), a%others(n), b%counts(n), b%others(n))
  a%others = 1
  b%others = 1
  b%counts = 1
  do step = 1, steps
    ! EXPECT-RUN
    do i = 1, n
      b%counts(i) = mod(b%counts(i) + i * 7 + step * 13 + rank, 90) + 1
    end do
    call copy(a, b)
    call MPI_Sendrecv(out, a%counts(5), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
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
