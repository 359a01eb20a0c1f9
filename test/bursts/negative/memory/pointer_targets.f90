! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: Fortran pointers change targets after each step; a count is read through one of them.
program pointer_targets
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i
  integer, target :: first(1000), second(1000)
  integer, pointer :: now(:), before(:), spare(:)
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  first = 0
  second = 0
  now => first
  before => second
  do step = 1, 12
    ! EXPECT-RUN
    do i = 1, 1000
      now(i) = mod(before(mod(i, 1000) + 1) + i * 7919 + step * 104729 + rank * 1299709, 4093)
    end do
    spare => now
    now => before
    before => spare
    call MPI_Sendrecv(out, before(step * 3), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
