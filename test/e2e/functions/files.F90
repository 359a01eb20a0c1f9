! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: files in Fortran: all ways to read what was written in all ways, pointers, views, attributes, error handlers, and a
! data representation of the program's own.
#include "interface.inc"
module callbacks
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: calls = 0
contains
  subroutine on_error(file, code)
    FILE :: file
    integer :: code
    calls = calls + 1
  end subroutine
  subroutine extent(datatype, bytes, extra, error)
    DATATYPE :: datatype
    integer(MPI_ADDRESS_KIND) :: bytes, extra
    integer :: error
    bytes = 4
    error = MPI_SUCCESS
  end subroutine
end module

program files
  use callbacks
  implicit none
  integer(MPI_OFFSET_KIND), parameter :: bytes = 8
  integer :: rank, ranks, failures = 0, error
  integer ASYNC :: sent(2), got(2)
  FILE :: file
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call MPI_File_open(MPI_COMM_WORLD, ' numbers ', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, error)
  call check(error == MPI_SUCCESS, 'MPI_File_open')
  call explicit_offsets()
  call own_pointers()
  call shared_pointers()
  call nonblocking()
  call split()
  call properties()
  call views()
  call handlers()
  call MPI_File_close(file, error)
  call check(file == MPI_FILE_NULL, 'MPI_File_close')
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 0) call MPI_File_delete('numbers', MPI_INFO_NULL, error)
  call check(error == MPI_SUCCESS, 'MPI_File_delete')
  call finish('files')
contains
#include "check.inc"

  !> Where this rank's part of a round begins.
  integer(MPI_OFFSET_KIND) function place()
    place = rank * bytes
  end function

  !> New numbers to write, and what must not stay to read into.
  subroutine begin(round)
    integer, intent(in) :: round
    sent = [1000 * round + rank, round]
    got = -1
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end subroutine

  subroutine ends(what)
    character(*), intent(in) :: what
    call check(all(got == sent), what)
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end subroutine

  subroutine explicit_offsets()
    STATUS(status)
    integer :: count
    call begin(1)
    call MPI_File_write_at(file, place(), sent, 2, MPI_INTEGER, status, error)
    call MPI_Get_count(status, MPI_INTEGER, count, error)
    call check(count == 2, 'the count of MPI_File_write_at')
    call MPI_File_read_at(file, place(), got, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call ends('MPI_File_read_at')
    call begin(2)
    call MPI_File_write_at_all(file, place(), sent, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call MPI_File_read_at_all(file, place(), got, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call ends('MPI_File_read_at_all')
  end subroutine

  subroutine own_pointers()
    integer(MPI_OFFSET_KIND) :: at
    call begin(3)
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_write(file, sent, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call MPI_File_get_position(file, at, error)
    call check(at == place() + bytes, 'MPI_File_get_position')
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_read(file, got, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call ends('MPI_File_read')
    call begin(4)
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_write_all(file, sent, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_read_all(file, got, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call ends('MPI_File_read_all')
  end subroutine

  !> In the order of ranks, or of whoever comes.
  subroutine shared_pointers()
    integer(MPI_OFFSET_KIND) :: at
    integer :: total
    call begin(5)
    call rewind_shared()
    call MPI_File_write_ordered(file, sent, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call MPI_File_get_position_shared(file, at, error)
    call check(at == ranks * bytes, 'MPI_File_get_position_shared')
    call rewind_shared()
    call MPI_File_read_ordered(file, got, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call ends('MPI_File_read_ordered')
    call begin(6)
    call rewind_shared()
    call MPI_File_write_shared(file, sent, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call rewind_shared()
    call MPI_File_read_shared(file, got, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call MPI_Allreduce(got, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call check(total == ranks * 6000 + ranks * (ranks - 1) / 2, 'MPI_File_read_shared')
  end subroutine

  subroutine rewind_shared()
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_File_seek_shared(file, 0_MPI_OFFSET_KIND, MPI_SEEK_SET, error)
  end subroutine

  subroutine done(request)
    REQUEST, intent(inout) :: request
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine nonblocking()
    REQUEST :: request
    integer :: total
    call begin(7)
    call MPI_File_iwrite_at(file, place(), sent, 2, MPI_INTEGER, request, error)
    call done(request)
    call MPI_File_iread_at(file, place(), got, 2, MPI_INTEGER, request, error)
    call done(request)
    call ends('MPI_File_iread_at')
    call begin(8)
    call MPI_File_iwrite_at_all(file, place(), sent, 2, MPI_INTEGER, request, error)
    call done(request)
    call MPI_File_iread_at_all(file, place(), got, 2, MPI_INTEGER, request, error)
    call done(request)
    call ends('MPI_File_iread_at_all')
    call begin(9)
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_iwrite(file, sent, 2, MPI_INTEGER, request, error)
    call done(request)
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_iread(file, got, 2, MPI_INTEGER, request, error)
    call done(request)
    call ends('MPI_File_iread')
    call begin(10)
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_iwrite_all(file, sent, 2, MPI_INTEGER, request, error)
    call done(request)
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_iread_all(file, got, 2, MPI_INTEGER, request, error)
    call done(request)
    call ends('MPI_File_iread_all')
    call begin(11)
    call rewind_shared()
    call MPI_File_iwrite_shared(file, sent, 2, MPI_INTEGER, request, error)
    call done(request)
    call rewind_shared()
    call MPI_File_iread_shared(file, got, 2, MPI_INTEGER, request, error)
    call done(request)
    call MPI_Allreduce(got, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call check(total == ranks * 11000 + ranks * (ranks - 1) / 2, 'MPI_File_iread_shared')
  end subroutine

  subroutine split()
    call begin(12)
    call MPI_File_write_at_all_begin(file, place(), sent, 2, MPI_INTEGER, error)
    call MPI_File_write_at_all_end(file, sent, MPI_STATUS_IGNORE, error)
    call MPI_File_read_at_all_begin(file, place(), got, 2, MPI_INTEGER, error)
    call MPI_File_read_at_all_end(file, got, MPI_STATUS_IGNORE, error)
    call ends('MPI_File_read_at_all_end')
    call begin(13)
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_write_all_begin(file, sent, 2, MPI_INTEGER, error)
    call MPI_File_write_all_end(file, sent, MPI_STATUS_IGNORE, error)
    call MPI_File_seek(file, place(), MPI_SEEK_SET, error)
    call MPI_File_read_all_begin(file, got, 2, MPI_INTEGER, error)
    call MPI_File_read_all_end(file, got, MPI_STATUS_IGNORE, error)
    call ends('MPI_File_read_all_end')
    call begin(14)
    call rewind_shared()
    call MPI_File_write_ordered_begin(file, sent, 2, MPI_INTEGER, error)
    call MPI_File_write_ordered_end(file, sent, MPI_STATUS_IGNORE, error)
    call rewind_shared()
    call MPI_File_read_ordered_begin(file, got, 2, MPI_INTEGER, error)
    call MPI_File_read_ordered_end(file, got, MPI_STATUS_IGNORE, error)
    call ends('MPI_File_read_ordered_end')
  end subroutine

  subroutine properties()
    integer(MPI_OFFSET_KIND) :: size
    integer :: mode, members
    logical :: flag
    GROUP :: group
    INFO :: info
    call MPI_File_sync(file, error)
    call MPI_File_set_size(file, 100 * bytes, error)
    call MPI_File_get_size(file, size, error)
    call check(size == 100 * bytes, 'MPI_File_set_size')
    call MPI_File_preallocate(file, 200 * bytes, error)
    call MPI_File_get_size(file, size, error)
    call check(size == 200 * bytes, 'MPI_File_preallocate')
    call MPI_File_get_amode(file, mode, error)
    call check(mode == ior(MPI_MODE_CREATE, MPI_MODE_RDWR), 'MPI_File_get_amode')
    call MPI_File_get_group(file, group, error)
    call MPI_Group_size(group, members, error)
    call check(members == ranks, 'MPI_File_get_group')
    call MPI_Group_free(group, error)
    call MPI_File_set_atomicity(file, .true., error)
    call MPI_File_get_atomicity(file, flag, error)
    call check(flag, 'MPI_File_set_atomicity')
    call MPI_File_set_atomicity(file, .false., error)
    call MPI_File_get_atomicity(file, flag, error)
    call check(.not. flag, 'MPI_File_get_atomicity')
    call MPI_File_get_info(file, info, error)
    call MPI_File_set_info(file, info, error)
    call MPI_Info_free(info, error)
    call check(info == MPI_INFO_NULL, 'MPI_File_get_info')
  end subroutine

  subroutine views()
    integer(MPI_OFFSET_KIND) :: start, offset
    integer(MPI_ADDRESS_KIND) :: long
    DATATYPE :: element, pattern
    character(MPI_MAX_DATAREP_STRING) :: name
    call MPI_File_set_view(file, 3 * bytes, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, error)
    call MPI_File_get_view(file, start, element, pattern, name, error)
    call check(start == 3 * bytes .and. element == MPI_INTEGER .and. pattern == MPI_INTEGER .and. name == 'native', &
         'MPI_File_get_view')
    call MPI_File_get_byte_offset(file, 5_MPI_OFFSET_KIND, offset, error)
    call check(offset == 3 * bytes + 20, 'MPI_File_get_byte_offset')
    call MPI_File_get_type_extent(file, MPI_INTEGER, long, error)
    call check(long == 4, 'MPI_File_get_type_extent')
    call MPI_Register_datarep('ours ', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, 0_MPI_ADDRESS_KIND, error)
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'ours', MPI_INFO_NULL, error)
    call check(error == MPI_SUCCESS, 'MPI_Register_datarep')
    call begin(15)
    call MPI_File_write_at(file, 2_MPI_OFFSET_KIND * rank, sent, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call MPI_File_read_at(file, 2_MPI_OFFSET_KIND * rank, got, 2, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call ends('a data representation of our own')
  end subroutine

  subroutine handlers()
    ERRHANDLER :: handler, current
    call MPI_File_create_errhandler(on_error, handler, error)
    call MPI_File_set_errhandler(file, handler, error)
    call MPI_File_get_errhandler(file, current, error)
    call check(current == handler, 'MPI_File_get_errhandler')
    call MPI_File_call_errhandler(file, MPI_ERR_OTHER, error)
    call check(calls == 1, 'MPI_File_call_errhandler')
    call MPI_File_set_errhandler(file, MPI_ERRORS_RETURN, error)
    call MPI_Errhandler_free(current, error)
    call MPI_Errhandler_free(handler, error)
  end subroutine
end program
