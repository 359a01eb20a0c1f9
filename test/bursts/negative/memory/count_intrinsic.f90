! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: COUNT of a mask over an array that a loop fills is a message's size.
program count_intrinsic
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i
  double precision :: field(1000), out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  field = 0
  do step = 1, 12
    ! EXPECT-RUN
    do i = 1, 1000
      field(i) = 0.5d0 * field(i) + dble(mod(i * 7919 + step * 104729 + rank * 1299709, 9973)) / 9973
    end do
    call MPI_Sendrecv(out, count(field > 0.9d0), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
