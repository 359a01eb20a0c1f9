! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an allocatable array is summed over all ranks by way of a copy, and assigned to as a whole, which may make its
! memory anew: where it lies rests on no number in it.
module sums
  use mpi
  implicit none
  double precision, allocatable :: population(:), speed(:), flux(:, :)
contains
  subroutine sum_all(value, length)
    integer, intent(in) :: length
    double precision, intent(inout) :: value(length)
    double precision :: copy(length)
    integer :: ierror
    call MPI_Allreduce(value, copy, length, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    value = copy
  end subroutine
  subroutine report(groups)
    integer, intent(in) :: groups
    integer :: i
    do i = 1, groups
      population(i) = sum(flux(:, i))
    end do
    call sum_all(population, groups)
    population = population / speed
  end subroutine
end module
program assigned_sums
  use sums
  implicit none
  integer, parameter :: n = 400, groups = 30, steps = 36
  integer :: rank, step, i, j, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  allocate (population(groups), speed(groups), flux(n, groups))
  speed = 2
  flux = rank
  do step = 1, steps
    ! EXPECT-SKIP: not frail
    do j = 1, groups
      do i = 2, n - 1
        flux(i, j) = 0.5d0 * (flux(i - 1, j) + flux(i + 1, j)) + sin(dble(i * j * step))
      end do
    end do
    call report(groups)
    if (mod(step, 12) == 0) call sum_all(speed, groups)
  end do
  deallocate (population, speed, flux)
  call MPI_Finalize(ierror)
end program
