! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a computed count lies in an array that is copied by ALLOCATE with SOURCE, and by assignment of a section.
program allocate_source
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  integer, allocatable :: counts(:), copies(:)
  double precision :: x(n), out(64), in(64)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  allocate (counts(8))
  counts = 1
  x = 0
  out = 0
  do step = 1, steps
    ! EXPECT-RUN
    do i = 1, n
      x(i) = 0.5d0 * x(i) + sin(dble(i * step + rank))
    end do
    counts(3) = 1 + mod(int(abs(sum(x))), 40)
    allocate (copies, source=counts)
    call MPI_Sendrecv(out, copies(3), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 64, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    deallocate (copies)
  end do
  call MPI_Finalize(ierror)
end program
