! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a deadlock in Fortran is reported with source lines of the Fortran file; exit 3.
program deadlock_fortran
  include 'mpif.h'
  integer :: rank, error, value
  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  if (rank == 0) call MPI_RECV(value, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_FINALIZE(error)
end program deadlock_fortran
