! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: embarrassingly parallel counting of random pairs, each rank jumping ahead in one sequence, adds up to what the
! serial sequence gives, exactly. The generator's state is a saved local variable: one per rank.
module generator
  implicit none
  integer, parameter :: long = selected_int_kind(18), dp = kind(1.0d0), bins = 10
  integer(long), parameter :: multiplier = 48271_long, modulus = 2147483647_long, seed = 271828183_long
contains
  integer(long) function power(exponent)
    integer(long), intent(in) :: exponent
    integer(long) :: base, left
    power = 1
    base = multiplier
    left = exponent
    do while (left > 0)
      if (mod(left, 2_long) == 1) power = mod(power*base, modulus)
      base = mod(base*base, modulus)
      left = left/2
    end do
  end function power

  real(dp) function uniform(restart)
    integer(long), intent(in), optional :: restart
    integer(long), save :: state = seed
    if (present(restart)) state = mod(seed*power(restart), modulus)
    state = mod(state*multiplier, modulus)
    uniform = 2.0_dp*state/modulus - 1.0_dp
  end function uniform

  ! Counts the pairs first..first+pairs-1 that fall into each ring of the unit disc.
  subroutine count_pairs(first, pairs, counts)
    integer(long), intent(in) :: first, pairs
    integer(long), intent(out) :: counts(0:bins)
    integer(long) :: i
    real(dp) :: x, y, radius
    counts = 0
    do i = 1, pairs
      if (i == 1) then
        x = uniform(2*first)
      else
        x = uniform()
      end if
      y = uniform()
      radius = sqrt(x*x + y*y)
      if (radius < 1) counts(int(radius*bins)) = counts(int(radius*bins)) + 1
      if (radius >= 1) counts(bins) = counts(bins) + 1
    end do
  end subroutine count_pairs
end module generator

program random_pairs
  use mpi
  use generator
  implicit none
  integer(long), parameter :: pairs = 128
  integer(long) :: mine(0:bins), counted(0:bins), expected(0:bins)
  integer :: rank, size, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call count_pairs(pairs*rank, pairs, mine)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Allreduce(mine, counted, bins + 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) then
    call count_pairs(0_long, pairs*size, expected)
    print '(a,i0,2a)', 'random pairs: ', sum(counted), ' counted, verification ', &
      merge('SUCCESSFUL', 'FAILED    ', all(counted == expected) .and. sum(counted) == pairs*size)
  end if
  call MPI_Finalize(error)
end program random_pairs
