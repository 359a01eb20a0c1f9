! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a kernel writes to the console when the time step that it computes is small (CloverLeaf's calc_dt_kernel).
program printed_in_kernel_fortran
  use mpi
  implicit none
  integer, parameter :: n = 200, steps = 36
  double precision :: speed(n, n), least, out(64), in(64)
  integer :: rank, ranks, step, tile, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  speed = 1
  out = 0
  do step = 1, steps
    ! EXPECT-SKIP: not frail
    do tile = 1, 4
      call kernel(speed, step, least)
    end do
    call MPI_Sendrecv(out, 1 + mod(step, 3), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 64, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine kernel(speed, step, least)
    double precision, intent(inout) :: speed(:, :)
    integer, intent(in) :: step
    double precision, intent(out) :: least
    integer :: i, j, control, small
    small = 0
    least = 1d30
    do j = 2, n - 1
      do i = 2, n - 1
        speed(i, j) = 0.25d0 * (speed(i - 1, j) + speed(i + 1, j) + 2 * speed(i, j)) + 0.1d0 * sin(dble(i * j * step + rank))
        least = min(least, 1d0 / abs(speed(i, j) + 3))
      end do
    end do
    control = 1 + mod(step, n)
    if (least < 0.24d0) small = 1
    if (small /= 0) then
      write (0, *) 'Timestep information:'
      write (*, '(a, i8, f12.4)') 'j, least: ', control, least
      print *, 'speed: ', speed(control, control)
    end if
  end subroutine
end program
