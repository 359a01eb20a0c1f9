! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a pipeline of planes (each rank waits for its west and south neighbours, computes, passes on east and north,
! as SSOR solvers do) gives what the serial recurrence gives. Column and row buffers live in COMMON.
module recurrence
  implicit none
  integer, parameter :: n = 3, planes = 6, long = selected_int_kind(18)
  integer(long), parameter :: modulus = 998244353_long
contains
  elemental integer(long) function combine(west, south, below, i, j, k)
    integer(long), intent(in) :: west, south, below
    integer, intent(in) :: i, j, k
    combine = mod(2*west + 3*south + 5*below + i + 7*j + 11*k, modulus)
  end function combine

  integer(long) function serial(nx, ny)
    integer, intent(in) :: nx, ny
    integer(long), allocatable :: v(:, :)
    integer :: i, j, k
    allocate (v(0:nx, 0:ny), source=1_long)
    serial = 0
    do k = 1, planes
      do j = 1, ny
        do i = 1, nx
          v(i, j) = combine(v(i - 1, j), v(i, j - 1), v(i, j), i, j, k)
          serial = mod(serial + v(i, j)*k, modulus)
        end do
      end do
    end do
  end function serial
end module recurrence

subroutine receive_edges(west, south)
  use mpi
  use recurrence
  implicit none
  integer, intent(in) :: west, south
  integer(long) :: column(n), row(n)
  integer :: error
  common /edges/ column, row
  column = 1
  row = 1
  call MPI_Recv(column, n, MPI_INTEGER8, west, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Recv(row, n, MPI_INTEGER8, south, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
end subroutine receive_edges

program wavefront
  use mpi
  use recurrence
  implicit none
  integer(long) :: column(n), row(n), v(0:n, 0:n), mine, total
  integer :: rank, size, error, dims(2), x, y, i, j, k, west, east, south, north
  common /edges/ column, row
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  dims = 0
  call MPI_Dims_create(size, 2, dims, error)
  x = mod(rank, dims(1))
  y = rank/dims(1)
  west = merge(rank - 1, MPI_PROC_NULL, x > 0)
  east = merge(rank + 1, MPI_PROC_NULL, x < dims(1) - 1)
  south = merge(rank - dims(1), MPI_PROC_NULL, y > 0)
  north = merge(rank + dims(1), MPI_PROC_NULL, y < dims(2) - 1)
  v = 1
  mine = 0
  do k = 1, planes
    call receive_edges(west, south)
    v(0, 1:n) = column
    v(1:n, 0) = row
    do j = 1, n
      do i = 1, n
        v(i, j) = combine(v(i - 1, j), v(i, j - 1), v(i, j), x*n + i, y*n + j, k)
        mine = mod(mine + v(i, j)*k, modulus)
      end do
    end do
    call MPI_Send(v(n, 1:n), n, MPI_INTEGER8, east, 1, MPI_COMM_WORLD, error)
    call MPI_Send(v(1:n, n), n, MPI_INTEGER8, north, 2, MPI_COMM_WORLD, error)
  end do
  call MPI_Reduce(mine, total, 1, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,i0,2a)', 'wavefront: checksum ', mod(total, modulus), ' verification ', &
    merge('SUCCESSFUL', 'FAILED    ', mod(total, modulus) == serial(n*dims(1), n*dims(2)))
  call MPI_Finalize(error)
end program wavefront
