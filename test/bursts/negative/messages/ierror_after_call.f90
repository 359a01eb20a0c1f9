! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a variable that MPI's error was in gets a verdict on the data before it is asked: by a store, or by a call.
subroutine check(a, n, ierr)
  integer :: n, ierr
  real(8) :: a(n)
  if (sum(a) > 2.5d0 * n) ierr = 1
end subroutine

subroutine advance(a, n, ierr)
  use mpi
  integer :: n, ierr, i
  real(8) :: a(n), total
  ! EXPECT-RUN
  do i = 1, n
    a(i) = sqrt(a(i)) + 1d-3 * i
  end do
  call MPI_Allreduce(a, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(a, n, ierr)
  if (ierr /= MPI_SUCCESS) return
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (a(7) > 1.2d0) ierr = 2
  if (ierr /= MPI_SUCCESS) return
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
end subroutine

program ierror_after_call
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
