! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: two procedures lay out one COMMON block in two ways: reals in one are counts in the other.
subroutine fill(step, rank)
  integer :: step, rank, i
  integer :: words(2000)
  common /work/ words
  ! EXPECT-RUN
  do i = 1, 2000
    words(i) = mod(i * 7919 + step * 104729 + rank * 1299709, 1000)
  end do
end subroutine

program common_layouts
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, counts(100)
  real :: head(900), tail(1000)
  double precision :: out(4096), in(4096)
  common /work/ head, counts, tail
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do step = 1, 12
    call fill(step, rank)
    call MPI_Sendrecv(out, counts(step), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
