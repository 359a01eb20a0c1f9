! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: an internal procedure, handed to another as an argument, raises a variable of its host.
module visiting
  implicit none
  abstract interface
    subroutine visitor(x)
      double precision, intent(in) :: x
    end subroutine
  end interface
contains
  subroutine visit(step, rank, each)
    integer, intent(in) :: step, rank
    procedure(visitor) :: each
    integer :: i
    ! EXPECT-RUN
    do i = 1, 1000
      call each(dble(mod(i * 7919 + step * 104729 + rank * 1299709, 9973)) / 9973)
    end do
  end subroutine
end module

program internal_procedure
  use mpi
  use visiting
  implicit none
  integer :: ierror, rank, ranks, step, hits
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do step = 1, 12
    hits = 0
    call visit(step, rank, hit)
    call MPI_Sendrecv(out, hits, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine hit(x)
    double precision, intent(in) :: x
    if (x < 0.3d0) hits = hits + 1
  end subroutine
end program
