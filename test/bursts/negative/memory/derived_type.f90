! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a component of a derived type, reached through a pointer component of another, is a message's size.
module cells
  implicit none
  type cell
    double precision :: mass
    integer :: neighbours
  end type
  type view
    type(cell), pointer :: cells(:)
  end type
contains
  subroutine update(some, step, rank)
    type(view) :: some
    integer :: step, rank, i
    ! EXPECT-RUN
    do i = 1, size(some%cells)
      some%cells(i)%neighbours = mod(some%cells(i)%neighbours + i * 7919 + step * 104729 + rank * 1299709, 4093)
    end do
  end subroutine
end module

program derived_type
  use mpi_f08
  use cells
  implicit none
  integer :: rank, ranks, step
  type(cell), target, allocatable :: all(:)
  type(view) :: some
  double precision :: out(4096), in(4096)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  allocate (all(1000))
  all%neighbours = 0
  some%cells => all(1:999:2)
  do step = 1, 12
    call update(some, step, rank)
    call MPI_Sendrecv(out, all(2 * step + 1)%neighbours, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end do
  call MPI_Finalize()
end program
