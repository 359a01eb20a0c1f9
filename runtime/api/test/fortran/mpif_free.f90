! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: mpif.h is valid in free form, and every constant has its type.
subroutine mpif_free
implicit none
include 'mpif.h'
integer ierr, rank, n, st(MPI_STATUS_SIZE), req(4), k
integer (kind=MPI_ADDRESS_KIND) base
real a(10)
double precision t0
logical flag
character*(MPI_MAX_PROCESSOR_NAME) name
external op
call MPI_INIT(ierr)
call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
call mpi_send(a, 10, MPI_REAL, 0, 1, MPI_COMM_WORLD, ierr)
call mpi_recv(a, 10, MPI_REAL, 0, 1, MPI_COMM_WORLD, st, ierr)
call mpi_waitall(4, req, MPI_STATUSES_IGNORE, ierr)
call mpi_allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
call mpi_op_create(op, .true., k, ierr)
call mpi_get_processor_name(name, n, ierr)
call mpi_comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, base, flag, ierr)
call mpi_keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, k, 0, ierr)
call mpi_comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, k, base, ierr)
t0 = MPI_WTIME()
print *, 'elapsed', mpi_wtime() - t0, MPI_WTICK(), st(MPI_SOURCE)
call mpi_finalize(ierr)
end
