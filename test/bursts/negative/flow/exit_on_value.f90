! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: EXIT leaves a named outer loop on a value; the index where it was left is a message's size.
program exit_on_value
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i, j, place
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do step = 1, 12
    place = 0
    ! EXPECT-RUN
    outer: do i = 1, 60
      do j = 1, 60
        place = place + 1
        if (mod(place * 7919 + step * 104729 + rank * 1299709, 9973) < 12) exit outer
      end do
    end do outer
    call MPI_Sendrecv(out, place, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
