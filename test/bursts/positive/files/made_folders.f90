! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: commands that make folders read no file, so that what a field's file holds decides nothing. A
! file of the user's that says when to end is read all the time.
program folders
  use mpi
  implicit none
  integer, parameter :: n = 1000
  real(8) :: field(n), out(64), in(64)
  integer :: rank, ranks, step, i, ierr, last, missing
  character(len=40) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  field = 0
  out = 0
  call execute_command_line('mkdir -p all')
  do step = 0, 11
    last = 11
    open (unit=8, file='last.step', status='old', action='read', iostat=missing)
    if (missing == 0) then
      read (8, *) last
      close (8)
    end if
    if (step > last) exit
    ! EXPECT-SKIP
    do i = 1, n
      field(i) = field(i) + sin(real(i * (rank + 1), 8) + step)
    end do
    write (name, '(A,I1,A,I1)') 'step.', mod(step, 2), '.', rank
    call make_folder(name)
    open (unit=9, file=trim(name)//'/field', status='replace', form='unformatted', action='write')
    write (9) field
    close (9)
    call MPI_Sendrecv(out, 64, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 64, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end do
  call MPI_Finalize(ierr)
contains
  subroutine make_folder(name)
    character(len=*), intent(in) :: name
    integer :: state
    call execute_command_line('mkdir -p '//trim(name), exitstat=state)
    if (state /= 0) call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
  end subroutine
end program
