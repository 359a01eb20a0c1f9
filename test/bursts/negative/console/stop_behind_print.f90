! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a computed number decides that a line is printed and the program stops, inside what would be a burst.
program stop_behind_print
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 36
  double precision :: x(n), out(64), in(64)
  integer :: rank, ranks, step, i, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  x = 0
  out = 0
  do step = 1, steps
    ! EXPECT-RUN
    do i = 1, n
      x(i) = 0.9d0 * x(i) + abs(sin(dble(i * step)))
      if (x(i) > 8.5d0) then
        print *, 'it has grown too large: ', x(i)
        call MPI_Finalize(ierror)
        stop
      end if
    end do
    call MPI_Sendrecv(out, 1 + mod(step, 3), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 64, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
