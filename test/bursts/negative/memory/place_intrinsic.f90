! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: MAXLOC of an array that a loop computes is a message's size; ANY of a mask decides whether there is another.
program place_intrinsic
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i, place(1), both
  double precision :: field(1000), out(4096), in(4096)
  logical :: large
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  field = 0
  do step = 1, 12
    ! EXPECT-RUN
    do i = 1, 1000
      field(i) = 0.5d0 * field(i) + dble(mod(i * 7919 + step * 104729 + rank * 1299709, 9973)) / 9973
    end do
    place = maxloc(field)
    call MPI_Sendrecv(out, place(1), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    large = any(field > 1.99d0)
    both = merge(1, 0, large)
    call MPI_Allreduce(MPI_IN_PLACE, both, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierror)
    if (both == 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end do
  call MPI_Finalize(ierror)
end program
