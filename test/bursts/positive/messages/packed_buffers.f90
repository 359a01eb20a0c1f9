! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: computed numbers are packed into a buffer of a derived type, which is handed to MPI as an array of assumed shape
! (CloverLeaf): MPI is given a copy, and where that lies rests on no number in it. A kernel in C tells numbers from integers,
! Fortran does not.
! WITH: packed_buffers_kernels.c
module chunks
  implicit none
  type chunk_type
    double precision, allocatable :: field(:, :)
    double precision, allocatable :: send(:), receive(:)
  end type
  type(chunk_type) :: chunk
end module
program packed_buffers
  use mpi
  use chunks
  implicit none
  integer, parameter :: n = 200, steps = 36
  integer :: rank, ranks, step, i, j, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  allocate (chunk%field(n, n), chunk%send(n), chunk%receive(n))
  chunk%field = rank
  do step = 1, steps
    ! EXPECT-SKIP: not frail
    do j = 2, n - 1
      do i = 2, n - 1
        chunk%field(i, j) = 0.25d0 * (chunk%field(i - 1, j) + chunk%field(i + 1, j) + chunk%field(i, j + 1)) &
                            + sin(dble(i * j * step))
      end do
    end do
    call pack(chunk%field, chunk%send, n)
    if (rank == 99) call scale_buffer(chunk%send, n)
    call exchange(chunk%send, chunk%receive, n, 1)
    if (mod(step, 2) == 0) call exchange(chunk%send, chunk%receive, n, 2)
    if (mod(step, 3) == 0) call exchange(chunk%receive, chunk%send, n, 3)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine pack(field, buffer, count)
    integer, intent(in) :: count
    double precision, intent(in) :: field(count, count)
    double precision, intent(out) :: buffer(:)
    integer :: k
    do k = 1, count
      buffer(k) = field(2, k)
    end do
  end subroutine
  recursive subroutine exchange(send, receive, count, tag)
    double precision :: send(:), receive(:)
    integer :: count, tag, requests(2)
    call MPI_Isend(send, count, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), tag, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(receive, count, MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), tag, MPI_COMM_WORLD, requests(2), ierror)
    if (tag == 5) call exchange(receive, send, count, 4)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
  end subroutine
end program
