! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: MPI_Abort from Fortran, called while others wait, ends the run with its code.
program abort_fortran
  use mpi_f08
  implicit none
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 3) call MPI_Abort(MPI_COMM_WORLD, 17)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()
end program abort_fortran
