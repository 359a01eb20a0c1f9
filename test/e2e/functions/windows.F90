! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: one-sided communication in Fortran: windows of all kinds with their base addresses as C_PTR, transfers,
! synchronisation, attributes and error handlers.
#include "interface.inc"
module callbacks
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: copies = 0, removals = 0, calls = 0
contains
  subroutine copy(win, keyval, extra, in, out, flag, error)
    WIN :: win
    integer :: keyval, error
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copies = copies + 1
    error = MPI_SUCCESS
  end subroutine
  subroutine remove(win, keyval, value, extra, error)
    WIN :: win
    integer :: keyval, error
    integer(MPI_ADDRESS_KIND) :: value, extra
    removals = removals + int(value + extra)
    error = MPI_SUCCESS
  end subroutine
  subroutine on_error(win, code)
    WIN :: win
    integer :: code
    calls = calls + 1
  end subroutine
end module

program windows
  use callbacks
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  integer, parameter :: n = 8
  integer(MPI_ADDRESS_KIND), parameter :: bytes = 4 * n
  integer :: rank, ranks, next, previous, failures = 0, error
  integer ASYNC :: memory(n), mine(n)
  WIN :: win
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  next = modulo(rank + 1, ranks)
  previous = modulo(rank - 1, ranks)
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
  call fenced()
  call posted()
  call locked()
  call requested()
  call fetched()
  call named()
  call attributes()
  call handlers()
  call MPI_Win_free(win, error)
  call check(win == MPI_WIN_NULL, 'MPI_Win_free')
  call allocated_window()
  call shared()
  call dynamic()
  call finish('windows')
contains
#include "check.inc"

  integer(MPI_ADDRESS_KIND) function at(number)
    integer, intent(in) :: number
    at = number
  end function

  subroutine fenced()
    memory = 10 * rank
    mine = rank
    call MPI_Win_fence(0, win, error)
    call MPI_Put(mine, 2, MPI_INTEGER, next, at(1), 2, MPI_INTEGER, win, error)
    call MPI_Win_fence(0, win, error)
    call check(all(memory == [10 * rank, previous, previous, 10 * rank, 10 * rank, 10 * rank, 10 * rank, 10 * rank]), 'MPI_Put')
    mine = -1
    call MPI_Get(mine, 2, MPI_INTEGER, next, at(2), 2, MPI_INTEGER, win, error)
    call MPI_Win_fence(0, win, error)
    call check(all(mine(1:2) == [rank, 10 * next]) .and. mine(3) == -1, 'MPI_Get')
    mine = 1
    call MPI_Accumulate(mine, 1, MPI_INTEGER, 0, at(7), 1, MPI_INTEGER, MPI_SUM, win, error)
    call MPI_Win_fence(0, win, error)
    call check(memory(8) == merge(ranks, 10 * rank, rank == 0), 'MPI_Accumulate')
  end subroutine

  subroutine posted()
    GROUP :: all, to, from
    logical :: flag
    call MPI_Win_get_group(win, all, error)
    call MPI_Group_incl(all, 1, [next], to, error)
    call MPI_Group_incl(all, 1, [previous], from, error)
    mine = 100 + rank
    call MPI_Win_post(from, 0, win, error)
    call MPI_Win_start(to, 0, win, error)
    call MPI_Put(mine, 1, MPI_INTEGER, next, at(0), 1, MPI_INTEGER, win, error)
    call MPI_Win_complete(win, error)
    call MPI_Win_wait(win, error)
    call check(memory(1) == 100 + previous, 'MPI_Win_post')
    call MPI_Win_post(from, 0, win, error)
    call MPI_Win_start(to, 0, win, error)
    call MPI_Win_complete(win, error)
    flag = .false.
    do while (.not. flag)
      call MPI_Win_test(win, flag, error)
    end do
    call MPI_Group_free(all, error)
    call MPI_Group_free(to, error)
    call MPI_Group_free(from, error)
  end subroutine

  subroutine locked()
    call MPI_Barrier(MPI_COMM_WORLD, error)
    mine = 200 + rank
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win, error)
    call MPI_Put(mine, 1, MPI_INTEGER, next, at(0), 1, MPI_INTEGER, win, error)
    call MPI_Win_flush_local(next, win, error)
    call MPI_Win_flush(next, win, error)
    call MPI_Win_unlock(next, win, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Win_lock_all(0, win, error)
    call MPI_Win_sync(win, error)
    call check(memory(1) == 200 + previous, 'MPI_Win_lock')
    call MPI_Get(mine, 1, MPI_INTEGER, next, at(0), 1, MPI_INTEGER, win, error)
    call MPI_Win_flush_local_all(win, error)
    call MPI_Win_flush_all(win, error)
    call check(mine(1) == 200 + rank, 'MPI_Win_flush_all')
    call MPI_Win_unlock_all(win, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end subroutine

  subroutine requested()
    integer ASYNC :: got(2), old(2)
    REQUEST :: requests(3)
    memory = rank
    mine = 5
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Win_lock_all(0, win, error)
    call MPI_Rput(mine, 1, MPI_INTEGER, next, at(1), 1, MPI_INTEGER, win, requests(1), error)
    call MPI_Raccumulate(mine, 1, MPI_INTEGER, next, at(2), 1, MPI_INTEGER, MPI_SUM, win, requests(2), error)
    call MPI_Rget(got, 1, MPI_INTEGER, next, at(0), 1, MPI_INTEGER, win, requests(3), error)
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, error)
    call check(got(1) == next, 'MPI_Rget')
    call MPI_Win_flush_all(win, error)
    call MPI_Rget_accumulate(mine, 1, MPI_INTEGER, old, 1, MPI_INTEGER, next, at(3), 1, MPI_INTEGER, MPI_REPLACE, win, &
         requests(1), error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call check(old(1) == next, 'MPI_Rget_accumulate')
    call MPI_Win_unlock_all(win, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call check(all(memory(1:4) == [rank, 5, rank + 5, 5]), 'MPI_Rput')
  end subroutine

  subroutine fetched()
    integer ASYNC :: old, value, expected
    memory = 7
    call MPI_Barrier(MPI_COMM_WORLD, error)
    value = 3
    expected = 7
    call MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win, error)
    call MPI_Fetch_and_op(value, old, MPI_INTEGER, next, at(0), MPI_SUM, win, error)
    call MPI_Win_flush(next, win, error)
    call check(old == 7, 'MPI_Fetch_and_op')
    call MPI_Compare_and_swap(value, expected, old, MPI_INTEGER, next, at(1), win, error)
    call MPI_Win_flush(next, win, error)
    call check(old == 7, 'MPI_Compare_and_swap')
    call MPI_Get_accumulate(value, 1, MPI_INTEGER, old, 1, MPI_INTEGER, next, at(2), 1, MPI_INTEGER, MPI_MAX, win, error)
    call MPI_Win_unlock(next, win, error)
    call check(old == 7, 'MPI_Get_accumulate')
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call check(all(memory(1:4) == [10, 3, 7, 7]), 'what atomic operations leave')
  end subroutine

  subroutine named()
    character(MPI_MAX_OBJECT_NAME) :: name
    integer :: length
    INFO :: info
    call MPI_Win_set_name(win, 'a window', error)
    call MPI_Win_get_name(win, name, length, error)
    call check(name == 'a window' .and. length == 8, 'MPI_Win_get_name')
    call MPI_Win_get_info(win, info, error)
    call MPI_Win_set_info(win, info, error)
    call MPI_Info_free(info, error)
    call check(info == MPI_INFO_NULL, 'MPI_Win_get_info')
  end subroutine

  subroutine attributes()
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Win_create_keyval(copy, remove, keyval, at(100), error)
    call MPI_Win_set_attr(win, keyval, at(7), error)
    call MPI_Win_get_attr(win, keyval, value, flag, error)
    call check(flag .and. value == 7, 'MPI_Win_get_attr')
    call MPI_Win_delete_attr(win, keyval, error)
    call check(removals == 107 .and. copies == 0, 'MPI_Win_delete_attr')
    call MPI_Win_free_keyval(keyval, error)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, error)
    call check(flag .and. value == bytes, 'MPI_WIN_SIZE')
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, error)
    call check(flag .and. value == 4, 'MPI_WIN_DISP_UNIT')
  end subroutine

  subroutine handlers()
    ERRHANDLER :: handler, current
    call MPI_Win_create_errhandler(on_error, handler, error)
    call MPI_Win_set_errhandler(win, handler, error)
    call MPI_Win_get_errhandler(win, current, error)
    call check(current == handler, 'MPI_Win_get_errhandler')
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER, error)
    call check(calls == 1, 'MPI_Win_call_errhandler')
    call MPI_Win_set_errhandler(win, MPI_ERRORS_ARE_FATAL, error)
    call MPI_Errhandler_free(current, error)
    call MPI_Errhandler_free(handler, error)
  end subroutine

  subroutine allocated_window()
    type(c_ptr) :: base
    integer, pointer ASYNC :: own(:)
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, error)
    call c_f_pointer(base, own, [n])
    own = -1
    mine = rank
    call MPI_Win_fence(0, win, error)
    call MPI_Put(mine, 1, MPI_INTEGER, next, at(3), 1, MPI_INTEGER, win, error)
    call MPI_Win_fence(0, win, error)
    call check(own(4) == previous .and. count(own == -1) == n - 1, 'MPI_Win_allocate')
    call MPI_Win_free(win, error)
  end subroutine

  subroutine shared()
    type(c_ptr) :: base
    integer, pointer ASYNC :: own(:), first(:)
    integer(MPI_ADDRESS_KIND) :: size
    integer :: unit
    COMM :: node
    integer :: number, members
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node, error)
    call MPI_Comm_rank(node, number, error)
    call MPI_Comm_size(node, members, error)
    call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, node, base, win, error)
    call c_f_pointer(base, own, [n])
    own = number
    call MPI_Win_fence(0, win, error)
    call MPI_Win_shared_query(win, 0, size, unit, base, error)
    call c_f_pointer(base, first, [n])
    call check(size == bytes .and. unit == 4 .and. all(first == 0), 'MPI_Win_shared_query')
    call MPI_Win_fence(0, win, error)
    call MPI_Win_free(win, error)
    call MPI_Comm_free(node, error)
  end subroutine

  subroutine dynamic()
    integer(MPI_ADDRESS_KIND) :: where, there
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
    call MPI_Win_attach(win, memory, bytes, error)
    call MPI_Get_address(memory, where, error)
    call MPI_Sendrecv(where, 1, MPI_AINT, previous, 1, there, 1, MPI_AINT, next, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    memory = -1
    mine = rank
    call MPI_Win_fence(0, win, error)
    call MPI_Put(mine, 1, MPI_INTEGER, next, MPI_Aint_add(there, at(8)), 1, MPI_INTEGER, win, error)
    call MPI_Win_fence(0, win, error)
    call check(memory(3) == previous, 'MPI_Win_create_dynamic')
    call MPI_Win_detach(win, memory, error)
    call MPI_Win_free(win, error)
  end subroutine
end program
