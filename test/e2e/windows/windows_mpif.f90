! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: windows from mpif.h: a COMMON block as the window of each rank, operations, groups, locks,
! attributes, the null window.
program windows_mpif
  implicit none
  include 'mpif.h'
  integer rank, size, right, left, ierr, win, world, before, after, mine, old, i
  integer table(8)
  common /memory/ table
  integer(kind=MPI_ADDRESS_KIND) bytes, value
  logical flag
  character(len=MPI_MAX_OBJECT_NAME) name

  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  do i = 1, 8
    table(i) = -1
  end do
  bytes = 32
  call MPI_WIN_CREATE(table, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_WIN_SET_NAME(win, 'memory', ierr)
  call MPI_WIN_GET_NAME(win, name, i, ierr)
  if (i .ne. 6 .or. name .ne. 'memory') call wrong(1)
  call MPI_WIN_GET_ATTR(win, MPI_WIN_SIZE, value, flag, ierr)
  if (.not. flag .or. value .ne. 32) call wrong(2)
  call MPI_WIN_GET_ATTR(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierr)
  if (.not. flag .or. value .ne. MPI_WIN_FLAVOR_CREATE) call wrong(3)

  value = 4
  call MPI_WIN_FENCE(0, win, ierr)
  call MPI_PUT(rank, 1, MPI_INTEGER, right, value, 1, MPI_INTEGER, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  if (table(5) .ne. left) call wrong(4)
  call MPI_GET(mine, 1, MPI_INTEGER, right, value, 1, MPI_INTEGER, win, ierr)
  call MPI_WIN_FENCE(MPI_MODE_NOSUCCEED, win, ierr)
  if (mine .ne. rank) call wrong(5)

  call MPI_WIN_GET_GROUP(win, world, ierr)
  call MPI_GROUP_INCL(world, 1, left, before, ierr)
  call MPI_GROUP_INCL(world, 1, right, after, ierr)
  call MPI_WIN_POST(before, 0, win, ierr)
  call MPI_WIN_START(after, 0, win, ierr)
  call MPI_ACCUMULATE(rank, 1, MPI_INTEGER, right, value, 1, MPI_INTEGER, MPI_SUM, win, ierr)
  call MPI_WIN_COMPLETE(win, ierr)
  flag = .false.
  do while (.not. flag)
    call MPI_WIN_TEST(win, flag, ierr)
  end do
  if (table(5) .ne. 2 * left) call wrong(6)

  call MPI_WIN_LOCK(MPI_LOCK_SHARED, right, 0, win, ierr)
  call MPI_FETCH_AND_OP(rank, old, MPI_INTEGER, right, value, MPI_REPLACE, win, ierr)
  call MPI_WIN_FLUSH(right, win, ierr)
  call MPI_WIN_UNLOCK(right, win, ierr)
  if (old .ne. 2 * rank) call wrong(7)
  call MPI_BARRIER(MPI_COMM_WORLD, ierr)
  if (table(5) .ne. left) call wrong(8)
  call MPI_GROUP_FREE(world, ierr)
  call MPI_GROUP_FREE(before, ierr)
  call MPI_GROUP_FREE(after, ierr)
  call MPI_WIN_FREE(win, ierr)
  if (win .ne. MPI_WIN_NULL) call wrong(9)
  if (rank .eq. 0) print '(a)', 'windows: PASSED'
  call MPI_FINALIZE(ierr)
end program windows_mpif

subroutine wrong(which)
  implicit none
  include 'mpif.h'
  integer which, ierr
  print '(a,i0)', 'wrong: check ', which
  call MPI_ABORT(MPI_COMM_WORLD, 9, ierr)
end subroutine wrong
