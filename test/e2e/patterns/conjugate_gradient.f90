! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a sparse solve on a square grid of ranks (sums along rows by exchanges of doubling distance, then an exchange
! with the transposed rank, as conjugate-gradient kernels do) finds the known solution. Uses mpif.h.
module sparse
  implicit none
  integer, parameter :: dp = kind(1.0d0), block = 6
  integer, save :: side, row, col, rank, n, transpose
  real(dp), allocatable :: matrix(:, :)
contains
  ! Symmetric, diagonally dominant: neighbours at distance 1 and 5 (cyclic).
  elemental real(dp) function entry(i, j)
    integer, intent(in) :: i, j
    integer :: distance
    distance = min(modulo(i - j, n), modulo(j - i, n))
    entry = 0
    if (distance == 0) entry = 5.5_dp
    if (distance == 1 .or. distance == 5) entry = -1.25_dp
  end function entry

  ! q = A p. p and q are cut by columns: a rank holds the block of its column. Each rank multiplies its block of
  ! A; the row's partial sums are added up; the result, cut by rows, goes to the transposed rank.
  subroutine multiply(p, q)
    include 'mpif.h'
    real(dp), intent(in) :: p(block)
    real(dp), intent(out) :: q(block)
    real(dp) :: w(block), other(block)
    integer :: distance, partner, request, error
    w = matmul(matrix, p)
    distance = 1
    do while (distance < side)
      partner = row*side + ieor(col, distance)
      call mpi_irecv(other, block, mpi_double_precision, partner, distance, mpi_comm_world, request, error)
      call mpi_send(w, block, mpi_double_precision, partner, distance, mpi_comm_world, error)
      call mpi_wait(request, mpi_status_ignore, error)
      w = w + other
      distance = 2*distance
    end do
    if (transpose == rank) then
      q = w
    else
      call mpi_irecv(q, block, mpi_double_precision, transpose, 999, mpi_comm_world, request, error)
      call mpi_send(w, block, mpi_double_precision, transpose, 999, mpi_comm_world, error)
      call mpi_wait(request, mpi_status_ignore, error)
    end if
  end subroutine multiply

  ! Each row of ranks holds a whole vector, so sums run along the row only.
  real(dp) function dot(a, b)
    include 'mpif.h'
    real(dp), intent(in) :: a(block), b(block)
    real(dp) :: other
    integer :: distance, partner, error
    dot = sum(a*b)
    distance = 1
    do while (distance < side)
      partner = row*side + ieor(col, distance)
      call mpi_sendrecv(dot, 1, mpi_double_precision, partner, 77, other, 1, mpi_double_precision, partner, 77, &
                        mpi_comm_world, mpi_status_ignore, error)
      dot = dot + other
      distance = 2*distance
    end do
  end function dot
end module sparse

program conjugate_gradient
  use sparse
  implicit none
  include 'mpif.h'
  real(dp), dimension(block) :: x, b, r, p, q, known
  real(dp) :: rho, old, alpha, worst, mine
  integer :: i, j, size, error, iterations
  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call mpi_comm_size(mpi_comm_world, size, error)
  side = nint(sqrt(real(size)))
  if (side*side /= size .or. iand(side, side - 1) /= 0) call mpi_abort(mpi_comm_world, 2, error)
  row = rank/side
  col = mod(rank, side)
  transpose = col*side + row
  n = max(side*block, 12)
  if (n /= side*block) call mpi_abort(mpi_comm_world, 3, error)
  allocate (matrix(block, block))
  matrix = reshape([((entry(row*block + i, col*block + j), i=1, block), j=1, block)], [block, block])
  known = [(1.0_dp + modulo(col*block + i, 4), i=1, block)]
  call multiply(known, b)
  x = 0
  r = b
  p = r
  rho = dot(r, r)
  do iterations = 1, 200
    if (rho < 1.0e-24_dp) exit
    call multiply(p, q)
    alpha = rho/dot(p, q)
    x = x + alpha*p
    r = r - alpha*q
    old = rho
    rho = dot(r, r)
    p = r + rho/old*p
  end do
  mine = maxval(abs(x - known))
  call mpi_allreduce(mine, worst, 1, mpi_double_precision, mpi_max, mpi_comm_world, error)
  if (rank == 0) print '(a,i0,a,es9.2,2a)', 'conjugate gradient: ', iterations, ' iterations, error ', worst, &
    ' verification ', merge('SUCCESSFUL', 'FAILED    ', worst < 1.0e-9_dp)
  call mpi_finalize(error)
end program conjugate_gradient
