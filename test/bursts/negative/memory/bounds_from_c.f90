! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a function in C writes a bound of an array's descriptor, as large as it has counted; the array is sent whole.
! WITH: bounds_from_c_part.c
program bounds_from_c
  use mpi
  use iso_c_binding
  implicit none
  interface
    subroutine cut(array, rank, step) bind(c)
      use iso_c_binding
      real(c_double), pointer, intent(inout) :: array(:)
      integer(c_int), value :: rank, step
    end subroutine
  end interface
  integer :: ierror, rank, ranks, step
  double precision, target :: out(4096)
  double precision, pointer :: sent(:)
  double precision :: in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = rank
  do step = 1, 12
    sent => out
    call cut(sent, rank, step)
    call MPI_Sendrecv(out, size(sent), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
