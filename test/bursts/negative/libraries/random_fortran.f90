! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a loop draws random numbers for a field; the next one, a message's size, depends on how many it drew.
program random_fortran
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i, n
  integer, allocatable :: seed(:)
  double precision :: field(1000), next, out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call random_seed(size=n)
  allocate (seed(n))
  seed = 17 + rank
  call random_seed(put=seed)
  do step = 1, 12
    ! EXPECT-RUN
    do i = 1, 1000
      call random_number(field(i))
    end do
    call random_number(next)
    call MPI_Sendrecv(out, int(next * 4000), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, &
                      MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
