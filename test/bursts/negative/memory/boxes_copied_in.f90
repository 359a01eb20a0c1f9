! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: every other box of an array is copied in for a procedure that fills what they refer to; counts lie there.
module boxes
  implicit none
  type box
    integer, pointer :: inside(:)
  end type
contains
  subroutine fill(copies, count, step)
    integer, intent(in) :: count, step
    type(box) :: copies(count)
    integer :: i, j
    ! EXPECT-RUN
    do i = 1, count
      do j = 1, size(copies(i)%inside)
        copies(i)%inside(j) = mod(i * 7 + j * step, 19) + 1
      end do
    end do
  end subroutine
end module
program boxes_copied_in
  use mpi
  use boxes
  implicit none
  integer, parameter :: n = 40, steps = 6
  type(box) :: all(2 * n)
  integer, target :: room(100, 2 * n)
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, stride, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  stride = 1 + min(ranks, 1)
  out = rank
  room = 1
  do i = 1, 2 * n
    all(i)%inside => room(:, i)
  end do
  do step = 1, steps
    call pass(all(1::stride))
    call MPI_Sendrecv(out, room(3, 2 * step + 1), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine pass(some)
    type(box) :: some(:)
    call fill(some, size(some), step)
  end subroutine
end program
