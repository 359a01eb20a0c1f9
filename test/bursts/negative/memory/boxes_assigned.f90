! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an array of boxes is assigned as a whole: the copies refer to the same room, and have copies of the boxes' own
! arrays. Counts are taken from both.
module boxes
  implicit none
  type box
    integer, pointer :: room(:)
    integer, allocatable :: own(:)
  end type
  type(box), allocatable :: all(:), copies(:)
contains
  subroutine fill_own(step)
    integer, intent(in) :: step
    integer :: i, j
    ! EXPECT-RUN
    do i = 1, size(all)
      do j = 1, size(all(i)%own)
        all(i)%own(j) = mod(i * 7 + j * step, 19) + 1
      end do
    end do
  end subroutine
  subroutine fill_room(step)
    integer, intent(in) :: step
    integer :: i, j
    ! EXPECT-RUN
    do i = 1, size(copies)
      do j = 1, size(copies(i)%room)
        copies(i)%room(j) = mod(i * 5 + j * step, 17) + 1
      end do
    end do
  end subroutine
end module
program boxes_assigned
  use mpi
  use boxes
  implicit none
  integer, parameter :: n = 40, steps = 6
  integer, target :: room(100, n)
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  room = 1
  allocate (all(n))
  do i = 1, n
    all(i)%room => room(:, i)
    allocate (all(i)%own(100))
  end do
  do step = 1, steps
    call fill_own(step)
    copies = all
    call fill_room(step)
    call send(copies(3)%own(step))
    call send(room(3, 2))
  end do
  call MPI_Finalize(ierror)
contains
  subroutine send(count)
    integer, intent(in) :: count
    call MPI_Sendrecv(out, count, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end subroutine
end program
