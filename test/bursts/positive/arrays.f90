! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: allocatables in a derived type and whole-array expressions.
module fields
  implicit none
  type grid
    integer :: n
    double precision, allocatable :: now(:, :), next(:, :)
  end type
contains
  subroutine advance(g)
    type(grid), intent(inout) :: g
    integer :: i, j
    ! EXPECT-SKIP
    do j = 2, g%n - 1
      do i = 2, g%n - 1
        g%next(i, j) = 0.25d0 * (g%now(i - 1, j) + g%now(i + 1, j) + g%now(i, j - 1) + g%now(i, j + 1))
      end do
    end do
    ! EXPECT-SKIP
    g%now = g%next
  end subroutine
end module

program arrays
  use mpi
  use fields
  implicit none
  integer :: ierror, rank, ranks, step
  type(grid) :: g
  double precision :: total, mine
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  g%n = 200
  allocate (g%now(g%n, g%n), g%next(g%n, g%n))
  g%now = rank
  g%next = 0
  do step = 1, 100
    call advance(g)
    mine = sum(g%now)
    call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    g%now(1, 1) = total
  end do
  call MPI_Finalize(ierror)
end program
