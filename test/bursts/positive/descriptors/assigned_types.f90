! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: variables of a type with allocatable components are assigned, alone and as arrays: that runs, and what their
! components hold need not be computed for it.
module states
  implicit none
  type state
    integer :: cells, passes
    double precision, allocatable :: mass(:), flow(:)
  end type
contains
  subroutine relax(s, step)
    type(state), intent(inout) :: s
    integer, intent(in) :: step
    integer :: i
    ! EXPECT-SKIP: not frail
    do i = 2, s%cells - 1
      s%mass(i) = 0.5d0 * (s%mass(i - 1) + s%mass(i + 1)) + sin(dble(i * step)) * s%flow(i)
    end do
  end subroutine
end module
program assigned_types
  use mpi
  use states
  implicit none
  integer, parameter :: n = 4000, steps = 36
  type(state) :: old, new, all(3), kept(3)
  integer :: rank, ranks, step, k, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  old%cells = n
  old%passes = 0
  allocate (old%mass(n), old%flow(n))
  old%mass = rank
  old%flow = 1
  all(1) = old
  all(2) = old
  all(3) = old
  do step = 1, steps
    new = old
    call relax(new, step)
    new%passes = new%passes + 1
    call MPI_Sendrecv_replace(new%mass, new%cells, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), new%passes, &
                              mod(rank + ranks - 1, ranks), new%passes, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    old = new
    kept = all
    do k = 1, 3
      call relax(kept(k), step)
    end do
    call MPI_Sendrecv_replace(kept(2)%flow, kept(2)%cells, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, &
                              mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    all = kept
  end do
  call MPI_Finalize(ierror)
end program
