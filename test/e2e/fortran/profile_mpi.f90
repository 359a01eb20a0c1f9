! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a Fortran program's own MPI_Send stands between `use mpi` or mpif.h and PMPI_Send.
subroutine MPI_Send(buf, count, datatype, dest, tag, comm, ierror)
  implicit none
  include 'mpif.h'
  integer :: buf(*), count, datatype, dest, tag, comm, ierror, sends
  common /profile/ sends
  sends = sends + 1
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
end subroutine

program profiled
  use mpi
  implicit none
  integer :: rank, error, request, got, sends
  common /profile/ sends
  sends = 0
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Irecv(got, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, request, error)
  call MPI_Send(rank, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  call old_interface()
  if (got /= rank .or. sends /= 2) error stop 2
  call MPI_Finalize(error)
  if (rank == 0) print '(a)', 'profile: PASSED'
end program

subroutine old_interface()
  implicit none
  include 'mpif.h'
  integer :: rank, error, request, got
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Irecv(got, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, request, error)
  call MPI_Send(rank, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
end subroutine
