! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: what goes through a section of mpi_f08 and comes back as a count is control, on both sides of the message; and so is
! where a pointer that a descriptor is made of leads.
program control_in_sections
  use mpi_f08
  implicit none
  integer, parameter :: n = 64
  integer :: rank, ranks, i, next, previous, count
  integer, target, asynchronous :: plan(2 * n), got(2 * n)
  integer, pointer :: behind(:)
  double precision :: work(n), incoming(n)
  type(MPI_Request) :: requests(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = modulo(rank + 1, ranks)
  previous = modulo(rank - 1, ranks)
  ! EXPECT-RUN
  do i = 1, 2 * n
    plan(i) = modulo(rank * 7 + i * i, n)
  end do
  got = 0
  behind => got(1:2 * n:2)
  call MPI_Irecv(behind, n, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(plan(2:2 * n:2), n, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  ! EXPECT-SKIP
  do i = 1, n
    work(i) = rank + sqrt(dble(i))
  end do
  do i = 1, 9, 2
    count = got(i)
    call MPI_Sendrecv(work, plan(i + 1), MPI_DOUBLE_PRECISION, next, 2, incoming, count, MPI_DOUBLE_PRECISION, previous, 2, &
         MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end do
  if (incoming(1) < 0) print *, incoming(1)
  call MPI_Finalize()
end program
