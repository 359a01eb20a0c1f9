! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: what Fortran's runtime ends is told by the line of the program that called it.
program bad_number_fortran
  use mpi
  implicit none
  integer :: ierror, rank, number
  character(8) :: text
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  text = '7'
  if (rank == 2) text = 'zz'
  read (text, *) number
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
end program
