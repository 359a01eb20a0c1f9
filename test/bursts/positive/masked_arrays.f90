! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a loop that ends on what it computes makes arrays for its masks, and frees them; how often matters to nobody.
program masked_arrays
  use mpi
  implicit none
  integer, parameter :: steps = 36
  double precision, allocatable :: psi(:), rest(:)
  double precision :: out(100), in(100)
  integer :: rank, ranks, step, ierror, n
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  n = 1000 + ranks
  allocate (psi(n), rest(n))
  psi = 1d0 + rank
  do step = 1, steps
    call fix(psi, rest, n, step)
    out = psi(:100)
    call MPI_Sendrecv(out, 100, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 100, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    psi(:100) = in
  end do
  call MPI_Finalize(ierror)
contains
  subroutine fix(psi, rest, n, step)
    integer, intent(in) :: n, step
    double precision, intent(inout) :: psi(n), rest(n)
    double precision :: weight(n), old
    integer :: i
    rest = sin(psi * step)
    weight = 1
    old = n
    ! EXPECT-SKIP
    do i = 1, n
      where (rest * weight < 1d-3 * i) weight = 0.5d0 * rest
      rest = rest * weight + 0.125d0
      if (sum(weight) == old) exit
      old = sum(weight)
    end do
    psi = psi + rest
  end subroutine
end program
