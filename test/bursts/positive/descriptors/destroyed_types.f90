! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a variable ends with its allocatable components and theirs, and another one is made anew as an INTENT(OUT)
! argument: that frees arrays, whatever numbers lie in them.
module parts
  implicit none
  type part
    real(8) :: least(3) = 0
    real(8), allocatable :: values(:)
    integer, allocatable :: counts(:)
    real(8), pointer :: shared(:) => null()
  end type
  type whole
    type(part), allocatable :: parts(:)
  end type
  real(8), allocatable, target :: others(:)
contains
  subroutine start(one, n, rank)
    type(part), intent(out) :: one
    integer, intent(in) :: n, rank
    allocate(one%values(0:n), one%counts(0:n))
    one%values = rank
    one%counts = rank
    one%shared => others
  end subroutine

  subroutine run(n, rank)
    use mpi
    integer, intent(in) :: n, rank
    type(whole) :: all
    integer :: step, i, ierror
    real(8) :: total
    allocate(all%parts(2))
    do step = 1, 12
      call start(all%parts(1), n, rank)
      ! EXPECT-SKIP: not frail
      do i = 1, n
        all%parts(1)%values(i) = 0.5d0 * all%parts(1)%values(i) + 0.5d0 * sqrt(abs(all%parts(1)%values(i - 1)) + step)
        all%parts(1)%counts(i) = ieor(all%parts(1)%counts(i) * 7, all%parts(1)%counts(i - 1) + step)
        all%parts(1)%shared(i) = 0.5d0 * all%parts(1)%shared(i) + all%parts(1)%values(i)
      end do
      total = all%parts(1)%values(n) + all%parts(1)%counts(n)
      call MPI_Bcast(total, 1, MPI_REAL8, 0, MPI_COMM_WORLD, ierror)
    end do
  end subroutine
end module

program destroyed_types
  use mpi
  use parts
  implicit none
  integer, parameter :: n = 1000
  integer :: rank, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  allocate(others(0:n))
  others = rank
  call run(n, rank)
  call MPI_Finalize(ierror)
end program
