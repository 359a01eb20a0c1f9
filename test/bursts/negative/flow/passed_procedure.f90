! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an internal procedure that is passed on, and called through a trampoline, counts how many messages its host sends.
program passed_procedure
  use mpi
  implicit none
  integer :: error, step
  call mpi_init(error)
  do step = 1, 30
    call host(step)
  end do
  call mpi_finalize(error)
end program

subroutine host(step)
  use mpi
  implicit none
  integer, intent(in) :: step
  integer :: messages, i, error, sum
  real(8) :: work(2048)
  messages = 0
  work = step
  call each(count_some, work, 1, 2048)
  do i = 1, messages
    call mpi_allreduce(i, sum, 1, mpi_integer, mpi_sum, mpi_comm_world, error)
  end do
contains
  subroutine count_some(value, i)
    real(8) :: value
    integer :: i
    value = sqrt(value + i)
    if (mod(i, 500) == 0) messages = messages + mod(step, 3)
  end subroutine
end subroutine

! Calls itself in two places, so that no call of the procedure becomes a plain one.
recursive subroutine each(procedure, work, first, last)
  implicit none
  external :: procedure
  integer :: first, last
  real(8) :: work(*)
  if (first == last) then
    call procedure(work(first), first)
  else
    call each(procedure, work, first, (first + last) / 2)
    call each(procedure, work, (first + last) / 2 + 1, last)
  end if
end subroutine
