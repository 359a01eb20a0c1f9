! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a type-bound procedure, overridden, is called through CLASS; which type an object has was decided by a loop.
module shapes
  implicit none
  type :: shape
  contains
    procedure :: extent => small
  end type
  type, extends(shape) :: wide
    integer :: width = 0
  contains
    procedure :: extent => large
  end type
  type :: holder
    class(shape), allocatable :: it
  end type
contains
  integer function small(this)
    class(shape), intent(in) :: this
    small = 3
  end function
  integer function large(this)
    class(wide), intent(in) :: this
    large = this%width
  end function
end module

program type_bound
  use mpi
  use shapes
  implicit none
  integer :: ierror, rank, ranks, step, i, number
  type(holder) :: all(100)
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do step = 1, 12
    ! EXPECT-RUN
    do i = 1, 100
      number = mod(i * 7919 + step * 104729 + rank * 1299709, 3989)
      if (allocated(all(i)%it)) deallocate (all(i)%it)
      if (number < 1000) then
        allocate (shape :: all(i)%it)
      else
        allocate (all(i)%it, source=wide(number))
      end if
    end do
    call MPI_Sendrecv(out, all(step * 5)%it%extent(), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
