! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an automatic array is as long as a loop in the caller counted; it is written and sent whole.
subroutine fill_and_send(n)
  use mpi
  implicit none
  integer, intent(in) :: n
  integer :: ierror, rank, ranks
  double precision :: work(n), in(4096)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  work = n
  call MPI_Sendrecv(work, size(work), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, &
                    mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
end subroutine

program automatic_array
  use mpi
  implicit none
  integer :: ierror, rank, step, i, n
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  do step = 1, 12
    n = 1
    ! EXPECT-RUN
    do i = 1, 1000
      if (mod(i * 7919 + step * 104729 + rank * 1299709, 9973) < 3000) n = n + 1
    end do
    call fill_and_send(n)
  end do
  call MPI_Finalize(ierror)
end program
