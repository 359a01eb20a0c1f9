! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a solver of Fortran ends by its residual; what it has come to is printed.
program main
  use mpi
  implicit none
  integer, parameter :: n = 300
  real(8), allocatable :: u(:, :), v(:, :)
  real(8) :: change, all
  integer :: ierror, rank, ranks, rounds, i, j
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  allocate (u(n, 20), v(n, 20))
  do j = 1, 20
    do i = 1, n
      u(i, j) = modulo(0.377d0 * i * j * (rank + 1), 1d0)
    end do
  end do
  v = u
  rounds = 0
  do
    rounds = rounds + 1
    change = 0
    do j = 2, 19
      do i = 2, n - 1
        v(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
        change = max(change, abs(v(i, j) - u(i, j)))
      end do
    end do
    u(2:n - 1, 2:19) = v(2:n - 1, 2:19)
    call MPI_Allreduce(change, all, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierror)
    if (all < 1d-3) exit
  end do
  if (rank == 0) print *, 'rounds', rounds
  call MPI_Finalize(ierror)
end program
