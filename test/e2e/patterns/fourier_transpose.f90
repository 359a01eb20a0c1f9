! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a 2-D Fourier transform by columns, an alltoall transpose and columns again turns a plane wave into one
! spike, and back into the wave.
module fourier
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: pi = acos(-1.0_dp)
  integer, save :: n, mine, rank, size
contains
  ! Cooley and Tukey's transform, length a power of two; direction -1 forward, +1 back (not scaled).
  recursive subroutine transform(a, direction)
    complex(dp), intent(inout) :: a(:)
    integer, intent(in) :: direction
    complex(dp), allocatable :: even(:), odd(:)
    integer :: half, i
    half = ubound(a, 1)/2
    if (half == 0) return
    even = a(1::2)
    odd = a(2::2)
    call transform(even, direction)
    call transform(odd, direction)
    do i = 1, half
      odd(i) = odd(i)*exp(cmplx(0.0_dp, direction*pi*(i - 1)/half, dp))
    end do
    a(:half) = even + odd
    a(half + 1:) = even - odd
  end subroutine transform

  ! a(n, mine) holds my columns; afterwards it holds my rows.
  subroutine transpose_all(a)
    complex(dp), intent(inout) :: a(n, mine)
    complex(dp) :: out(mine, mine, 0:size - 1), in(mine, mine, 0:size - 1)
    integer :: peer, error
    do peer = 0, size - 1
      out(:, :, peer) = transpose(a(peer*mine + 1:(peer + 1)*mine, :))
    end do
    call MPI_Alltoall(out, mine*mine, MPI_DOUBLE_COMPLEX, in, mine*mine, MPI_DOUBLE_COMPLEX, MPI_COMM_WORLD, error)
    do peer = 0, size - 1
      a(peer*mine + 1:(peer + 1)*mine, :) = in(:, :, peer)
    end do
  end subroutine transpose_all

  subroutine transform_2d(a, direction)
    complex(dp), intent(inout) :: a(n, mine)
    integer, intent(in) :: direction
    integer :: column, pass
    do pass = 1, 2
      do column = 1, mine
        call transform(a(:, column), direction)
      end do
      call transpose_all(a)
    end do
  end subroutine transform_2d
end module fourier

program fourier_transpose
  use fourier
  implicit none
  complex(dp), allocatable :: a(:, :), wave(:, :)
  real(dp) :: errors(2), worst(2)
  integer :: i, j, error, column
  integer, parameter :: kx = 3, ky = 5
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  n = max(size, 16)
  mine = n/size
  allocate (wave(n, mine))
  do j = 1, mine
    column = rank*mine + j - 1
    wave(:, j) = [(exp(cmplx(0.0_dp, 2*pi*modulo(kx*i + ky*column, n)/n, dp)), i=0, n - 1)]
  end do
  a = wave
  call transform_2d(a, -1)
  do j = 1, mine
    if (rank*mine + j - 1 == ky) a(kx + 1, j) = a(kx + 1, j) - real(n, dp)**2
  end do
  errors(1) = maxval(abs(a))/n**2
  do j = 1, mine
    if (rank*mine + j - 1 == ky) a(kx + 1, j) = a(kx + 1, j) + real(n, dp)**2
  end do
  call transform_2d(a, 1)
  errors(2) = maxval(abs(a/real(n, dp)**2 - wave))
  call MPI_Reduce(errors, worst, 2, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,i0,a,2es9.2,2a)', 'fourier of side ', n, ': errors ', worst, ' verification ', &
    merge('SUCCESSFUL', 'FAILED    ', all(worst < 1.0e-10_dp))
  call MPI_Finalize(error)
end program fourier_transpose
