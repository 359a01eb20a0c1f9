! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: calls through mpif.h: messages, requests, collectives, communicators, as 4 ranks make them.
program calls
  implicit none
  include 'mpif.h'
  integer :: rank, ranks, left, right, ierror, round, half, grid, count, i
  integer :: requests(3), indices(3), statuses(MPI_STATUS_SIZE, 3), status(MPI_STATUS_SIZE)
  integer :: sizes(2) = [2, 2]
  logical :: periods(2) = [.true., .false.], flag
  double precision :: in(64), out(64), begin
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  left = mod(rank + ranks - 1, ranks)
  right = mod(rank + 1, ranks)
  out = rank
  begin = MPI_Wtime()
  call MPI_Sendrecv(out, 8, MPI_DOUBLE_PRECISION, right, 1, in, 64, MPI_DOUBLE_PRECISION, left, MPI_ANY_TAG, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  do round = 1, 5
    call MPI_Irecv(in, 16, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(in(17), 16, MPI_REAL, left, 4, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Isend(out, 16, MPI_DOUBLE_PRECISION, right, 3, MPI_COMM_WORLD, requests(3), ierror)
    call MPI_Send(out, 8, MPI_REAL, right, 4, MPI_COMM_WORLD, ierror)
    call MPI_Wait(requests(1), status, ierror)
    call MPI_Waitall(3, requests, statuses, ierror)
  end do
  call MPI_Irecv(in, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Send(out, 4, MPI_INTEGER, right, 5, MPI_COMM_WORLD, ierror)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE, ierror)
  end do
  requests = MPI_REQUEST_NULL
  call MPI_Irecv(in, 4, MPI_INTEGER, left, 6, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Send(out, 4, MPI_INTEGER, right, 6, MPI_COMM_WORLD, ierror)
  call MPI_Waitsome(3, requests, count, indices, statuses, ierror)
  call MPI_Send_init(out, 5, MPI_INTEGER, right, 7, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Recv_init(in, 5, MPI_INTEGER, left, 7, MPI_COMM_WORLD, requests(2), ierror)
  do round = 1, 3
    call MPI_Startall(2, requests, ierror)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
  end do
  call MPI_Request_free(requests(1), ierror)
  call MPI_Request_free(requests(2), ierror)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierror)
  call MPI_Bcast(out, 7, MPI_INTEGER, 1, half, ierror)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, .false., grid, ierror)
  call MPI_Barrier(grid, ierror)
  do i = 1, 1000
    in(mod(i, 64) + 1) = in(mod(i, 64) + 1) * 0.5d0 + i
  end do
  call MPI_Allreduce(MPI_IN_PLACE, in, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Gather(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  call MPI_Alltoall(out, 2, MPI_REAL, in, 2, MPI_REAL, MPI_COMM_WORLD, ierror)
  call MPI_Reduce(out, in, 3, MPI_DOUBLE_PRECISION, MPI_MAX, 0, half, ierror)
  call MPI_Comm_free(half, ierror)
  call MPI_Comm_free(grid, ierror)
  if (MPI_Wtime() < begin) print *, 'the clock goes backwards'
  call MPI_Finalize(ierror)
end program
