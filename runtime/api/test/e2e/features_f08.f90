! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: `use mpi_f08` end to end: no ierror, handles as types, callbacks with explicit interfaces, C_PTR, operators.
module callbacks
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: copies = 0, deletes = 0
contains
  subroutine add_squares(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    real(8), pointer :: in(:), inout(:)
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    if (datatype == MPI_REAL8) inout = inout + in
  end subroutine
  subroutine copy(comm, keyval, extra, in, out, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copies = copies + 1
    out = in * extra
    flag = comm /= MPI_COMM_NULL
    ierror = MPI_SUCCESS
  end subroutine
  subroutine remove(comm, keyval, value, extra, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    deletes = deletes + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program features
  use callbacks
  implicit none
  integer :: rank, size, i
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call report('ring of requests', ring())
  call report('user''s operation', operation())
  call report('attributes', attributes())
  call report('memory', memory())
  call report('communicators', communicators())
  call report('intercommunicators', intercommunicators())
  call MPI_Finalize()
contains
  subroutine report(name, ok)
    character(*), intent(in) :: name
    logical, intent(in) :: ok
    logical :: all
    call MPI_Reduce(ok, all, 1, MPI_LOGICAL, MPI_LAND, 0, MPI_COMM_WORLD)
    if (rank == 0) print '(a,a)', name, merge(': ok   ', ': WRONG', all)
  end subroutine

  logical function ring() result(ok)
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: statuses(2)
    real(8), asynchronous :: out(3, 5), in(3, 5)
    integer :: previous, count
    previous = modulo(rank - 1, size)
    out = rank
    call MPI_Irecv(in, 15, MPI_REAL8, previous, 4, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(out, 15, MPI_REAL8, modulo(rank + 1, size), 4, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call MPI_Get_count(statuses(1), MPI_REAL8, count)
    ok = all(in == previous) .and. count == 15 .and. statuses(1)%MPI_SOURCE == previous .and. statuses(1)%MPI_TAG == 4
    ok = ok .and. all(requests == MPI_REQUEST_NULL)
  end function

  logical function operation() result(ok)
    type(MPI_Op) :: op
    real(8) :: mine, total
    mine = real(rank, 8)**2
    call MPI_Op_create(add_squares, .true., op)
    call MPI_Allreduce(mine, total, 1, MPI_REAL8, op, MPI_COMM_WORLD)
    call MPI_Op_free(op)
    ok = total == sum([(real(i, 8)**2, i = 0, size - 1)])
  end function

  logical function attributes() result(ok)
    type(MPI_Comm) :: first, second
    integer :: keyval, duplicated
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Comm_create_keyval(copy, remove, keyval, 3_MPI_ADDRESS_KIND)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, duplicated, 0_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_WORLD, first)
    call MPI_Comm_set_attr(first, keyval, 14_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(first, duplicated, 5_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(first, second)
    call MPI_Comm_get_attr(second, keyval, value, flag)
    ok = flag .and. value == 42
    call MPI_Comm_get_attr(second, duplicated, value, flag)
    ok = ok .and. flag .and. value == 5
    call MPI_Comm_free(second)
    call MPI_Comm_free(first)
    call MPI_Comm_free_keyval(keyval)
    ok = ok .and. copies == 1 .and. deletes == 2
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
    ok = ok .and. flag .and. value >= 32767
  end function

  logical function memory() result(ok)
    type(c_ptr) :: base
    real(8), pointer :: array(:)
    call MPI_Alloc_mem(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, base)
    call c_f_pointer(base, array, [10])
    array = rank
    call MPI_Allreduce(MPI_IN_PLACE, array, 10, MPI_REAL8, MPI_MAX, MPI_COMM_WORLD)
    ok = all(array == size - 1)
    call MPI_Free_mem(array)
  end function

  logical function communicators() result(ok)
    type(MPI_Comm) :: half
    type(MPI_Group) :: group, world_group
    integer :: members, ranks(1)
    call MPI_Comm_split(MPI_COMM_WORLD, modulo(rank, 2), -rank, half)
    call MPI_Comm_size(half, members)
    call MPI_Comm_group(half, group)
    call MPI_Comm_group(MPI_COMM_WORLD, world_group)
    call MPI_Group_translate_ranks(group, 1, [members - 1], world_group, ranks)
    ok = half /= MPI_COMM_WORLD .and. half /= MPI_COMM_NULL .and. ranks(1) == modulo(rank, 2)
    call MPI_Group_free(group)
    call MPI_Group_free(world_group)
    call MPI_Comm_free(half)
    ok = ok .and. half == MPI_COMM_NULL
  end function

  ! Even and odd ranks; on one rank there is nobody to talk to.
  logical function intercommunicators() result(ok)
    type(MPI_Comm) :: half, between, copy, whole
    type(MPI_Group) :: others
    type(MPI_Request) :: request
    integer :: color, members, root, place, value, sums(2)
    logical :: inter
    call MPI_Comm_test_inter(MPI_COMM_WORLD, inter)
    ok = .not. inter
    if (size < 2) return
    color = modulo(rank, 2)
    call MPI_Comm_split(MPI_COMM_WORLD, color, 0, half)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 4, between)
    call MPI_Comm_test_inter(between, inter)
    call MPI_Comm_remote_size(between, members)
    call MPI_Comm_remote_group(between, others)
    ok = ok .and. inter .and. members == (size + color) / 2
    call MPI_Group_size(others, members)
    call MPI_Group_free(others)
    call MPI_Comm_idup_with_info(between, MPI_INFO_NULL, copy, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    ! World rank 0 tells the odd ranks.
    root = 0
    if (color == 0) root = merge(MPI_ROOT, MPI_PROC_NULL, rank == 0)
    value = merge(17, -1, rank == 0)
    call MPI_Bcast(value, 1, MPI_INTEGER, root, copy)
    ok = ok .and. value == merge(17, -1, rank == 0 .or. color == 1)
    call MPI_Allreduce([rank, 1], sums, 2, MPI_INTEGER, MPI_SUM, copy)
    ok = ok .and. sums(2) == members .and. sums(1) == members * (members - color)
    call MPI_Intercomm_merge(between, color == 1, whole)
    call MPI_Comm_rank(whole, place)
    ok = ok .and. place == merge(rank / 2, members + rank / 2, color == 0)
    call MPI_Comm_free(whole)
    call MPI_Comm_free(copy)
    call MPI_Comm_free(between)
    call MPI_Comm_free(half)
  end function
end program
