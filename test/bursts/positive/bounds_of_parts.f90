! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: what is computed is kept in a short array in each element of an array, at an index that is not known. The
! descriptors that lie beside it, and with them the addresses that MPI is given, rest on none of it.
program bounds_of_parts
  use mpi
  implicit none
  type part
    double precision, allocatable :: now(:), next(:)
    double precision :: sums(4)
    integer :: first, last
  end type
  type(part), allocatable :: parts(:)
  integer :: ierror, rank, ranks, step, p
  double precision :: total, everyone
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call make(3, 2000)
  do step = 1, 20
    ! EXPECT-SKIP
    do p = 1, size(parts)
      call relax(parts(p), rank, step)
      call add(parts(p), 1 + mod(step + p, 4))
    end do
    call MPI_Sendrecv_replace(parts(1)%now(lbound(parts(1)%now, 1) + step), 1, MPI_DOUBLE_PRECISION, &
                              mod(rank + 1, ranks), 1, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, &
                              MPI_STATUS_IGNORE, ierror)
    total = 0
    do p = 1, size(parts)
      total = total + parts(p)%sums(1 + mod(step, 4))
    end do
    call MPI_Allreduce(total, everyone, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
  if (rank == 0) print *, everyone
  call MPI_Finalize(ierror)
contains
  subroutine make(count, length)
    integer, intent(in) :: count, length
    integer :: i
    allocate (parts(count))
    do i = 1, count
      parts(i)%first = i
      parts(i)%last = i + length
      allocate (parts(i)%now(i:i + length), parts(i)%next(i:i + length))
      parts(i)%now = i
      parts(i)%next = 0
      parts(i)%sums = 0
    end do
  end subroutine
  subroutine relax(each, rank, step)
    type(part), intent(inout) :: each
    integer, intent(in) :: rank, step
    integer :: i
    do i = lbound(each%now, 1) + 1, ubound(each%now, 1) - 1
      each%next(i) = 0.25d0 * (each%now(i - 1) + each%now(i + 1)) + rank + step
    end do
    do i = lbound(each%now, 1) + 1, ubound(each%now, 1) - 1
      each%now(i) = each%next(i)
    end do
  end subroutine
  subroutine add(each, place)
    type(part), intent(inout) :: each
    integer, intent(in) :: place
    double precision :: total
    integer :: i
    total = 0
    do i = lbound(each%now, 1), ubound(each%now, 1)
      total = total + each%now(i)
    end do
    each%sums(place) = total
  end subroutine
end program
