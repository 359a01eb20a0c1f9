! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: numbers that are drawn from a seed which a loop computed say how long a message is.
program seed_length
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 5000
  integer :: ierror, rank, ranks, step, i, length, found
  integer, allocatable :: seed(:)
  double precision :: field(n), drawn
  character :: sent(64), received(64)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call random_seed(size=length)
  allocate(seed(length))
  field = 1 + rank
  do step = 1, 40
    found = 0
    ! EXPECT-RUN
    do i = 2, n
      field(i) = 0.5d0 * field(i) + mod(i * step, 7)
      if (field(i) > 6) found = found + 1
    end do
    seed(:) = found
    call random_seed(put=seed)
    call random_number(drawn)
    call MPI_Sendrecv(sent, 1 + int(60 * drawn), MPI_CHARACTER, mod(rank + 1, ranks), 1, received, 64, MPI_CHARACTER, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
