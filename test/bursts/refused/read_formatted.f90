! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a file is written formatted by one unit, and read by another, whose name the compiler cannot know to be the same.
! REFUSED: rank [0-3] reads count\.[0-3], which rank [0-3] has written.*read at read_formatted\.f90
program read_formatted
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i, counted, again
  character(len=20) :: name, other
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  write (name, '(a,i0)') 'count.', rank
  write (other, '(a,i0)') 'count.', rank
  do step = 1, 12
    counted = 0
    do i = 1, 1000
      if (mod(i * 7919 + step * 104729 + rank * 1299709, 9973) < 3000) counted = counted + 1
    end do
    open (unit=10, file=name)
    write (10, *) counted
    close (10)
    open (unit=11, file=other, status='old')
    read (11, *) again
    close (11)
    call MPI_Sendrecv(out, again, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
