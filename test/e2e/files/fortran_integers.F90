! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: every function on files works through use mpi and, with MPIF_H, through mpif.h: handles, offsets, statuses, texts, callbacks.
module callbacks
#ifndef MPIF_H
  use mpi
#endif
  implicit none
#ifdef MPIF_H
  include 'mpif.h'
#endif
  integer :: errors = 0
  integer :: file
contains
  subroutine on_error(failed, code)
    integer :: failed
    integer :: code
    errors = errors + 1
    if (failed /= file .or. code /= MPI_ERR_IO) error stop 40
  end subroutine
  subroutine extent_of(datatype, bytes, state, code)
    integer :: datatype
    integer(MPI_ADDRESS_KIND) :: bytes, state
    integer :: code
    bytes = 16
    code = MPI_SUCCESS
    if (datatype /= MPI_INTEGER .or. state /= 4711) code = MPI_ERR_ARG
  end subroutine
end module

program files
  use callbacks
  implicit none
  integer :: rank, ranks, number, ierror, in(3) = -1, out(3)
  logical :: flag
  character(len=20) :: text
  integer(MPI_OFFSET_KIND) :: at, place, length
  integer(MPI_ADDRESS_KIND) :: extent, extra
  integer :: hints
  integer :: group
  integer :: request
  integer :: handler
  integer :: etype, filetype
  integer :: status(MPI_STATUS_SIZE)
  include 'fortran_calls.f90'
end program
