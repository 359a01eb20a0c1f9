! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: one unit is read while others are written: what is written decides nothing. One of them is never opened, and has
! a file all the same; records and places are written here and there.
! BURSTS: # 3
program other_unit
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i, counted
  character(len=20) :: name
  character(len=1) :: mark
  logical :: there
  double precision :: out(4096), in(4096), values(1000), total
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  write (name, '(a,i0)') 'sums.', rank
  open (unit=10, file=name, status='replace')
  open (unit=20, file='records.'//name, form='unformatted', access='direct', recl=24)
  open (unit=21, file='stream.'//name, form='unformatted', access='stream')
  values = rank
  do step = 1, 12
    ! EXPECT-SKIP
    do i = 1, 1000
      values(i) = sqrt(values(i) + mod(i * 7919 + step * 104729, 9973))
    end do
    total = sum(values)
    write (10, '(i0,1x,es22.16)') step, total
    write (11 + rank) values
    write (20, rec=3 * step) values(1:3)
    write (20, rec=2) total
    write (21, pos=1 + 8 * step) values(1:10)
    if (total > 1d9) write (10, *) 'large'
    open (unit=9, file='../bursts', status='old')
    read (9, *) mark, counted
    rewind (9)
    read (9, *) mark, counted
    close (9)
    inquire (file=name, exist=there)
    if (.not. there) call MPI_Abort(MPI_COMM_WORLD, 4, ierror)
    call MPI_Sendrecv(out, counted, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  close (10)
  call MPI_Finalize(ierror)
end program
