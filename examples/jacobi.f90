! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Jacobi's iteration on a plate cut into a 2-D Cartesian grid of ranks; rows travel as a vector type, columns as they
! lie. Uses mpi_f08. The temperatures are whole numbers, so the serial computation on rank 0 must agree exactly.
module plate
  use mpi_f08
  implicit none
  integer, parameter :: n = 4, steps = 10, long = selected_int_kind(18)
  integer(long), allocatable :: t(:, :), new(:, :)
  integer :: dims(2) = 0, coords(2), left, right, down, up
  type(MPI_Comm) :: cart
  type(MPI_Datatype) :: row
contains
  subroutine set_up()
    integer :: rank, size
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    call MPI_Dims_create(size, 2, dims)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .true., cart)
    call MPI_Comm_rank(cart, rank)
    call MPI_Cart_coords(cart, rank, 2, coords)
    call MPI_Cart_shift(cart, 0, 1, left, right)
    call MPI_Cart_shift(cart, 1, 1, down, up)
    call MPI_Type_vector(n, 1, n + 2, MPI_INTEGER8, row)
    call MPI_Type_commit(row)
    allocate (t(0:n + 1, 0:n + 1), source=0_long)
    allocate (new(0:n + 1, 0:n + 1), source=0_long)
  end subroutine set_up

  elemental integer(long) function initial(i, j)
    integer, intent(in) :: i, j
    initial = 1000000_long*mod(7*i + 3*j, 11)
  end function initial

  subroutine exchange()
    ! t(:, j) is a column in memory; a row t(i, :) has stride n + 2.
    call MPI_Sendrecv(t(1, n), n, MPI_INTEGER8, up, 1, t(1, 0), n, MPI_INTEGER8, down, 1, cart, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(t(1, 1), n, MPI_INTEGER8, down, 2, t(1, n + 1), n, MPI_INTEGER8, up, 2, cart, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(t(n, 1), 1, row, right, 3, t(0, 1), 1, row, left, 3, cart, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(t(1, 1), 1, row, left, 4, t(n + 1, 1), 1, row, right, 4, cart, MPI_STATUS_IGNORE)
  end subroutine exchange

  integer(long) function serial()
    integer(long), allocatable :: a(:, :), b(:, :)
    integer :: i, j, step, nx, ny
    nx = n*dims(1)
    ny = n*dims(2)
    allocate (a(0:nx + 1, 0:ny + 1), source=0_long)
    do concurrent(i=1:nx, j=1:ny)
      a(i, j) = initial(i, j)
    end do
    b = a
    do step = 1, steps
      do concurrent(i=1:nx, j=1:ny)
        b(i, j) = (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))/4
      end do
      a = b
    end do
    serial = sum(a(1:nx, 1:ny))
  end function serial
end module plate

program jacobi
  use plate
  implicit none
  integer :: i, j, step, rank
  integer(long) :: mine, total

  call MPI_Init()
  call set_up()
  do concurrent(i=1:n, j=1:n)
    t(i, j) = initial(coords(1)*n + i, coords(2)*n + j)
  end do
  do step = 1, steps
    call exchange()
    do concurrent(i=1:n, j=1:n)
      new(i, j) = (t(i - 1, j) + t(i + 1, j) + t(i, j - 1) + t(i, j + 1))/4
    end do
    t(1:n, 1:n) = new(1:n, 1:n)
  end do
  mine = sum(t(1:n, 1:n))
  call MPI_Reduce(mine, total, 1, MPI_INTEGER8, MPI_SUM, 0, cart)
  call MPI_Comm_rank(cart, rank)
  if (rank == 0) print '(a,i0,a,i0,a,i0,a,a)', 'jacobi ', dims(1), 'x', dims(2), ': sum ', total, ': ', &
    merge('PASSED', 'FAILED', total == serial())
  call MPI_Type_free(row)
  call MPI_Comm_free(cart)
  call MPI_Finalize()
end program jacobi
