! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: fixed-form habits: arrays in COMMON, bounds by reference, a kernel per subroutine.
subroutine relax(u, f, n)
  integer :: n, i, j
  double precision :: u(n, n), f(n, n)
  ! EXPECT-SKIP
  do j = 2, n - 1
    do i = 2, n - 1
      u(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j))
    end do
  end do
end subroutine

program common_blocks
  implicit none
  include 'mpif.h'
  integer :: ierror, rank, ranks, step, n
  double precision :: u(200, 200), f(200, 200)
  common /mesh/ u, f
  common /sizes/ n
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  n = 200
  u = 1
  f = 0.5d0
  do step = 1, 100
    call relax(u, f, n)
    call MPI_Sendrecv(u(1, n - 1), n, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, u(1, 1), n, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
