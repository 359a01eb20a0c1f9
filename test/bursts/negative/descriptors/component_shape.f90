! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: how long a part is assigned to a component is computed; the component gets that size, which is a count.
program component_shape
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  type box
    integer :: tag
    double precision, allocatable :: values(:), others(:)
  end type
  type(box) :: a, b
  integer :: work(n), last
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  allocate (a%values(n), b%values(n), a%others(n), b%others(n))
  b%values = 1
  work = 1
  do step = 1, steps
    ! EXPECT-RUN
    do i = 1, n
      work(i) = mod(work(i) + i * 7 + step * 13, 1000)
    end do
    last = 1 + mod(sum(work), 90)
    call copy(a, b)
    call MPI_Sendrecv(out, size(a%values), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine copy(to, from)
    type(box), intent(inout) :: to
    type(box), intent(in) :: from
    to%values = from%values(:last)
  end subroutine
end program
