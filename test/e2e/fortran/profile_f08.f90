! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a Fortran program's own MPI_X_f08ts and MPI_X_f08 stand between mpi_f08 and PMPI_X, with descriptors passed on; what
! C and the older interfaces call is not touched.
module profile
  implicit none
  integer :: sends = 0, ranks_asked = 0, elements = 0
end module

subroutine MPI_Send_f08ts(buf, count, datatype, dest, tag, comm, ierror)
  use mpi_f08, not_this => MPI_Send_f08ts
  use profile
  implicit none
  type(*), dimension(..), intent(in) :: buf
  integer, intent(in) :: count, dest, tag
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
  sends = sends + 1
  elements = elements + count
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
end subroutine

subroutine MPI_Comm_rank_f08(comm, rank, ierror)
  use mpi_f08, not_this => MPI_Comm_rank_f08
  use profile
  implicit none
  type(MPI_Comm), intent(in) :: comm
  integer, intent(out) :: rank
  integer, optional, intent(out) :: ierror
  ranks_asked = ranks_asked + 1
  call PMPI_Comm_rank(comm, rank, ierror)
end subroutine

program profiled
  use mpi_f08
  use profile
  implicit none
  integer :: rank, code, a(10), b(5)
  type(MPI_Request) :: request
  external :: old_interface
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  call MPI_Irecv(b, 5, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, request)
  call MPI_Send(a(1:10:2), 5, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, code)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  if (code /= MPI_SUCCESS .or. any(b /= [1, 3, 5, 7, 9])) error stop 2
  if (sends /= 1 .or. elements /= 5 .or. ranks_asked /= 1) error stop 3
  call old_interface()
  if (ranks_asked /= 1) error stop 4
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'profile: PASSED'
end program

subroutine old_interface()
  use mpi
  implicit none
  integer :: rank, error
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (error /= MPI_SUCCESS) error stop 5
end subroutine
