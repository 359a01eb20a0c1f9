! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The area under 4/(1+x*x), each rank taking every size-th strip; the sum is pi. Uses the module mpi.
program pi
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: strips = 1000000
  integer :: rank, size, error, i
  real(dp) :: mine, area, x, began

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  began = MPI_Wtime()
  mine = 0.0_dp
  do i = rank + 1, strips, size
    x = (i - 0.5_dp)/strips
    mine = mine + 4.0_dp/(1.0_dp + x*x)/strips
  end do
  call MPI_Reduce(mine, area, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) then
    print '(a,i0,a,f12.9,a,a)', 'pi on ', size, ' ranks: ', area, ': ', &
      merge('PASSED', 'FAILED', abs(area - acos(-1.0_dp)) < 1.0e-9_dp .and. MPI_Wtime() > began)
  end if
  call MPI_Finalize(error)
end program pi
