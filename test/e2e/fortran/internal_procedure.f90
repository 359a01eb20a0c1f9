! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an internal procedure that uses its host's variables may be passed on: called by another procedure while all ranks have
! one of theirs, by a procedure within itself, again and again, and by MPI as the function of a reduction.
module calls
  implicit none
  integer :: rank = 0, ranks = 0
contains
  ! Calls what it was given after others had their turn.
  integer function later(what, n) result(got)
    use mpi, only: mpi_barrier, mpi_comm_world
    interface
      integer function what(i)
        integer, intent(in) :: i
      end function
    end interface
    integer, intent(in) :: n
    integer :: error
    call mpi_barrier(mpi_comm_world, error)
    got = what(n)
  end function

  recursive integer function deep(depth) result(got)
    integer, intent(in) :: depth
    integer :: mine
    mine = rank * 1000 + depth
    got = later(add, depth)
    if (depth > 0) got = got + deep(depth - 1) + later(add, 0)
  contains
    integer function add(i)
      integer, intent(in) :: i
      add = mine + i
    end function
  end function

  logical function reduces()
    use mpi
    integer :: op, error, sum, called
    called = 0
    call mpi_op_create(count_and_add, .true., op, error)
    call mpi_allreduce(rank + 1, sum, 1, mpi_integer, op, mpi_comm_world, error)
    call mpi_op_free(op, error)
    reduces = sum == ranks * (ranks + 1) / 2 .and. called <= ranks
  contains
    subroutine count_and_add(in, inout, length, type)
      integer :: length, type
      integer :: in(length), inout(length)
      called = called + 1
      inout = in + inout
    end subroutine
  end function
end module

program internal_procedure
  use mpi
  use calls
  implicit none
  integer :: error, i, wrong, all
  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call mpi_comm_size(mpi_comm_world, ranks, error)
  wrong = 0
  do i = 1, 1000
    ! Depths 2, 1 and 0 add themselves twice; 2 and 1 once more without.
    if (deep(2) /= 5 * rank * 1000 + 2 * (2 + 1) + 2 + 1) wrong = wrong + 1
  end do
  if (.not. reduces()) wrong = wrong + 1
  call mpi_allreduce(wrong, all, 1, mpi_integer, mpi_sum, mpi_comm_world, error)
  if (rank == 0 .and. all == 0) print '(a)', 'internal procedure: PASSED'
  if (rank == 0 .and. all /= 0) print '(a,i0)', 'internal procedure: wrong: ', all
  call mpi_finalize(error)
end program
