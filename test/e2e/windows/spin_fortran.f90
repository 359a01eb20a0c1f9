! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a Fortran loop on a volatile variable in shared window memory ends when another rank has written it.
program spin
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  type(MPI_Win) :: win
  type(c_ptr) :: base
  integer, pointer :: flag
  integer(MPI_ADDRESS_KIND) :: bytes
  integer :: rank, unit
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  bytes = merge(4, 0, rank == 0)
  call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call MPI_Win_shared_query(win, 0, bytes, unit, base)
  call c_f_pointer(base, flag)
  call MPI_Win_lock_all(0, win)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 1) flag = 7
  call await(flag)
  call MPI_Win_unlock_all(win)
  call MPI_Win_free(win)
  if (rank == 0) print '(a)', 'spin: PASSED'
  call MPI_Finalize()
contains
  subroutine await(value)
    integer, volatile :: value
    do while (value /= 7)
    end do
  end subroutine
end program
