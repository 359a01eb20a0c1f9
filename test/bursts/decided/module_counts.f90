! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a count that data decide is an element of a module's array, and MPI gets its address.
module state
  implicit none
  integer, parameter :: n = 1000
  real(8) :: u(n), packed(n), came(n)
  integer :: counts(3)
contains
  subroutine pack_all(step)
    integer, intent(in) :: step
    integer :: i
    counts(2) = 0
    do i = 1, n
      u(i) = u(i) + 0.13d0 * sin(u(i) + step)
      if (u(i) > 0.8d0) then
        counts(2) = counts(2) + 1
        packed(counts(2)) = u(i)
      end if
    end do
  end subroutine
end module

program main
  use mpi
  use state
  implicit none
  integer :: ierror, rank, ranks, step, i, status(MPI_STATUS_SIZE)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do i = 1, n
    u(i) = modulo(0.377d0 * i * (rank + 1), 1d0)
  end do
  do step = 1, 36
    call pack_all(step)
    call MPI_Sendrecv(packed, counts(2), MPI_DOUBLE_PRECISION, modulo(rank + 1, ranks), 1, came, n, MPI_DOUBLE_PRECISION, &
                      modulo(rank - 1, ranks), 1, MPI_COMM_WORLD, status, ierror)
    do i = 1, n
      u(i) = u(i) - 0.01d0 * came(i)
    end do
  end do
  call MPI_Finalize(ierror)
end program
