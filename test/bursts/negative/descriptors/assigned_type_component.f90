! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an array of a type with allocatable components is assigned; a number in one of these is a count.
program assigned_type_component
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  type box
    integer :: length
    integer, allocatable :: values(:)
  end type
  type(box) :: a(3), b(3)
  integer :: k
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  do k = 1, 3
    b(k)%length = n
    allocate (b(k)%values(n))
    b(k)%values = k
  end do
  do step = 1, steps
    do k = 1, 3
      ! EXPECT-RUN
      do i = 1, b(k)%length
        b(k)%values(i) = mod(b(k)%values(i) + i * 7 + step * 13, 90) + 1
      end do
    end do
    a = b
    call MPI_Sendrecv(out, a(2)%values(9), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
