! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an array is computed, handed to another name by move_alloc, and a number in it is a count.
program moved_contents
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  integer, allocatable :: made(:), counts(:)
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  do step = 1, steps
    allocate (made(n))
    ! EXPECT-RUN
    do i = 1, n
      made(i) = mod(i * 7 + step * 13 + rank, 90) + 1
    end do
    call move_alloc(made, counts)
    call MPI_Sendrecv(out, counts(5), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
