! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a module variable and a saved local are raised by a called procedure; later they decide messages.
module counters
  implicit none
  integer :: total = 0
contains
  integer function sweep(step, rank)
    integer :: step, rank, i
    integer, save :: seed = 17
    ! EXPECT-RUN
    do i = 1, 1000
      seed = mod(seed * 31 + i + step + rank, 65521)
      if (seed > 50000) total = total + 1
    end do
    sweep = mod(seed, 100)
  end function
end module

program saved_counter
  use mpi
  use counters
  implicit none
  integer :: ierror, rank, ranks, step, last
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do step = 1, 12
    last = sweep(step, rank)
    call MPI_Sendrecv(out, mod(total, 3900) + last, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
