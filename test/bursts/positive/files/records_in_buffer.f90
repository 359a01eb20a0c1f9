! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a record is read into a buffer, and parameters by a name list, between loops that use the buffer for their own
! numbers. What lies there before decides nothing about the reading.
module work
  implicit none
  integer, parameter :: n = 1000
  real(8) :: buffer(n)
end module

program records
  use mpi
  use work
  implicit none
  real(8) :: field(n), out(64), in(64), share(4)
  integer :: rank, ranks, step, i, ierr, missing, last
  namelist /control/ last, share
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  field = 1
  buffer = 0
  share = 0.25d0
  out = 0
  last = 11
  do step = 0, 11
    open (unit=8, file='forcing.bin', status='old', access='direct', recl=8*n, action='read', iostat=missing)
    if (missing == 0) then
      read (8, rec=1) buffer
      close (8)
    end if
    open (unit=9, file='control.nml', status='old', action='read', iostat=missing)
    if (missing == 0) then
      read (9, nml=control)
      close (9)
    end if
    ! EXPECT-SKIP
    do i = 1, n
      field(i) = field(i) + buffer(i) + sin(real(i * (rank + 1), 8) + step)
    end do
    ! EXPECT-SKIP
    do i = 1, n
      buffer(i) = 0.5d0 * field(i)
    end do
    share = buffer(1:4)
    if (step > last) exit
    call MPI_Sendrecv(out, 64, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 64, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_Finalize(ierr)
end program
