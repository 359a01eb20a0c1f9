! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a count is received by its absolute address, which MPI_Get_address gives, from where a loop has computed it.
program absolute_addresses_f08
  use mpi_f08
  implicit none
  integer, parameter :: n = 1000
  real(8) :: field(n), out(4096), in(4096)
  integer, allocatable :: counts(:), received(:)
  integer :: rank, ranks, step, i
  integer(MPI_ADDRESS_KIND) :: places(1)
  type(MPI_Datatype) :: there
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  allocate(counts(3), received(3))
  field = 0
  out = 0
  do step = 1, 12
    counts = 0
    ! EXPECT-RUN
    do i = 1, n
      field(i) = 0.5d0 * field(i) + mod(i * 7919 + step * 104729 + rank * 31, 1009) / 1009d0
      if (field(i) > 0.9d0) counts(2) = counts(2) + 1
    end do
    received = 0
    call MPI_Get_address(received(2), places(1))
    call MPI_Type_create_struct(1, [1], places, [MPI_INTEGER], there)
    call MPI_Type_commit(there)
    call MPI_Sendrecv(counts(2), 1, MPI_INTEGER, mod(rank + 1, ranks), 2, MPI_BOTTOM, 1, there, &
                      mod(rank + ranks - 1, ranks), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Type_free(there)
    call MPI_Sendrecv(out, counts(2) + 1, MPI_REAL8, mod(rank + 1, ranks), 1, in, received(2) + 1, MPI_REAL8, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end do
  call MPI_Finalize()
end program
