! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a count is written to a record and read again.
program direct_access
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i, counted, again, unit
  character(len=20) :: name
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  write (name, '(a,i0)') 'count.', rank
  open (newunit=unit, file=name, status='replace', form='unformatted', access='direct', recl=4)
  do step = 1, 12
    counted = 0
    ! EXPECT-RUN
    do i = 1, 1000
      if (mod(i * 7919 + step * 104729 + rank * 1299709, 9973) < 3000) counted = counted + 1
    end do
    write (unit, rec=2) counted
    read (unit, rec=2) again
    call MPI_Sendrecv(out, again, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  close (unit)
  call MPI_Finalize(ierror)
end program
