! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Variables of a module, of COMMON and with SAVE, and procedures inside others.
module field
  implicit none
  real(8) :: grid(2000) = 1
  integer, private :: calls = 0
contains
  subroutine smooth(times)
    integer, intent(in) :: times
    integer :: i
    do i = 1, times
      call once
    end do
  contains
    subroutine once
      integer, save :: last = 0
      integer :: j
      do j = 2, size(grid) - 1
        grid(j) = (grid(j - 1) + grid(j) + grid(j + 1)) / 3 + last
      end do
      last = last + 1
      calls = calls + 1
    end subroutine
  end subroutine
  integer function called()
    called = calls
  end function
end module

program modules
  use mpi
  use field
  implicit none
  integer :: rank, error, shared
  real(8) :: total
  common /block/ shared
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  shared = rank
  grid(1) = rank
  call smooth(3 + rank)
  call MPI_Allreduce(sum(grid), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  print '(i0, a, i0, a, i0, a, f0.3)', rank, ': ', called(), ' ', shared, ' ', total
  call MPI_Finalize(error)
end program
