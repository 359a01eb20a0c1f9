! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What the Fortran programs of this folder do, whatever the types of their handles: included by each.
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  out = [10 * rank, 10 * rank + 1, 10 * rank + 2]
  at = 3 * rank
  call MPI_File_open(MPI_COMM_WORLD, 'fortran.dat', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierror)
  if (ierror /= MPI_SUCCESS) error stop 2
  length = 0
  call MPI_File_set_size(file, length, ierror)
  length = 12 * ranks
  call MPI_File_preallocate(file, length, ierror)
  call MPI_File_get_size(file, length, ierror)
  if (length /= 12 * ranks) error stop 3
  call MPI_File_get_amode(file, number, ierror)
  if (number /= ior(MPI_MODE_CREATE, MPI_MODE_RDWR)) error stop 4
  call MPI_File_get_group(file, group, ierror)
  call MPI_Group_size(group, number, ierror)
  if (number /= ranks) error stop 5
  call MPI_Group_free(group, ierror)
  call MPI_File_set_atomicity(file, .true., ierror)
  call MPI_File_get_atomicity(file, flag, ierror)
  if (.not. flag) error stop 6
  call MPI_File_set_info(file, MPI_INFO_NULL, ierror)
  call MPI_File_get_info(file, hints, ierror)
  call MPI_Info_get(hints, 'filename', 20, text, flag, ierror)
  if (.not. flag .or. text /= 'fortran.dat') error stop 7
  call MPI_Info_free(hints, ierror)

  length = 0
  call MPI_File_set_view(file, length, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
  call MPI_File_get_view(file, place, etype, filetype, text, ierror)
  if (place /= 0 .or. etype /= MPI_INTEGER .or. filetype /= MPI_INTEGER .or. text /= 'native') error stop 8
  call MPI_File_get_byte_offset(file, at, place, ierror)
  if (place /= 4 * at) error stop 9
  call MPI_File_get_type_extent(file, MPI_INTEGER, extent, ierror)
  if (extent /= 4) error stop 10

  ! Explicit offsets.
  call MPI_File_write_at(file, at, out, 3, MPI_INTEGER, status, ierror)
  call MPI_File_read_at(file, at, in, 3, MPI_INTEGER, status, ierror)
  call check(11)
  call MPI_File_write_at_all(file, at, out, 3, MPI_INTEGER, status, ierror)
  call MPI_File_read_at_all(file, at, in, 3, MPI_INTEGER, status, ierror)
  call check(12)
  call MPI_File_iwrite_at(file, at, out, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  call MPI_File_iread_at(file, at, in, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  call check(13)
  call MPI_File_iwrite_at_all(file, at, out, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  call MPI_File_iread_at_all(file, at, in, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  call check(14)
  call MPI_File_write_at_all_begin(file, at, out, 3, MPI_INTEGER, ierror)
  call MPI_File_write_at_all_end(file, out, status, ierror)
  call MPI_File_read_at_all_begin(file, at, in, 3, MPI_INTEGER, ierror)
  call MPI_File_read_at_all_end(file, in, status, ierror)
  call check(15)

  ! Individual pointers.
  call MPI_File_seek(file, at, MPI_SEEK_SET, ierror)
  call MPI_File_write(file, out, 3, MPI_INTEGER, status, ierror)
  call MPI_File_get_position(file, place, ierror)
  if (place /= at + 3) error stop 16
  call back
  call MPI_File_read(file, in, 3, MPI_INTEGER, status, ierror)
  call check(17)
  call back
  call MPI_File_write_all(file, out, 3, MPI_INTEGER, status, ierror)
  call back
  call MPI_File_read_all(file, in, 3, MPI_INTEGER, status, ierror)
  call check(18)
  call back
  call MPI_File_iwrite(file, out, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  call back
  call MPI_File_iread(file, in, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  call check(19)
  call back
  call MPI_File_iwrite_all(file, out, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  call back
  call MPI_File_iread_all(file, in, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  call check(20)
  call back
  call MPI_File_write_all_begin(file, out, 3, MPI_INTEGER, ierror)
  call MPI_File_write_all_end(file, out, status, ierror)
  call back
  call MPI_File_read_all_begin(file, in, 3, MPI_INTEGER, ierror)
  call MPI_File_read_all_end(file, in, status, ierror)
  call check(21)

  ! Shared pointers.
  call MPI_File_write_ordered(file, out, 3, MPI_INTEGER, status, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_File_get_position_shared(file, place, ierror)
  if (place /= 3 * ranks) error stop 22
  call rewind_shared
  call MPI_File_read_ordered(file, in, 3, MPI_INTEGER, status, ierror)
  call check(23)
  call rewind_shared
  call MPI_File_write_ordered_begin(file, out, 3, MPI_INTEGER, ierror)
  call MPI_File_write_ordered_end(file, out, status, ierror)
  call rewind_shared
  call MPI_File_read_ordered_begin(file, in, 3, MPI_INTEGER, ierror)
  call MPI_File_read_ordered_end(file, in, status, ierror)
  call check(24)
  call rewind_shared
  call MPI_File_write_shared(file, out, 3, MPI_INTEGER, status, ierror)
  call rewind_shared
  call MPI_File_read_shared(file, in, 3, MPI_INTEGER, status, ierror)
  if (in(2) /= in(1) + 1 .or. in(3) /= in(1) + 2 .or. modulo(in(1), 10) /= 0) error stop 25
  call rewind_shared
  call MPI_File_iwrite_shared(file, out, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  call rewind_shared
  call MPI_File_iread_shared(file, in, 3, MPI_INTEGER, request, ierror)
  call MPI_Wait(request, status, ierror)
  if (in(2) /= in(1) + 1 .or. in(3) /= in(1) + 2 .or. modulo(in(1), 10) /= 0) error stop 26
  call MPI_File_sync(file, ierror)

  ! Error handlers, and a representation of the program's.
  call MPI_File_get_errhandler(file, handler, ierror)
  if (handler /= MPI_ERRORS_RETURN) error stop 27
  call MPI_File_create_errhandler(on_error, handler, ierror)
  call MPI_File_set_errhandler(file, handler, ierror)
  call MPI_File_call_errhandler(file, MPI_ERR_IO, ierror)
  if (errors /= 1) error stop 28
  call MPI_File_set_errhandler(file, MPI_ERRORS_RETURN, ierror)
  call MPI_Errhandler_free(handler, ierror)
  extra = 4711
  call MPI_Register_datarep('sixteen', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, extra, ierror)
  if (ierror /= MPI_SUCCESS) error stop 29
  call MPI_Register_datarep('sixteen', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, extra, ierror)
  call MPI_Error_class(ierror, number, ierror)
  if (number /= MPI_ERR_DUP_DATAREP) error stop 30
  length = 0
  call MPI_File_set_view(file, length, MPI_INTEGER, MPI_INTEGER, 'sixteen', MPI_INFO_NULL, ierror)
  call MPI_File_get_type_extent(file, MPI_INTEGER, extent, ierror)
  if (extent /= 16) error stop 31
  call MPI_File_close(file, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (rank == 0) call MPI_File_delete('fortran.dat', MPI_INFO_NULL, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_File_open(MPI_COMM_WORLD, 'fortran.dat', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierror)
  call MPI_Error_class(ierror, number, ierror)
  if (number /= MPI_ERR_NO_SUCH_FILE) error stop 32
  if (rank == 0) print '(a)', 'fortran files: PASSED'
  call MPI_Finalize(ierror)
contains
  ! What was read is what was written.
  subroutine check(code)
    integer, intent(in) :: code
    integer :: count
    call MPI_Get_count(status, MPI_INTEGER, count, ierror)
    if (any(in /= out) .or. count /= 3) then
      print *, 'rank', rank, 'check', code, 'read', in, 'count', count
      error stop 1
    end if
    in = -1
  end subroutine
  subroutine back
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierror)
  end subroutine
  subroutine rewind_shared
    place = 0
    call MPI_File_seek_shared(file, place, MPI_SEEK_SET, ierror)
  end subroutine
