! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: what a procedure makes the copies of every other box refer to is copied out: the boxes refer to it, and counts
! are computed there.
module boxes
  implicit none
  type box
    integer, pointer :: inside(:)
  end type
contains
  subroutine place(copies, count, room)
    integer, intent(in) :: count
    type(box) :: copies(count)
    integer, target :: room(100, count)
    integer :: i
    do i = 1, count
      copies(i)%inside => room(:, i)
    end do
  end subroutine
end module
program boxes_copied_out
  use mpi
  use boxes
  implicit none
  integer, parameter :: n = 40, steps = 6
  type(box) :: all(2 * n)
  integer, target :: room(100, n)
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, j, stride, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  stride = 1 + min(ranks, 1)
  out = rank
  room = 1
  call pass(all(1::stride))
  do step = 1, steps
    ! EXPECT-RUN
    do i = 1, n
      do j = 1, 100
        room(j, i) = mod(i * 7 + j * step, 19) + 1
      end do
    end do
    call MPI_Sendrecv(out, all(2 * step + 1)%inside(3), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine pass(some)
    type(box) :: some(:)
    call place(some, size(some), room)
  end subroutine
end program
