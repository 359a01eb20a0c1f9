! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a count goes through an internal file (a character variable) and through LEN_TRIM.
program internal_file
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i, counted, again
  character(len=40) :: text
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do step = 1, 12
    counted = 0
    ! EXPECT-RUN
    do i = 1, 1000
      if (mod(i * 7919 + step * 104729 + rank * 1299709, 9973) < 3000) counted = counted + 1
    end do
    write (text, '(i0)') counted
    read (text, *) again
    call MPI_Sendrecv(out, again + len_trim(text), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
