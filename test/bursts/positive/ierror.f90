! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a variable takes a verdict on the data and, later, MPI's errors. What is asked behind a call of MPI is MPI's.
subroutine check(a, n, ierr)
  integer :: n, ierr
  real(8) :: a(n)
  ierr = 0
  if (sum(a) < 0) ierr = -1
end subroutine

subroutine advance(a, n, ierr)
  use mpi
  integer :: n, ierr, i
  real(8) :: a(n), total
  ! EXPECT-SKIP: not frail
  do i = 1, n
    a(i) = sqrt(a(i)) + 1d-3 * i
  end do
  call check(a, n, ierr)
  if (ierr /= 0) print *, 'the sum is negative'
  call MPI_Allreduce(a, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (ierr /= MPI_SUCCESS) then
    print *, 'MPI failed'
    ierr = -1
    return
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
end subroutine

program ierror
  use mpi
  integer :: ierr, step
  real(8), allocatable :: a(:)
  call MPI_Init(ierr)
  allocate (a(20000))
  a = 1
  do step = 1, 40
    call advance(a, 20000, ierr)
  end do
  call MPI_Finalize(ierr)
end program
