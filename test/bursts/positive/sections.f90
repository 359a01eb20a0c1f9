! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: through mpi_f08 payloads are behind descriptors: rows and columns of a grid that is exchanged, nonblocking and not,
! are payload still, and the grid is the result of nothing that decides anything.
program sections
  use mpi_f08
  implicit none
  integer, parameter :: n = 60
  integer :: rank, ranks, step, i, j, up, down
  double precision, asynchronous :: now(0:n + 1, 0:n + 1), next(0:n + 1, 0:n + 1)
  double precision, allocatable :: columns(:, :)
  double precision :: mine, total
  type(MPI_Request) :: requests(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  up = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  down = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
  allocate (columns(n, 2))
  ! EXPECT-SKIP
  now = rank
  columns = 0
  do step = 1, 20
    ! Rows lie with a stride, columns do not.
    call MPI_Irecv(now(0, 1:n), n, MPI_DOUBLE_PRECISION, up, step, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(now(n, 1:n), n, MPI_DOUBLE_PRECISION, down, step, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_Sendrecv(now(1:n, n), n, MPI_DOUBLE_PRECISION, down, step, columns(:, 1), n, MPI_DOUBLE_PRECISION, up, step, &
         MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    ! EXPECT-SKIP
    do j = 1, n
      do i = 1, n
        next(i, j) = 0.2d0 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1) + columns(i, 1))
      end do
    end do
    ! EXPECT-SKIP
    now(1:n, 1:n) = next(1:n, 1:n)
  end do
  ! EXPECT-SKIP
  mine = sum(now)
  call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print *, total
  call MPI_Finalize()
end program
