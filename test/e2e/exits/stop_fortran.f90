! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: STOP 6 on one rank after MPI_Finalize ends that rank only; the others print, the exit code is 6.
program stop_fortran
  use mpi
  implicit none
  integer :: rank, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Finalize(error)
  if (rank == 1) stop 6
  print '(a,i0)', 'still here: ', rank
end program stop_fortran
