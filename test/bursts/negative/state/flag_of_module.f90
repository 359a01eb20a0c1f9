! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: whether a quotient had no finite value is asked for by ieee_get_flag, and decides a message's size.
program flag_of_module
  use, intrinsic :: ieee_exceptions
  use mpi
  implicit none
  integer, parameter :: n = 1000, steps = 12
  real(8) :: field(n), numbers(n), out(8), in(8)
  integer :: rank, ranks, ierror, step, i, count
  logical :: raised
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = 0
  do step = 1, steps
    call ieee_set_flag(ieee_divide_by_zero, .false.)
    ! EXPECT-RUN
    do i = 1, n
      numbers(i) = mod(i * 17 + step * 5 + rank * 3, 1001 + mod(step, 3))
      if (mod(step, 3) == 1) numbers(i) = numbers(i) + 1
    end do
    ! EXPECT-RUN: on the flags of floating-point exceptions
    do i = 1, n
      field(i) = 1 / numbers(i)
    end do
    call ieee_get_flag(ieee_divide_by_zero, raised)
    count = merge(3, 5, raised)
    call MPI_Sendrecv(out, count, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 8, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  if (rank == 0) print *, sum(field)
  call MPI_Finalize(ierror)
end program
