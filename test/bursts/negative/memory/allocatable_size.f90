! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an allocatable array is as large as a loop counted, and is sent whole.
program allocatable_size
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i, chosen
  double precision, allocatable :: out(:)
  double precision :: in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do step = 1, 12
    chosen = 1
    ! EXPECT-RUN
    do i = 1, 1000
      if (mod(i * 7919 + step * 104729 + rank * 1299709, 9973) < 4000) chosen = chosen + 1
    end do
    allocate (out(chosen))
    out = step
    call MPI_Sendrecv(out, size(out), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    deallocate (out)
  end do
  call MPI_Finalize(ierror)
end program
