! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: mpi_f08 gives a window's memory as a descriptor: what other ranks put there decides messages, so its computation runs.
program window_descriptor
  use mpi_f08
  implicit none
  integer, parameter :: n = 64
  integer :: rank, ranks, i, next, previous
  integer, asynchronous :: memory(n), plan(2 * n)
  double precision :: work(n), incoming(n)
  type(MPI_Win) :: window
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = modulo(rank + 1, ranks)
  previous = modulo(rank - 1, ranks)
  memory = 0
  call MPI_Win_create(memory, 4_MPI_ADDRESS_KIND * n, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
  ! EXPECT-RUN
  do i = 1, 2 * n
    plan(i) = modulo(rank * 7 + i * i, n)
  end do
  call MPI_Win_fence(0, window)
  call MPI_Put(plan(2:2 * n:2), n, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, n, MPI_INTEGER, window)
  call MPI_Win_fence(0, window)
  ! EXPECT-SKIP
  do i = 1, n
    work(i) = rank + sqrt(dble(i))
  end do
  do i = 1, 5
    call MPI_Sendrecv(work, plan(2 * i), MPI_DOUBLE_PRECISION, next, 2, incoming, memory(i), MPI_DOUBLE_PRECISION, previous, 2, &
         MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end do
  call MPI_Win_free(window)
  if (incoming(1) < 0) print *, incoming(1)
  call MPI_Finalize()
end program
