! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: Fortran's arrays of counts are points too: at the root of MPI_Gatherv, which alone reads them, and of an
! MPI_Alltoallv in place, where those of what is sent mean nothing.
program main
  use mpi_f08
  implicit none
  integer, parameter :: n = 400, steps = 10
  real(8) :: u(n), kept(n)
  real(8), allocatable :: all(:)
  integer, allocatable :: counts(:), places(:), none(:)
  type(MPI_Comm) :: comm
  integer :: rank, ranks, step, i, few
  call MPI_Init()
  comm = MPI_COMM_WORLD
  call MPI_Comm_rank(comm, rank)
  call MPI_Comm_size(comm, ranks)
  allocate (all(n * ranks), counts(ranks), places(ranks), none(0))
  do i = 1, n
    u(i) = modulo(0.377d0 * i * (rank + 1), 1d0)
  end do
  do step = 1, steps
    few = 0
    do i = 1, n
      u(i) = 3.8d0 * u(i) * (1 - u(i))
      if (u(i) > 0.5d0) then
        few = few + 1
        kept(few) = u(i)
      end if
    end do
    call MPI_Gather(few, 1, MPI_INTEGER, counts, 1, MPI_INTEGER, 0, comm)
    if (rank == 0) then
      places(1) = 0
      do i = 2, ranks
        places(i) = places(i - 1) + counts(i - 1)
      end do
      call MPI_Gatherv(kept, few, MPI_DOUBLE_PRECISION, all, counts, places, MPI_DOUBLE_PRECISION, 0, comm)
    else
      call MPI_Gatherv(kept, few, MPI_DOUBLE_PRECISION, all, none, none, MPI_DOUBLE_PRECISION, 0, comm)
    end if
    call exchange()
  end do
  call MPI_Finalize()
contains
  subroutine exchange()
    integer :: biggest
    call MPI_Allreduce(few, biggest, 1, MPI_INTEGER, MPI_MAX, comm)
    do i = 1, ranks
      counts(i) = biggest
      places(i) = (i - 1) * biggest
    end do
    call MPI_Alltoallv(MPI_IN_PLACE, none, none, MPI_DOUBLE_PRECISION, all, counts, places, MPI_DOUBLE_PRECISION, comm)
  end subroutine
end program main
