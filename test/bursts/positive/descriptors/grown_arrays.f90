! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an array grows by way of move_alloc, and two change places: where they lie rests on no number in them.
module particles
  implicit none
  double precision, allocatable :: x(:), speed(:)
contains
  subroutine grow(array, length)
    double precision, allocatable, intent(inout) :: array(:)
    integer, intent(in) :: length
    double precision, allocatable :: larger(:)
    integer :: i
    allocate (larger(length))
    ! EXPECT-SKIP: not frail
    do i = 1, length
      larger(i) = array(1 + mod(i - 1, size(array)))
    end do
    call move_alloc(from=larger, to=array)
  end subroutine
  subroutine exchange(a, b)
    double precision, allocatable, intent(inout) :: a(:), b(:)
    double precision, allocatable :: held(:)
    call move_alloc(a, held)
    call move_alloc(b, a)
    call move_alloc(held, b)
  end subroutine
end module
program grown_arrays
  use mpi
  use particles
  implicit none
  integer, parameter :: n = 2000, steps = 36
  integer :: rank, ranks, step, i, length, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  length = n
  allocate (x(n), speed(n))
  x = rank
  speed = 1
  do step = 1, steps
    if (mod(step, 6) == 0) then
      length = length + 500
      call grow(x, length)
      call grow(speed, length)
    end if
    ! EXPECT-SKIP: not frail
    do i = 2, size(x) - 1
      x(i) = 0.5d0 * (x(i - 1) + x(i + 1)) + speed(i) * sin(dble(i * step))
    end do
    call exchange(x, speed)
    call MPI_Sendrecv_replace(x, size(x), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, mod(rank + ranks - 1, ranks), 1, &
                              MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    speed(1) = x(2)
  end do
  deallocate (x, speed)
  call MPI_Finalize(ierror)
end program
