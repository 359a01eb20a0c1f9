! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: windows from `use mpi`: memory from MPI_Win_allocate and MPI_Win_allocate_shared through C
! pointers, a dynamic window, operations, synchronisation, attributes with callbacks.
module callbacks
  use mpi
  implicit none
  integer :: deleted = 0, seen = 0
contains
  subroutine on_delete(win, keyval, value, extra, ierror)
    integer :: win, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    if (value == 12 .and. extra == 34) deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine on_delete
  subroutine on_error(win, code)
    integer :: win, code
    seen = code
  end subroutine on_error
end module callbacks

program windows_mpi
  use callbacks
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, size, right, left, ierr, win, key, unit, handler, alone, i
  integer(MPI_ADDRESS_KIND) :: bytes, value, place, theirs
  type(c_ptr) :: base
  double precision, pointer :: part(:)
  integer, target :: numbers(4)
  double precision :: mine(3), old(3)
  logical :: flag

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)

  bytes = 24
  call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
  call c_f_pointer(base, part, [3])
  part = 0.5d0
  mine = [(rank + 10.0d0 * i, i = 1, 3)]
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win, ierr)
  call MPI_Put(mine, 3, MPI_DOUBLE_PRECISION, right, 0_MPI_ADDRESS_KIND, 3, MPI_DOUBLE_PRECISION, win, ierr)
  call MPI_Win_unlock(right, win, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call check(all(part == [(left + 10.0d0 * i, i = 1, 3)]), 'put')
  call MPI_Win_fence(0, win, ierr)
  call MPI_Get_accumulate(mine, 3, MPI_DOUBLE_PRECISION, old, 3, MPI_DOUBLE_PRECISION, right, 0_MPI_ADDRESS_KIND, &
                          3, MPI_DOUBLE_PRECISION, MPI_SUM, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call check(all(old == mine) .and. part(2) == 2 * (left + 20.0d0), 'get_accumulate')

  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, key, 34_MPI_ADDRESS_KIND, ierr)
  call MPI_Win_set_attr(win, key, 12_MPI_ADDRESS_KIND, ierr)
  call MPI_Win_get_attr(win, key, value, flag, ierr)
  call check(flag .and. value == 12, 'attribute')
  call MPI_Win_get_attr(win, MPI_WIN_MODEL, value, flag, ierr)
  call check(flag .and. value == MPI_WIN_UNIFIED, 'model')
  call MPI_Win_create_errhandler(on_error, handler, ierr)
  call MPI_Win_set_errhandler(win, handler, ierr)
  call MPI_Win_complete(win, ierr)
  call check(ierr == MPI_ERR_RMA_SYNC .and. seen == ierr, 'error handler')
  call MPI_Errhandler_free(handler, ierr)
  call MPI_Win_free(win, ierr)
  call check(deleted == 1 .and. win == MPI_WIN_NULL, 'free')

  numbers = 0
  call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_attach(win, numbers, 16_MPI_ADDRESS_KIND, ierr)
  call MPI_Get_address(numbers(3), place, ierr)
  call MPI_Sendrecv(place, 1, MPI_AINT, left, 1, theirs, 1, MPI_AINT, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Win_fence(0, win, ierr)
  call MPI_Put(rank, 1, MPI_INTEGER, right, theirs, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call check(numbers(3) == left .and. numbers(4) == 0, 'dynamic')
  call MPI_Win_detach(win, numbers, ierr)
  call MPI_Win_free(win, ierr)

  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, alone, ierr)
  call MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, alone, base, win, ierr)
  call MPI_Win_shared_query(win, 0, bytes, unit, base, ierr)
  call c_f_pointer(base, part, [3])
  call check(bytes == 24 .and. unit == 8 .and. part(1) == 0, 'shared')
  call MPI_Win_free(win, ierr)
  call MPI_Comm_free(alone, ierr)
  if (rank == 0) print '(a)', 'windows: PASSED'
  call MPI_Finalize(ierr)

contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    print '(a,i0,2a)', 'rank ', rank, ': wrong ', what
    call MPI_Abort(MPI_COMM_WORLD, 9, ierr)
  end subroutine check
end program windows_mpi
