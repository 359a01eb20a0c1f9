! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Each rank allocates an array, computes the same into it and copies it by an assignment; a third one has its values by
! DATA. Ranks wait for each other, then each writes to one column of its copy, and some to what DATA gave.
program arrays
  use mpi_f08
  implicit none
  integer, parameter :: n = 256, rounds = 300
  real(8), allocatable :: table(:, :), copy(:, :)
  real(8), save :: given(40000)
  data given /40000*2.5d0/
  real(8) :: difference, expected, wrong, all
  integer :: rank, i, j
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  allocate(table(n, n))
  do j = 1, n
    do i = 1, n
      table(i, j) = i * 1.5d0 + j * 1000
    end do
  end do
  copy = table
  do i = 1, rounds
    call MPI_Barrier(MPI_COMM_WORLD)
  end do
  copy(:, rank + 1) = copy(:, rank + 1) + rank
  if (mod(rank, 3) == 1) given(7) = rank
  do i = 1, rounds
    call MPI_Barrier(MPI_COMM_WORLD)
  end do
  difference = sum(copy - table) - real(n, 8) * rank + sum(given)
  expected = 100000
  if (mod(rank, 3) == 1) expected = expected - 2.5d0 + rank
  wrong = abs(difference - expected)
  call MPI_Reduce(wrong, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) print '(2a)', 'arrays: ', merge('PASSED', 'FAILED', all == 0)
  call MPI_Finalize()
end program
