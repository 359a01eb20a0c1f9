! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: components change places by move_alloc inside an array of a type; what lies there then is a count.
program moved_component
  use mpi
  implicit none
  integer, parameter :: n = 400, steps = 36, boxes = 4
  type box
    integer :: tag
    integer, allocatable :: old(:), new(:)
  end type
  type(box) :: all(boxes)
  integer, allocatable :: held(:)
  integer :: b
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  do b = 1, boxes
    allocate (all(b)%old(n), all(b)%new(n))
    all(b)%old = 1
    all(b)%new = 1
  end do
  do step = 1, steps
    do b = 1, boxes
      ! EXPECT-RUN
      do i = 1, n
        all(b)%new(i) = mod(all(b)%old(i) + i * 3 + step * b, 90) + 1
      end do
      call move_alloc(all(b)%old, held)
      call move_alloc(all(b)%new, all(b)%old)
      call move_alloc(held, all(b)%new)
    end do
    call MPI_Sendrecv(out, all(2)%old(7), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
