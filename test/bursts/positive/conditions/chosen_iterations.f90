! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a negative tolerance is a number of iterations; it comes by reference through two procedures.
subroutine sweep(n, u, change)
  implicit none
  integer :: n, i, j
  real(8) :: u(n, 20), change
  change = 0
  ! EXPECT-SKIP: not frail
  do j = 2, 19
    do i = 2, n - 1
      change = max(change, abs(0.1d0 * (1 - u(i, j))))
      u(i, j) = 0.9d0 * u(i, j) + 0.1d0
    end do
  end do
end subroutine

subroutine iterate(n, u, epsi, rounds)
  use mpi
  implicit none
  integer :: n, rounds, ierror
  real(8) :: u(n, 20), epsi, change, all
  rounds = 0
111 continue
  rounds = rounds + 1
  call sweep(n, u, change)
  call MPI_Allreduce(change, all, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierror)
  if ((all > epsi .and. epsi >= 0) .or. (rounds < int(-epsi + .99) .and. epsi < 0)) go to 111
end subroutine

program main
  use mpi
  implicit none
  integer, parameter :: n = 1000
  real(8) :: u(n, 20), epsi
  integer :: ierror, rank, rounds, i, j
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  epsi = -40
  if (command_argument_count() > 0) epsi = 1d-3
  call MPI_Bcast(epsi, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror)
  do j = 1, 20
    do i = 1, n
      u(i, j) = modulo(0.377d0 * i * j * (rank + 1), 1d0)
    end do
  end do
  call iterate(n, u, epsi, rounds)
  if (rank == 0) print *, 'rounds', rounds
  call MPI_Finalize(ierror)
end program
