! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a pointer refers to an array that move_alloc hands on; what is written by the array's new name is a count,
! read by the pointer.
program moved_and_pointed
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  integer, allocatable, target :: made(:), counts(:)
  integer, pointer :: seen(:)
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  do step = 1, steps
    allocate (made(n))
    made = 1
    seen => made
    call move_alloc(made, counts)
    ! EXPECT-RUN
    do i = 1, n
      counts(i) = mod(i * 7 + step * 13 + rank, 90) + 1
    end do
    call MPI_Sendrecv(out, seen(5), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
