! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: Fortran's clocks read simulated time.
program clocks_fortran
  use mpi
  implicit none
  integer :: error, rank, values0(8), values1(8)
  integer(8) :: count0, count1, rate
  real(8) :: cpu0, cpu1, wall0, seconds
  interface
    integer(c_int) function c_sleep(duration) bind(c, name='sleep')
      use iso_c_binding
      integer(c_int), value :: duration
    end function
  end interface
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call system_clock(count0, rate)
  call cpu_time(cpu0)
  call date_and_time(values=values0)
  wall0 = MPI_Wtime()
  error = c_sleep(3600)
  call system_clock(count1)
  call cpu_time(cpu1)
  call date_and_time(values=values1)
  seconds = real(count1 - count0, 8) / real(rate, 8)
  if (seconds < 3600 .or. seconds > 3660) error stop 'system_clock'
  if (MPI_Wtime() - wall0 < 3600) error stop 'MPI_Wtime'
  if (cpu1 - cpu0 > 60 .or. cpu1 < cpu0) error stop 'cpu_time'
  if (values0(5) == values1(5)) error stop 'date_and_time'
  print *, 'rank', rank, 'at', merge('an hour  ', 'not there', MPI_Wtime() >= 3600)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 0) print '(a)', 'clocks_fortran: PASSED'
  call MPI_Finalize(error)
end program
