! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a variable of a type with allocatable components is assigned; a number beside these is a count.
program assigned_type
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  type box
    integer :: length
    integer, allocatable :: values(:)
  end type
  type(box) :: a, b
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  b%length = 1
  allocate (b%values(n))
  b%values = 1
  do step = 1, steps
    ! EXPECT-RUN
    do i = 1, n
      b%length = mod(b%length * 3 + i + step, 90) + 1
    end do
    a = b
    call MPI_Sendrecv(out, a%length, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
