! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an index that a loop hands to its kernels by reference lies in memory; each instance writes it before it reads it.
subroutine form(d, i, j, n)
  integer :: i, j, n, m
  double precision :: d(n, n, 4)
  do m = 1, 4
    d(i, j, m) = 0.25d0 * d(i, j, m) + m
  end do
end subroutine

program index_by_reference
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 60
  integer :: ierror, rank, ranks, step, i, j
  double precision :: d(n, n, 4)
  external :: form
  common /mesh/ d
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  d = 1
  do step = 1, 60
    ! EXPECT-SKIP: not frail
    do j = 2, n - 1
      do i = 2, n - 1
        call form(d, i, j, n)
      end do
    end do
    call MPI_Sendrecv(d(1, n - 1, 1), n, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, d(1, 1, 1), n, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    ! EXPECT-SKIP: not frail
    do j = n - 1, 2, -1
      do i = n - 1, 2, -1
        call form(d, i, j, n)
      end do
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end do
  call MPI_Finalize(ierror)
end program
