! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: the size of a seed is written to the variable that its descriptor names, and nowhere else.
module fields
  double precision, allocatable :: grid(:, :), edge(:)
end module

program seeds
  use fields
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 200
  integer :: ierror, rank, ranks, step, i, j, length
  integer, allocatable :: seed(:)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  allocate(grid(n, n), edge(n))
  call random_seed(size=length)
  allocate(seed(length))
  seed(:) = 8
  call random_seed(put=seed)
  call random_seed(get=seed)
  call random_number(edge)
  grid = 1
  do step = 1, 60
    ! EXPECT-SKIP: not frail
    do j = 2, n - 1
      do i = 2, n - 1
        grid(i, j) = 0.25d0 * (grid(i - 1, j) + grid(i + 1, j) + grid(i, j - 1)) + edge(i)
      end do
    end do
    call MPI_Sendrecv(grid(1, n - 1), n, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, &
                      grid(1, 1), n, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
