! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: V-cycles of multigrid on a 2-D grid of ranks, with every array in a module and the ranks' neighbours in
! COMMON, find the known solution of (4 + s) u - (sum of the four neighbours of u) = f.
module levels
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0), finest = 4, n0 = 2**(finest - 1)
  type level
    integer :: n = 0
    real(dp) :: shift = 0
    real(dp), allocatable :: u(:, :), f(:, :), r(:, :)
  end type level
  type(level), save :: grid(finest)
contains
  subroutine exchange(a, n)
    integer, intent(in) :: n
    real(dp), intent(inout) :: a(0:n + 1, 0:n + 1)
    integer :: west, east, south, north, me, error
    common /neighbours/ west, east, south, north, me
    real(dp) :: out(n), in(n)
    out = a(n, 1:n)
    in = 0
    call MPI_Sendrecv(out, n, MPI_DOUBLE_PRECISION, east, 1, in, n, MPI_DOUBLE_PRECISION, west, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, error)
    a(0, 1:n) = in
    out = a(1, 1:n)
    in = 0
    call MPI_Sendrecv(out, n, MPI_DOUBLE_PRECISION, west, 2, in, n, MPI_DOUBLE_PRECISION, east, 2, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, error)
    a(n + 1, 1:n) = in
    call MPI_Sendrecv(a(1:n, n), n, MPI_DOUBLE_PRECISION, north, 3, in, n, MPI_DOUBLE_PRECISION, south, 3, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    a(1:n, 0) = merge(in, 0.0_dp, south /= MPI_PROC_NULL)
    call MPI_Sendrecv(a(1:n, 1), n, MPI_DOUBLE_PRECISION, south, 4, in, n, MPI_DOUBLE_PRECISION, north, 4, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    a(1:n, n + 1) = merge(in, 0.0_dp, north /= MPI_PROC_NULL)
  end subroutine exchange

  ! a times the operator, halo exchanged first.
  subroutine apply(a, n, shift, result)
    integer, intent(in) :: n
    real(dp), intent(inout) :: a(0:n + 1, 0:n + 1)
    real(dp), intent(in) :: shift
    real(dp), intent(out) :: result(0:n + 1, 0:n + 1)
    call exchange(a, n)
    result = 0
    result(1:n, 1:n) = (4 + shift)*a(1:n, 1:n) - a(0:n - 1, 1:n) - a(2:n + 1, 1:n) - a(1:n, 0:n - 1) - a(1:n, 2:n + 1)
  end subroutine apply

  subroutine smooth(g, sweeps)
    type(level), intent(inout) :: g
    integer, intent(in) :: sweeps
    integer :: sweep
    do sweep = 1, sweeps
      call apply(g%u, g%n, g%shift, g%r)
      g%u = g%u + 0.8_dp*(g%f - g%r)/(4 + g%shift)
    end do
  end subroutine smooth

  recursive subroutine cycle(l)
    integer, intent(in) :: l
    integer :: i, j, m
    call smooth(grid(l), merge(12, 3, l == 1))
    if (l == 1) return
    associate (fine => grid(l), coarse => grid(l - 1))
      call apply(fine%u, fine%n, fine%shift, fine%r)
      fine%r = fine%f - fine%r
      m = coarse%n
      coarse%f(1:m, 1:m) = fine%r(1:2*m:2, 1:2*m:2) + fine%r(2:2*m:2, 1:2*m:2) + fine%r(1:2*m:2, 2:2*m:2) &
                           + fine%r(2:2*m:2, 2:2*m:2)
      coarse%u = 0
      call cycle(l - 1)
      do j = 1, fine%n
        do i = 1, fine%n
          fine%u(i, j) = fine%u(i, j) + 0.5_dp*coarse%u((i + 1)/2, (j + 1)/2)
        end do
      end do
    end associate
    call smooth(grid(l), 3)
  end subroutine cycle
end module levels

program multigrid
  use levels
  implicit none
  integer :: west, east, south, north, me, error, size, dims(2) = 0, i, j, l, cycles, x, y
  common /neighbours/ west, east, south, north, me
  real(dp), allocatable :: known(:, :)
  real(dp) :: mine, worst
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call MPI_Dims_create(size, 2, dims, error)
  x = mod(me, dims(1))
  y = me/dims(1)
  west = merge(me - 1, MPI_PROC_NULL, x > 0)
  east = merge(me + 1, MPI_PROC_NULL, x < dims(1) - 1)
  south = merge(me - dims(1), MPI_PROC_NULL, y > 0)
  north = merge(me + dims(1), MPI_PROC_NULL, y < dims(2) - 1)
  do l = 1, finest
    grid(l)%n = 2**(l - 1)
    grid(l)%shift = 0.5_dp*4**(finest - l)
    allocate (grid(l)%u(0:grid(l)%n + 1, 0:grid(l)%n + 1), source=0.0_dp)
    allocate (grid(l)%f, grid(l)%r, source=grid(l)%u)
  end do
  allocate (known, source=grid(finest)%u)
  forall (i=1:n0, j=1:n0) known(i, j) = modulo((x*n0 + i)*3 + (y*n0 + j)*5, 7) - 3
  call apply(known, n0, grid(finest)%shift, grid(finest)%f)
  do cycles = 1, 100
    call cycle(finest)
    mine = maxval(abs(grid(finest)%u(1:n0, 1:n0) - known(1:n0, 1:n0)))
    call MPI_Allreduce(mine, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
    if (worst < 1.0e-8_dp) exit
  end do
  if (me == 0) print '(a,i0,a,es9.2,2a)', 'multigrid: ', cycles, ' cycles, error ', worst, ' verification ', &
    merge('SUCCESSFUL', 'FAILED    ', worst < 1.0e-8_dp)
  call MPI_Finalize(error)
end program multigrid
