! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! COMMON blocks: a table of counts, which decides, and two fields, which do not; and a field of a module, with values to
! begin with.
module start
  real(8) :: first(65536) = 1.5d0
end module

program globals
  use mpi
  use start
  implicit none
  integer, parameter :: n = 131072
  real(8) :: now(n), next(n)
  integer :: counts(n)
  common /table/ counts
  common /fields/ now, next
  integer :: rank, ranks, error, step, i
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do i = 1, n
    counts(i) = mod(i*7, 1000)
  end do
  do step = 1, 8
    do i = 1, n
      next(i) = 0.5d0*now(i) + first(mod(i, 65536) + 1) + rank
    end do
    first(1:1000) = next(1:1000)
    call MPI_Sendrecv(next, counts(step), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 0, now, n, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end do
  call MPI_Finalize(error)
end program
