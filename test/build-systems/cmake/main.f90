! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
program main
  use mpi
  implicit none
  integer :: rank, size, total, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call MPI_Reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,i0,a,i0)', 'fortran: ', size, ' ranks, sum ', total
  call MPI_Finalize(error)
end program main
