! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! As input.c: how fast the sum shrinks is read from a unit. Another unit writes a file that may be there already.
program input
  use mpi
  implicit none
  integer :: ierr, rank
  double precision :: u(2000), factor, mine, total
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  open (unit=10, file='in.dat')
  read (10, *) factor
  close (10)
  if (rank == 0) open (unit=11, file='out.dat')
  u = 1
  total = 1
  do while (total > 0.02d0)
    u = u * factor
    mine = sum(u) / 2000
    call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    if (rank == 0) write (11, *) total
  end do
  if (rank == 0) close (11)
  call MPI_Finalize(ierr)
end program
