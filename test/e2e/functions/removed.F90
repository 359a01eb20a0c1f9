! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: the procedures of MPI-1 that MPI has removed or deprecated, and their default INTEGERs, work in old programs.
#include "interface.inc"
program removed
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, ranks, failures = 0, error, calls
  common /counted/ calls
  external :: counts_errors
  calls = 0
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call types()
  call handlers()
  call attributes()
  call finish('removed')
contains
#include "check.inc"

  !> Whether one element of the type is these of the numbers 1, 2, 3…; frees the type.
  subroutine picks(type, elements, what)
    integer, intent(inout) :: type
    integer, intent(in) :: elements(:)
    character(*), intent(in) :: what
    integer :: from(30), to(30), i, count
    from = [(i, i = 1, 30)]
    to = -1
    count = size(elements)
    call MPI_Type_commit(type, error)
    call MPI_Sendrecv(from, 1, type, 0, 1, to, count, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, error)
    call check(all(to(1:count) == elements), what)
    call MPI_Type_free(type, error)
  end subroutine

  subroutine types()
    integer :: type, extent, lower, upper, first, second, pair(2)
    call MPI_Type_hvector(2, 1, 12, MPI_INTEGER, type, error)
    call picks(type, [1, 4], 'MPI_Type_hvector')
    call MPI_Type_hindexed(2, [1, 2], [4, 16], MPI_INTEGER, type, error)
    call picks(type, [2, 5, 6], 'MPI_Type_hindexed')
    call MPI_Type_struct(3, [1, 1, 1], [0, 8, 40], [MPI_INTEGER, MPI_INTEGER, MPI_UB], type, error)
    call MPI_Type_extent(type, extent, error)
    call MPI_Type_lb(type, lower, error)
    call MPI_Type_ub(type, upper, error)
    call check(extent == 40 .and. lower == 0 .and. upper == 40, 'MPI_UB')
    call picks(type, [1, 3], 'MPI_Type_struct')
    call MPI_Address(pair(1), first, error)
    call MPI_Address(pair(2), second, error)
    call check(second - first == 4, 'MPI_Address')
  end subroutine

  subroutine handlers()
    integer :: handler, current
    call MPI_Errhandler_create(counts_errors, handler, error)
    call MPI_Errhandler_set(MPI_COMM_SELF, handler, error)
    call MPI_Errhandler_get(MPI_COMM_SELF, current, error)
    call check(current == handler, 'MPI_Errhandler_get')
    call MPI_Send(rank, 1, MPI_INTEGER, 77, 1, MPI_COMM_SELF, error)
    call check(calls == 1, 'MPI_Errhandler_set')
    call MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL, error)
  end subroutine

  subroutine attributes()
    integer :: keyval, value, comm
    logical :: flag
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, error)
    call MPI_Attr_put(MPI_COMM_SELF, keyval, -5, error)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, error)
    call MPI_Attr_get(comm, keyval, value, flag, error)
    call check(flag .and. value == -5, 'MPI_Attr_get')
    call MPI_Attr_delete(comm, keyval, error)
    call MPI_Attr_get(comm, keyval, value, flag, error)
    call check(.not. flag, 'MPI_Attr_delete')
    call MPI_Comm_free(comm, error)
    call MPI_Attr_delete(MPI_COMM_SELF, keyval, error)
    call MPI_Keyval_free(keyval, error)
    call check(keyval == MPI_KEYVAL_INVALID, 'MPI_Keyval_free')
  end subroutine
end program

subroutine counts_errors(comm, code)
  integer :: comm, code, calls
  common /counted/ calls
  calls = calls + 1
end subroutine
