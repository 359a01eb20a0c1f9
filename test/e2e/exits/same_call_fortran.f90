! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: two identical calls keep their own lines in Fortran too.
program main
  use mpi
  implicit none
  integer :: ierr, rank, value
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  if (rank == 0) then
    call mpi_recv(value, 1, mpi_integer, 1, 5, mpi_comm_world, mpi_status_ignore, ierr)
  else
    call mpi_recv(value, 1, mpi_integer, 1, 5, mpi_comm_world, mpi_status_ignore, ierr)
  end if
  call mpi_finalize(ierr)
end program
