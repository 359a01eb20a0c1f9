! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: `use mpi` takes choice buffers of any type, kind and rank, and array arguments as programs pass them: whole arrays,
! first elements, arrays of other ranks.
subroutine choice_mpi(ash, poly)
  use mpi
  implicit none
  real :: ash(:,:)
  class(*) :: poly
  real(8) :: a(10,10), x
  integer :: i, st(MPI_STATUS_SIZE), sts(MPI_STATUS_SIZE,3), req(3), r2(2,2), ierr, counts(4)
  logical :: flag, per(2)
  character(len=20) :: s
  complex :: c(3)
  type t1
    integer :: x
    real, allocatable :: y(:)
  end type
  type(t1) :: d(4)
  integer(kind=MPI_ADDRESS_KIND) :: base, dd(3)
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  external myop
  call MPI_INIT(ierr)
  call MPI_Send(a, 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(ash(2,3), 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(ash, 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(s, 10, MPI_CHARACTER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send("abc", 10, MPI_CHARACTER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(d(1)%x, 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Send(3.0, 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, i)
  call MPI_Recv(c, 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, i)
  call MPI_Recv(c, 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, st, i)
  call MPI_Recv(c, 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, sts(1,2), i)
  call MPI_Irecv(a(:,1), 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, req(1), i)
  call MPI_Irecv(a(1,1), 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, r2(1,2), i)
  call MPI_Waitall(3, req, sts, ierr)
  call MPI_Waitall(3, r2, MPI_STATUSES_IGNORE, ierr)
  call MPI_Waitall(3, r2(1,1), sts(1,1), ierr)
  call MPI_Waitany(3, req, i, st, ierr)
  call MPI_Allreduce(MPI_IN_PLACE, a, 5, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Op_create(myop, .true., i, ierr)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, (/2,2/), per, .false., i, ierr)
  call MPI_Type_create_struct(3, (/1,1,1/), dd, (/MPI_INTEGER,MPI_REAL,MPI_REAL8/), i, ierr)
  call MPI_Get_address(d, base, ierr)
  call MPI_Get_address(d(1)%x, base, ierr)
  call MPI_Bcast(poly, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Get_processor_name(name, i, ierr)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, base, flag, ierr)
  call MPI_Type_extent(MPI_REAL, i, ierr)
  call MPI_Alltoallv(a, counts, counts, MPI_REAL8, a, counts, counts, MPI_REAL8, MPI_COMM_WORLD, ierr)
  call MPI_Sizeof(a, i, ierr)
  call MPI_Sizeof(c, i, ierr)
  call MPI_Sizeof(s, i, ierr)
  call MPI_Alloc_mem(100_MPI_ADDRESS_KIND, MPI_INFO_NULL, base, ierr)
  x = MPI_Wtime()
  print *, 'time', mpi_wtime() - x
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, i, 0_MPI_ADDRESS_KIND, ierr)
  call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, i, flag, ierr)
  call MPI_Finalize(ierr)
end subroutine
