! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a Fortran loop that would end the run on a bad value may be skipped like others.
program checks
  use mpi
  implicit none
  real(8) :: field(200, 200)
  integer :: rank, ranks, ierr, step, i, j, number
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  field = rank
  do step = 1, 60
    ! EXPECT-SKIP: not frail
    do j = 1, 200
      do i = 1, 200
        field(i, j) = sqrt(1 + 0.5d0 * field(i, j) + i * step)
        if (field(i, j) > 1d100) call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
      end do
    end do
    number = step
    call MPI_Sendrecv_replace(number, 1, MPI_INTEGER, mod(rank + 1, ranks), 1, &
                              mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_Finalize(ierr)
end program
