! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: sections of an array are copied in and out for a call of MPI; where the copy lies rests on no number in it.
program copied_sections
  use mpi
  implicit none
  integer, parameter :: n = 200, steps = 36
  type chunk
    double precision, allocatable :: field(:, :)
    double precision, pointer :: left(:)
  end type
  type(chunk), allocatable :: chunks(:)
  integer :: rank, ranks, step, i, j, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  allocate (chunks(1))
  allocate (chunks(1)%field(n, n), chunks(1)%left(n))
  chunks(1)%field = rank
  do step = 1, steps
    ! EXPECT-SKIP: not frail
    do j = 2, n - 1
      do i = 2, n - 1
        chunks(1)%field(i, j) = 0.25d0 * (chunks(1)%field(i - 1, j) + chunks(1)%field(i + 1, j) + chunks(1)%field(i, j + 1)) &
                                + sin(dble(i * j * step))
      end do
    end do
    call exchange(chunks(1)%field(2:n - 1:2, :), chunks(1)%left)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine exchange(section, left)
    double precision, intent(inout) :: section(:, :)
    double precision, intent(inout) :: left(:)
    call pass(section(:, 2), left, size(section, 1))
  end subroutine
  subroutine pass(out, in, count)
    integer, intent(in) :: count
    double precision, intent(inout) :: out(count), in(count)
    call MPI_Sendrecv(out, count, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, count, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end subroutine
end program
