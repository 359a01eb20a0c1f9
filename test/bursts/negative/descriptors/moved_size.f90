! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: the size of an array that move_alloc hands on is computed, and is a count.
program moved_size
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  integer, allocatable :: made(:), counts(:)
  integer :: work(n)
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  work = 1
  do step = 1, steps
    ! EXPECT-RUN
    do i = 1, n
      work(i) = mod(work(i) + i * 7 + step * 13, 1000)
    end do
    allocate (made(1 + mod(sum(work), 90)))
    call move_alloc(made, counts)
    call MPI_Sendrecv(out, size(counts), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
