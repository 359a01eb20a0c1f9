! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: SMPI's calls are there in Fortran.
program execute
  use mpi
  implicit none
  external :: smpi_execute, smpi_execute_flops
  double precision :: begin
  integer :: ierr
  call MPI_Init(ierr)
  begin = MPI_Wtime()
  call smpi_execute(0.5d0)
  call smpi_execute_flops(1d9)
  print '(a, f6.3)', 'seconds', MPI_Wtime() - begin
  call MPI_Finalize(ierr)
end program
