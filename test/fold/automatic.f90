! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Fortran's automatic arrays: a field of 2 MiB, which decides nothing, and as large a table of counts, which does.
program automatic
  use mpi
  implicit none
  integer :: rank, ranks, error, number
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do number = 1, 6
    call step(262144, number)
  end do
  call MPI_Finalize(error)
contains
  subroutine step(n, number)
    integer, intent(in) :: n, number
    real(8) :: field(n)
    integer :: counts(2*n), i
    do i = 1, 2*n
      counts(i) = mod(i*7 + number, 100)
    end do
    do i = 1, n
      field(i) = 0.5d0*i + rank
    end do
    call MPI_Sendrecv_replace(field, n/2, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 0, mod(rank + ranks - 1, ranks), 0, &
                              MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Bcast(field, counts(1000), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  end subroutine
end program
