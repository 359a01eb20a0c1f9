! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: Fortran units are a rank's own: unit 10 on different files, then on the same file, and unit 5 at its end.
program units_fortran
  use mpi
  implicit none
  integer :: error, rank, value, status
  character(len=32) :: name
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  write (name, '(a,i0)') 'unit-', rank
  open (unit=10, file=name, action='write', status='replace')
  call MPI_Barrier(MPI_COMM_WORLD, error)
  write (10, *) 100 + rank
  call MPI_Barrier(MPI_COMM_WORLD, error)
  close (10)
  open (unit=10, file=name, action='read')
  call MPI_Barrier(MPI_COMM_WORLD, error)
  read (10, *) value
  close (10)
  if (value /= 100 + rank) error stop 'unit 10 is shared'
  call MPI_Barrier(MPI_COMM_WORLD, error)
  ! All ranks open the same file.
  open (unit=11, file='unit-0', action='read')
  call MPI_Barrier(MPI_COMM_WORLD, error)
  read (11, *) value
  close (11)
  if (value /= 100) error stop 'unit 11 is shared'
  if (rank > 0) then
    read (5, *, iostat=status) value
    if (status >= 0) error stop 'unit 5 is shared'
  end if
  print *, 'an MPI call in a list:', MPI_Wtime() >= 0
  write (*, '(a)', advance='no') 'begun and '
  call MPI_Barrier(MPI_COMM_WORLD, error)
  write (*, '(a,i0)') 'ended by ', rank
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 0) print '(a)', 'units_fortran: PASSED'
  call MPI_Finalize(error)
  if (rank == 1) stop
end program
