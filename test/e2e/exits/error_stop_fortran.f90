! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: ERROR STOP on a rank while the others wait ends the run, not in a deadlock but with its code and a text.
program error_stop_fortran
  use mpi
  implicit none
  integer :: rank, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (rank == 1) error stop 9
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program error_stop_fortran
