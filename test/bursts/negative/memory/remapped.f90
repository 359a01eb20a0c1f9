! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: the lower bound that a pointer in a structure is given is what a loop counted, and is a message's size.
program remapped
  use mpi
  implicit none
  type part
    double precision, pointer :: view(:)
    double precision :: sums(4)
  end type
  type(part), allocatable :: parts(:)
  double precision, target :: out(4096)
  double precision :: in(4096)
  integer :: ierror, rank, ranks, step, i, counted, place
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  allocate (parts(3))
  out = rank
  do step = 1, 12
    counted = 1
    ! EXPECT-RUN
    do i = 1, 1000
      if (mod(i * 7919 + step * 104729 + rank * 1299709, 9973) < 4000) counted = counted + 1
    end do
    place = 1 + mod(step, 3)
    parts(place)%view(counted:) => out
    parts(place)%sums(1 + mod(step, 4)) = step
    call MPI_Sendrecv(out, lbound(parts(place)%view, 1), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
