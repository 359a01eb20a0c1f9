! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The Fortran half of kernels.c: arrays of modules (allocatable and not), COMMON, module scalars in loops.
module fields
  implicit none
  integer, parameter :: n = 96
  real(8), allocatable :: old(:, :), new(:, :)
  real(8) :: weight = 0.25d0, residual = 0.0d0
  real(8) :: fixed(n, n)
  integer :: lower = 2, upper = n - 1
  integer :: table(256)
contains
  subroutine stencil()
    integer :: i, j
    do j = lower, upper
      do i = lower, upper
        new(i, j) = weight * (old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + old(i, j + 1))
      end do
    end do
  end subroutine
  subroutine relax()
    integer :: i, j
    real(8) :: change
    do j = lower, upper
      do i = lower, upper
        change = weight * (fixed(i - 1, j) + fixed(i + 1, j) + fixed(i, j - 1) + fixed(i, j + 1)) - fixed(i, j)
        fixed(i, j) = fixed(i, j) + 0.8d0 * change
        residual = residual + change * change
      end do
    end do
  end subroutine
  subroutine blocked()
    common /block/ x(4096), y(4096), factor, hits
    real(8) :: x, y, factor
    integer :: hits, i
    do i = 1, 4096
      y(i) = y(i) + factor * x(i)
      if (y(i) > 100.0d0) then
        y(i) = 0.0d0
        hits = hits + 1
      end if
    end do
  end subroutine
end module

program kernels
  use fields
  implicit none
  common /block/ x(4096), y(4096), factor, hits
  real(8) :: x, y, factor
  integer :: hits, i, j, round, rounds
  real(8) :: start, finish, best(3)
  character(16) :: argument
  rounds = 40
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read(argument, *) rounds
  end if
  allocate(old(n, n), new(n, n))
  do j = 1, n
    do i = 1, n
      old(i, j) = mod(i * j, 17)
      fixed(i, j) = mod(i * j, 13)
    end do
  end do
  new = 0
  x = 1.5d0
  y = 0
  factor = 0.5d0
  hits = 0
  best = 1.0d30
  do round = 1, rounds
    call cpu_time(start)
    do i = 1, 200
      !dir$ noinline
      call stencil()
    end do
    call cpu_time(finish)
    best(1) = min(best(1), (finish - start) * 1.0d9 / 200)
    call cpu_time(start)
    do i = 1, 40
      !dir$ noinline
      call relax()
    end do
    call cpu_time(finish)
    best(2) = min(best(2), (finish - start) * 1.0d9 / 40)
    call cpu_time(start)
    do i = 1, 200
      !dir$ noinline
      call blocked()
    end do
    call cpu_time(finish)
    best(3) = min(best(3), (finish - start) * 1.0d9 / 200)
  end do
  print '(a,f12.1,es24.16)', 'f-stencil ', best(1), sum(new)
  print '(a,f12.1,es24.16)', 'f-relax   ', best(2), residual + sum(fixed)
  print '(a,f12.1,es24.16)', 'f-common  ', best(3), sum(y) + hits
end program
