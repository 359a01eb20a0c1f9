! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an operation of a Fortran program's own, that does the same work whatever it reduces.
module operations
  implicit none
contains
  subroutine least_of(in, inout, length, type)
    integer, intent(in) :: length, type
    real(8), intent(in) :: in(2, length)
    real(8), intent(inout) :: inout(2, length)
    integer :: i
    do i = 1, length
      if (in(1, i) < inout(1, i)) inout(:, i) = in(:, i)
    end do
  end subroutine
end module

program own_operation
  use mpi
  use operations
  implicit none
  integer, parameter :: n = 1000
  real(8) :: field(n), mine(2), all(2)
  integer :: rank, ierror, step, i, op, pair
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Type_contiguous(2, MPI_REAL8, pair, ierror)
  call MPI_Type_commit(pair, ierror)
  call MPI_Op_create(least_of, .true., op, ierror)
  field = rank
  do step = 1, 12
    mine = [1d30, 0d0]
    ! EXPECT-SKIP: not frail
    do i = 1, n
      field(i) = 0.5d0 * field(i) + mod(i * 7919 + step * 104729 + rank * 31, 1009) / 1009d0
      if (field(i) < mine(1)) mine = [field(i), dble(i)]
    end do
    call MPI_Allreduce(mine, all, 1, pair, op, MPI_COMM_WORLD, ierror)
  end do
  call MPI_Op_free(op, ierror)
  call MPI_Finalize(ierror)
end program
