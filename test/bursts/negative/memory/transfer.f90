! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: TRANSFER makes an integer of a real's bits.
program transferred
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i
  real :: numbers(1000)
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do step = 1, 12
    ! EXPECT-RUN
    do i = 1, 1000
      numbers(i) = 1.0 + real(mod(i * 7919 + step * 104729 + rank * 1299709, 9973)) / 9973.0
    end do
    call MPI_Sendrecv(out, iand(ishft(transfer(numbers(step * 3), 1), -10), 4095), MPI_DOUBLE_PRECISION, &
                      mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
