! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: every other box of an array is copied in and out for a procedure that sends as many numbers as a box says; the
! numbers that a box refers to are not copied, and no count rests on them.
module boxes
  use mpi
  implicit none
  type box
    integer :: length
    double precision, pointer :: inside(:)
  end type
contains
  subroutine exchange(copies, count, to, from)
    integer, intent(in) :: count, to, from
    type(box) :: copies(count)
    double precision :: received(200)
    integer :: i, ierror
    do i = 1, count
      call MPI_Sendrecv(copies(i)%inside, copies(i)%length, MPI_DOUBLE_PRECISION, to, 1, received, copies(i)%length, &
                        MPI_DOUBLE_PRECISION, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end do
  end subroutine
end module
program boxes_in_sections
  use boxes
  implicit none
  integer, parameter :: n = 8, steps = 36
  type(box) :: all(2 * n)
  double precision, target :: room(200, 2 * n)
  integer :: rank, ranks, step, i, j, stride, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  stride = 1 + min(ranks, 1)
  room = rank
  do i = 1, 2 * n
    all(i)%length = 100 + i
    all(i)%inside => room(:, i)
  end do
  do step = 1, steps
    ! EXPECT-SKIP: not frail
    do j = 1, 2 * n
      do i = 2, 199
        room(i, j) = 0.5d0 * (room(i - 1, j) + room(i + 1, j)) + sin(dble(i * j * step))
      end do
    end do
    call pass(all(1::stride))
  end do
  call MPI_Finalize(ierror)
contains
  subroutine pass(some)
    type(box) :: some(:)
    call exchange(some, size(some), mod(rank + 1, ranks), mod(rank + ranks - 1, ranks))
  end subroutine
end program
