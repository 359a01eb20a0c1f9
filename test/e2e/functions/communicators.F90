! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: groups, communicators, info objects, error codes and handlers, sessions and what tells of the environment, in Fortran.
#include "interface.inc"
module handlers
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: calls = 0, last = 0
contains
  subroutine on_comm(comm, code)
    COMM :: comm
    integer :: code
    calls = calls + 1
    last = code
  end subroutine
  subroutine on_session(session, code)
    SESSION :: session
    integer :: code
    calls = calls + 1
    last = code
  end subroutine
end module

program communicators
  use handlers
  implicit none
  integer :: rank, ranks, failures = 0, error, provided
  logical :: flag
  call MPI_Initialized(flag, error)
  call check(.not. flag, 'MPI_Initialized')
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call environment()
  call groups()
  call creation()
  call infos()
  call errors()
  call attributes()
  call sessions()
  call finish('communicators')
  call MPI_Finalized(flag, error)
  if (.not. flag) error stop 1
contains
#include "check.inc"

  subroutine environment()
    integer :: major, minor, length, level
    logical :: main
    INFO :: hardware
    character(MPI_MAX_LIBRARY_VERSION_STRING) :: version
    call MPI_Get_version(major, minor, error)
    call check(major == MPI_VERSION .and. minor == MPI_SUBVERSION, 'MPI_Get_version')
    call MPI_Get_library_version(version, length, error)
    call check(length > 0 .and. len_trim(version) == length, 'MPI_Get_library_version')
    call MPI_Abi_get_version(major, minor, error)
    call check(major == 1, 'MPI_Abi_get_version')
    call MPI_Query_thread(level, error)
    call MPI_Is_thread_main(main, error)
    call check(level == provided .and. main, 'MPI_Query_thread')
    call MPI_Pcontrol(1)
    call check(MPI_Aint_diff(MPI_Aint_add(100_MPI_ADDRESS_KIND, 20_MPI_ADDRESS_KIND), 100_MPI_ADDRESS_KIND) == 20, 'MPI_Aint_add')
    call MPI_Get_hw_resource_info(hardware, error)
    call MPI_Info_free(hardware, error)
    call check(hardware == MPI_INFO_NULL, 'MPI_Get_hw_resource_info')
  end subroutine

  subroutine groups()
    GROUP :: all, one, rest, some
    integer :: number, size, result
    call MPI_Comm_group(MPI_COMM_WORLD, all, error)
    call MPI_Group_incl(all, 1, [ranks - 1], one, error)
    call MPI_Group_rank(one, number, error)
    call check(number == merge(0, MPI_UNDEFINED, rank == ranks - 1), 'MPI_Group_incl')
    call MPI_Group_excl(all, 1, [ranks - 1], rest, error)
    call MPI_Group_size(rest, size, error)
    call check(size == ranks - 1, 'MPI_Group_excl')
    call MPI_Group_union(one, rest, some, error)
    call MPI_Group_compare(some, all, result, error)
    call check(result == merge(MPI_IDENT, MPI_SIMILAR, ranks == 1), 'MPI_Group_union')
    call MPI_Group_free(some, error)
    call MPI_Group_intersection(all, one, some, error)
    call MPI_Group_compare(some, one, result, error)
    call check(result == MPI_IDENT, 'MPI_Group_intersection')
    call MPI_Group_free(some, error)
    call MPI_Group_difference(all, one, some, error)
    call MPI_Group_compare(some, rest, result, error)
    call check(result == MPI_IDENT, 'MPI_Group_difference')
    if (some /= MPI_GROUP_EMPTY) call MPI_Group_free(some, error)
    call MPI_Group_range_incl(all, 1, reshape([0, ranks - 1, 2], [3, 1]), some, error)
    call MPI_Group_size(some, size, error)
    call check(size == (ranks + 1) / 2, 'MPI_Group_range_incl')
    call MPI_Group_free(some, error)
    call MPI_Group_range_excl(all, 1, reshape([0, ranks - 1, 2], [3, 1]), some, error)
    call MPI_Group_size(some, size, error)
    call check(size == ranks / 2, 'MPI_Group_range_excl')
  end subroutine

  subroutine creation()
    COMM :: twin, part
    GROUP :: all
    INFO :: info
    REQUEST :: request
    integer :: result, size, length
    character(MPI_MAX_INFO_VAL) :: value
    call MPI_Comm_idup(MPI_COMM_WORLD, twin, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call MPI_Comm_compare(twin, MPI_COMM_WORLD, result, error)
    call check(result == MPI_CONGRUENT, 'MPI_Comm_idup')
    call MPI_Comm_free(twin, error)
    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'mpi_assert_no_any_tag', 'true', error)
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, twin, error)
    call MPI_Comm_set_info(twin, info, error)
    call MPI_Info_free(info, error)
    call MPI_Comm_get_info(twin, info, error)
    length = len(value)
    call MPI_Info_get_string(info, 'mpi_assert_no_any_tag', length, value, flag, error)
    call check(error == MPI_SUCCESS, 'MPI_Comm_get_info')
    call MPI_Info_free(info, error)
    call MPI_Comm_group(twin, all, error)
    call MPI_Comm_create(twin, all, part, error)
    call MPI_Comm_size(part, size, error)
    call check(size == ranks, 'MPI_Comm_create')
    call MPI_Comm_free(part, error)
    call MPI_Comm_create_group(twin, all, 5, part, error)
    call MPI_Comm_size(part, size, error)
    call check(size == ranks, 'MPI_Comm_create_group')
    call MPI_Comm_free(part, error)
    call MPI_Group_free(all, error)
    call MPI_Comm_split_type(twin, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, part, error)
    call check(part /= MPI_COMM_NULL, 'MPI_Comm_split_type')
    call MPI_Comm_free(part, error)
    call MPI_Comm_free(twin, error)
  end subroutine

  subroutine infos()
    INFO :: info, copy
    integer :: keys, length
    character(20) :: key
    call MPI_Info_create(info, error)
    call MPI_Info_set(info, ' one ', ' first value ', error)
    call MPI_Info_set(info, 'two', 'second', error)
    call MPI_Info_get_valuelen(info, 'one', length, flag, error)
    call check(flag .and. length == 11, 'MPI_Info_get_valuelen')
    call MPI_Info_dup(info, copy, error)
    call MPI_Info_delete(copy, 'one', error)
    call MPI_Info_get_nkeys(copy, keys, error)
    call MPI_Info_get_nthkey(copy, 0, key, error)
    call check(keys == 1 .and. key == 'two', 'MPI_Info_get_nthkey')
    call MPI_Info_free(info, error)
    call MPI_Info_free(copy, error)
  end subroutine

  subroutine errors()
    integer :: class, code, found, length
    ERRHANDLER :: handler, current
    character(MPI_MAX_ERROR_STRING) :: text
    call MPI_Add_error_class(class, error)
    call MPI_Add_error_code(class, code, error)
    call MPI_Add_error_string(code, 'out of paper', error)
    call MPI_Error_class(code, found, error)
    call MPI_Error_string(code, text, length, error)
    call check(found == class .and. text == 'out of paper', 'MPI_Add_error_string')
    call MPI_Comm_create_errhandler(on_comm, handler, error)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, error)
    call MPI_Comm_get_errhandler(MPI_COMM_SELF, current, error)
    call check(current == handler, 'MPI_Comm_get_errhandler')
    call MPI_Comm_call_errhandler(MPI_COMM_SELF, code, error)
    call check(calls == 1 .and. last == code, 'MPI_Comm_call_errhandler')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL, error)
    call MPI_Errhandler_free(current, error)
    call MPI_Errhandler_free(handler, error)
    call MPI_Remove_error_string(code, error)
    call MPI_Remove_error_code(code, error)
    call MPI_Remove_error_class(class, error)
    call check(error == MPI_SUCCESS, 'MPI_Remove_error_class')
  end subroutine

  subroutine attributes()
    COMM :: comm
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: value
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, error)
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, 8_MPI_ADDRESS_KIND, error)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, error)
    call MPI_Comm_get_attr(comm, keyval, value, flag, error)
    call check(flag .and. value == 8, 'MPI_COMM_DUP_FN')
    call MPI_Comm_delete_attr(comm, keyval, error)
    call MPI_Comm_get_attr(comm, keyval, value, flag, error)
    call check(.not. flag, 'MPI_Comm_delete_attr')
    call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval, error)
    call MPI_Comm_free_keyval(keyval, error)
    call MPI_Comm_free(comm, error)
  end subroutine

  subroutine sessions()
    SESSION :: session
    ERRHANDLER :: handler, current
    INFO :: info
    GROUP :: group
    COMM :: comm
    integer :: sets, size, length
    integer :: space(100), bytes
    REQUEST :: request
    character(MPI_MAX_PSET_NAME_LEN) :: name
    call MPI_Session_create_errhandler(on_session, handler, error)
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, error)
    call MPI_Session_set_errhandler(session, handler, error)
    call MPI_Session_get_errhandler(session, current, error)
    call check(current == handler, 'MPI_Session_get_errhandler')
    calls = 0
    call MPI_Session_call_errhandler(session, MPI_ERR_OTHER, error)
    call check(calls == 1, 'MPI_Session_call_errhandler')
    call MPI_Errhandler_free(current, error)
    call MPI_Errhandler_free(handler, error)
    call MPI_Session_get_num_psets(session, MPI_INFO_NULL, sets, error)
    length = len(name)
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, length, name, error)
    call check(sets >= 2 .and. name(1:6) == 'mpi://', 'MPI_Session_get_nth_pset')
    call MPI_Session_get_pset_info(session, 'mpi://WORLD', info, error)
    call MPI_Info_free(info, error)
    call MPI_Session_get_info(session, info, error)
    call MPI_Info_free(info, error)
    call MPI_Group_from_session_pset(session, 'mpi://WORLD', group, error)
    call MPI_Group_size(group, size, error)
    call check(size == ranks, 'MPI_Group_from_session_pset')
    call MPI_Comm_create_from_group(group, 'all of us', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, error)
    call MPI_Comm_size(comm, size, error)
    call check(size == ranks, 'MPI_Comm_create_from_group')
    call MPI_Comm_free(comm, error)
    if (ranks == 4) call between_halves(group)
    call MPI_Group_free(group, error)
    call MPI_Session_attach_buffer(session, space, 400, error)
    call MPI_Session_flush_buffer(session, error)
    call MPI_Session_iflush_buffer(session, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
#if defined(F08)
    block
      use, intrinsic :: iso_c_binding, only: c_ptr
      type(c_ptr) :: address
      call MPI_Session_detach_buffer(session, address, bytes, error)
    end block
#else
    call MPI_Session_detach_buffer(session, space, bytes, error)
#endif
    call check(bytes == 400, 'MPI_Session_detach_buffer')
    call MPI_Session_finalize(session, error)
    call check(session == MPI_SESSION_NULL, 'MPI_Session_finalize')
  end subroutine

  subroutine between_halves(all)
    GROUP, intent(in) :: all
    GROUP :: low, high
    COMM :: between
    integer :: size
    call MPI_Group_incl(all, 2, [0, 1], low, error)
    call MPI_Group_excl(all, 2, [0, 1], high, error)
    if (rank < 2) then
      call MPI_Intercomm_create_from_groups(low, 0, high, 0, 'halves', MPI_INFO_NULL, MPI_ERRORS_RETURN, between, error)
    else
      call MPI_Intercomm_create_from_groups(high, 0, low, 0, 'halves', MPI_INFO_NULL, MPI_ERRORS_RETURN, between, error)
    end if
    call MPI_Comm_remote_size(between, size, error)
    call check(size == 2, 'MPI_Intercomm_create_from_groups')
    call MPI_Comm_free(between, error)
    call MPI_Group_free(low, error)
    call MPI_Group_free(high, error)
  end subroutine
end program
