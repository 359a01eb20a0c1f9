! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: mpi_f08 takes choice buffers of any type, kind and rank, ierror may be absent, and handles compare.
subroutine choice_f08(n, pointed, shaped, anything)
  use mpi_f08
  implicit none
  integer :: n
  real, pointer :: pointed(:,:)
  real :: shaped(:,:)
  class(*) :: anything
  type record
    integer :: x
    real, allocatable :: y(:)
  end type
  real(8) :: a(10,10), start
  integer :: i, indices(3)
  character(len=20) :: text
  complex :: c(3)
  logical :: l, flag
  type(record) :: r
  real, allocatable :: allocated(:)
  type(MPI_Status) :: status, statuses(3)
  type(MPI_Request) :: requests(3)
  type(MPI_Comm) :: comms(4), comm
  type(MPI_Datatype) :: type
  type(MPI_Op) :: op
  type(MPI_Group) :: group
  type(MPI_Errhandler) :: errhandler
  integer(kind=MPI_ADDRESS_KIND) :: address
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  call MPI_Init()
  call MPI_Send(a, 10, MPI_DOUBLE_PRECISION, 1, 2, MPI_COMM_WORLD)
  call MPI_Send(a(:,2), 10, MPI_REAL8, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(a(1:10:2,1:3), 15, MPI_REAL8, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(a(1,2), 10, MPI_REAL8, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(i, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(3, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(text, 20, MPI_CHARACTER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send("abc", 3, MPI_CHARACTER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(c, 3, MPI_COMPLEX, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(l, 1, MPI_LOGICAL, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(r%x, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(pointed, 10, MPI_REAL, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(shaped, 10, MPI_REAL, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(shaped(2,3), 10, MPI_REAL, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(allocated, 10, MPI_REAL, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(real(a), 100, MPI_REAL, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(anything, 10, MPI_BYTE, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(MPI_BOTTOM, 1, type, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Recv(a, 10, MPI_REAL8, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
  call MPI_Recv(a, 10, MPI_REAL8, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Irecv(a, 10, MPI_REAL8, 1, 2, comms(2), requests(1))
  call MPI_Waitall(3, requests, statuses)
  call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)
  call MPI_Waitsome(3, requests, n, indices, statuses)
  call MPI_Allreduce(MPI_IN_PLACE, a, 5, MPI_REAL8, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Op_create(reduction, .true., op)
  call MPI_Comm_create_errhandler(handler, errhandler)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, i, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_create_keyval(copy, remove, i, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, address, flag)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], [.true., .false.], .false., comm)
  call MPI_Get_address(a, address)
  call MPI_Get_processor_name(name, i)
  call MPI_Comm_group(comm, group)
  call MPI_Sizeof(a, i)
  start = MPI_Wtime()
  print *, MPI_Wtime() - start, comm == MPI_COMM_WORLD, any(comms /= MPI_COMM_NULL), status%MPI_SOURCE, group%MPI_VAL
  call MPI_Finalize()
contains
  subroutine reduction(invec, inoutvec, len, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
  end subroutine
  subroutine handler(comm, code)
    type(MPI_Comm) :: comm
    integer :: code
  end subroutine
  subroutine copy(comm, keyval, extra, in, out, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
  end subroutine
  subroutine remove(comm, keyval, value, extra, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
  end subroutine
end subroutine
