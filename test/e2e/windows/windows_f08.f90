! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: windows from `use mpi_f08`: memory from MPI_Win_allocate through C pointers, sections as
! buffers, operations, synchronisation, attributes, error handlers, optional ierror.
module callbacks
  use mpi_f08
  implicit none
  integer :: seen = 0
contains
  subroutine on_error(win, code)
    type(MPI_Win) :: win
    integer :: code
    seen = code
  end subroutine on_error
end module callbacks

program windows_f08
  use mpi_f08
  use callbacks
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, size, right, left, length, i, key
  integer(MPI_ADDRESS_KIND) :: bytes, value
  type(MPI_Win) :: win
  type(MPI_Info) :: info
  type(MPI_Group) :: world, before, after
  type(MPI_Request) :: request
  type(MPI_Errhandler) :: handler
  type(c_ptr) :: base
  integer, pointer :: part(:)
  integer :: numbers(10), old, one, expected
  logical :: flag
  character(MPI_MAX_OBJECT_NAME) :: name

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  bytes = 40
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, part, [10])
  call MPI_Win_set_name(win, 'halo')
  call MPI_Win_get_name(win, name, length)
  call check(length == 4 .and. name == 'halo', 'name')
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag)
  call check(flag .and. value == 40, 'size')
  call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag)
  call check(flag .and. value == transfer(base, value), 'base')
  call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag)
  call check(flag .and. value == 4, 'displacement unit')
  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
  call MPI_Win_set_attr(win, key, 77_MPI_ADDRESS_KIND)
  call MPI_Win_get_attr(win, key, value, flag)
  call check(flag .and. value == 77, 'attribute')
  call MPI_Win_delete_attr(win, key)
  call MPI_Win_free_keyval(key)

  part = 0
  numbers = [(100 * rank + i, i = 1, 10)]
  call MPI_Win_fence(0, win)
  call MPI_Put(numbers(1:9:2), 5, MPI_INTEGER, right, 2_MPI_ADDRESS_KIND, 5, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call check(part(3) == 100 * left + 1 .and. part(7) == 100 * left + 9 .and. part(8) == 0, 'put')
  call MPI_Accumulate(numbers, 1, MPI_INTEGER, right, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
  call check(part(3) == 2 * (100 * left + 1), 'accumulate')

  call MPI_Win_get_group(win, world)
  call MPI_Group_incl(world, 1, [left], before)
  call MPI_Group_incl(world, 1, [right], after)
  call MPI_Win_post(before, 0, win)
  call MPI_Win_start(after, 0, win)
  call MPI_Put(rank, 1, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
  call MPI_Win_complete(win)
  call MPI_Win_wait(win)
  call check(part(1) == left, 'post and start')

  call MPI_Win_lock_all(0, win)
  one = 1
  call MPI_Fetch_and_op(one, old, MPI_INTEGER, 0, 9_MPI_ADDRESS_KIND, MPI_SUM, win)
  call MPI_Win_flush(0, win)
  call check(old >= 0 .and. old < size, 'fetch_and_op')
  call MPI_Barrier(MPI_COMM_WORLD)
  expected = size
  call MPI_Compare_and_swap(rank, expected, old, MPI_INTEGER, 0, 9_MPI_ADDRESS_KIND, win)
  call MPI_Win_flush_all(win)
  call check(old == size .or. (old >= 0 .and. old < size), 'compare_and_swap')
  call MPI_Rget(old, 1, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check(old == rank, 'rget')
  call MPI_Win_unlock_all(win)

  call MPI_Win_create_errhandler(on_error, handler)
  call MPI_Win_set_errhandler(win, handler)
  call MPI_Errhandler_free(handler)
  call MPI_Win_unlock(0, win)
  call check(seen == MPI_ERR_RMA_SYNC, 'error handler')
  call MPI_Win_call_errhandler(win, MPI_ERR_OTHER)
  call check(seen == MPI_ERR_OTHER, 'called error handler')
  call MPI_Win_get_info(win, info)
  call MPI_Info_free(info)
  call MPI_Group_free(world)
  call MPI_Group_free(before)
  call MPI_Group_free(after)
  call MPI_Win_free(win)
  call check(win == MPI_WIN_NULL, 'freed')
  if (rank == 0) print '(a)', 'windows: PASSED'
  call MPI_Finalize()

contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    print '(a,i0,2a)', 'rank ', rank, ': wrong ', what
    call MPI_Abort(MPI_COMM_WORLD, 9)
  end subroutine check
end program windows_f08
