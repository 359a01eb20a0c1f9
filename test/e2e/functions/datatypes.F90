! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: types made in Fortran pick the right data, and tell how they were made; kinds, attributes, packing.
#include "interface.inc"
module type_attributes
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: copies = 0, removals = 0
contains
  subroutine copy(type, keyval, extra, in, out, flag, error)
    DATATYPE :: type
    integer :: keyval, error
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copies = copies + 1
    out = in + extra
    flag = .true.
    error = MPI_SUCCESS
  end subroutine
  subroutine remove(type, keyval, value, extra, error)
    DATATYPE :: type
    integer :: keyval, error
    integer(MPI_ADDRESS_KIND) :: value, extra
    removals = removals + 1
    error = MPI_SUCCESS
  end subroutine
end module

program datatypes
  use type_attributes
  implicit none
  integer :: rank, ranks, failures = 0, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call layouts()
  call arrays()
  call extents()
  call contents()
  call kinds()
  call attributes()
  call packing()
  call finish('datatypes')
contains
#include "check.inc"

  !> Whether one element of the type is these of the numbers 1, 2, 3…; frees the type.
  subroutine picks(type, elements, what)
    DATATYPE, intent(inout) :: type
    integer, intent(in) :: elements(:)
    character(*), intent(in) :: what
    integer :: from(30), to(30), i, position, bytes
    from = [(i, i = 1, 30)]
    to = -1
    call MPI_Type_commit(type, error)
    call MPI_Type_size(type, bytes, error)
    call MPI_Sendrecv(from, 1, type, 0, 1, to, size(elements), MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, error)
    position = size(elements)
    call check(bytes == 4 * position .and. all(to(1:position) == elements), what)
    call MPI_Type_free(type, error)
    call check(type == MPI_DATATYPE_NULL, 'MPI_Type_free')
  end subroutine

  subroutine layouts()
    DATATYPE :: type, twice
    integer(MPI_ADDRESS_KIND) :: at(2)
    at = [4, 16]
    call MPI_Type_contiguous(3, MPI_INTEGER, type, error)
    call MPI_Type_dup(type, twice, error)
    call picks(type, [1, 2, 3], 'MPI_Type_contiguous')
    call picks(twice, [1, 2, 3], 'MPI_Type_dup')
    call MPI_Type_create_hvector(2, 1, 12_MPI_ADDRESS_KIND, MPI_INTEGER, type, error)
    call picks(type, [1, 4], 'MPI_Type_create_hvector')
    call MPI_Type_indexed(2, [1, 2], [0, 3], MPI_INTEGER, type, error)
    call picks(type, [1, 4, 5], 'MPI_Type_indexed')
    call MPI_Type_create_indexed_block(2, 2, [0, 3], MPI_INTEGER, type, error)
    call picks(type, [1, 2, 4, 5], 'MPI_Type_create_indexed_block')
    call MPI_Type_create_hindexed(2, [1, 2], at, MPI_INTEGER, type, error)
    call picks(type, [2, 5, 6], 'MPI_Type_create_hindexed')
    call MPI_Type_create_hindexed_block(2, 1, at, MPI_INTEGER, type, error)
    call picks(type, [2, 5], 'MPI_Type_create_hindexed_block')
  end subroutine

  !> Of a matrix of 3 rows and 4 columns.
  subroutine arrays()
    DATATYPE :: type
    call MPI_Type_create_subarray(2, [3, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, type, error)
    call picks(type, [5, 6, 8, 9], 'MPI_Type_create_subarray')
    call MPI_Type_create_darray(2, 1, 2, [3, 4], [MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK], &
         [MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, type, error)
    call picks(type, [7, 8, 9, 10, 11, 12], 'MPI_Type_create_darray')
  end subroutine

  subroutine extents()
    DATATYPE :: type
    integer(MPI_ADDRESS_KIND) :: lower, extent
    integer(MPI_COUNT_KIND) :: lower_x, extent_x
    integer :: length
    character(MPI_MAX_OBJECT_NAME) :: name
    call MPI_Type_create_hindexed_block(1, 2, [8_MPI_ADDRESS_KIND], MPI_INTEGER, type, error)
    call MPI_Type_get_extent(type, lower, extent, error)
    call check(lower == 8 .and. extent == 8, 'MPI_Type_get_extent')
    call MPI_Type_get_extent_x(type, lower_x, extent_x, error)
    call check(lower_x == 8 .and. extent_x == 8, 'MPI_Type_get_extent_x')
    call MPI_Type_get_true_extent(type, lower, extent, error)
    call check(lower == 8 .and. extent == 8, 'MPI_Type_get_true_extent')
    call MPI_Type_get_true_extent_x(type, lower_x, extent_x, error)
    call check(lower_x == 8 .and. extent_x == 8, 'MPI_Type_get_true_extent_x')
    call MPI_Type_size_x(type, extent_x, error)
    call check(extent_x == 8, 'MPI_Type_size_x')
    call MPI_Type_set_name(type, 'two integers', error)
    call MPI_Type_get_name(type, name, length, error)
    call check(name == 'two integers' .and. length == 12, 'MPI_Type_get_name')
    call MPI_Type_free(type, error)
  end subroutine

  subroutine contents()
    DATATYPE :: type, parts(1)
    integer :: integers, addresses, types, combiner, numbers(4)
    integer(MPI_ADDRESS_KIND) :: at(1)
    call MPI_Type_vector(3, 2, 5, MPI_REAL, type, error)
    call MPI_Type_get_envelope(type, integers, addresses, types, combiner, error)
    call check(integers == 3 .and. addresses == 0 .and. types == 1 .and. combiner == MPI_COMBINER_VECTOR, 'MPI_Type_get_envelope')
    call MPI_Type_get_contents(type, 3, 0, 1, numbers, at, parts, error)
    call check(all(numbers(1:3) == [3, 2, 5]) .and. parts(1) == MPI_REAL, 'MPI_Type_get_contents')
    call MPI_Type_free(type, error)
  end subroutine

  subroutine kinds()
    DATATYPE :: type, again
    integer :: bytes
    call MPI_Type_create_f90_real(12, MPI_UNDEFINED, type, error)
    call MPI_Type_create_f90_real(12, MPI_UNDEFINED, again, error)
    call MPI_Type_size(type, bytes, error)
    call check(bytes == storage_size(1._8) / 8 .and. type == again, 'MPI_Type_create_f90_real')
    call MPI_Type_create_f90_complex(5, 30, type, error)
    call MPI_Type_size(type, bytes, error)
    call check(bytes == 8, 'MPI_Type_create_f90_complex')
    call MPI_Type_create_f90_integer(12, type, error)
    call MPI_Type_size(type, bytes, error)
    call check(bytes == 8, 'MPI_Type_create_f90_integer')
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, type, error)
    call MPI_Type_size(type, bytes, error)
    call check(bytes == 4, 'MPI_Type_match_size')
    call MPI_Type_get_value_index(MPI_DOUBLE_PRECISION, MPI_INTEGER, type, error)
    call check(error == MPI_SUCCESS, 'MPI_Type_get_value_index')
  end subroutine

  subroutine attributes()
    DATATYPE :: type, twice
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Type_create_keyval(copy, remove, keyval, 100_MPI_ADDRESS_KIND, error)
    call MPI_Type_contiguous(2, MPI_INTEGER, type, error)
    call MPI_Type_set_attr(type, keyval, 7_MPI_ADDRESS_KIND, error)
    call MPI_Type_dup(type, twice, error)
    call MPI_Type_get_attr(twice, keyval, value, flag, error)
    call check(flag .and. value == 107 .and. copies == 1, 'MPI_Type_get_attr')
    call MPI_Type_delete_attr(twice, keyval, error)
    call MPI_Type_get_attr(twice, keyval, value, flag, error)
    call check(.not. flag .and. removals == 1, 'MPI_Type_delete_attr')
    call MPI_Type_free(type, error)
    call MPI_Type_free(twice, error)
    call MPI_Type_free_keyval(keyval, error)
    call check(removals == 2 .and. keyval == MPI_KEYVAL_INVALID, 'MPI_Type_free_keyval')
  end subroutine

  subroutine packing()
    integer :: bytes, position, numbers(3)
    integer(MPI_ADDRESS_KIND) :: size, at
    character :: buffer(100)
    call MPI_Pack_size(3, MPI_INTEGER, MPI_COMM_WORLD, bytes, error)
    position = 0
    call MPI_Pack([1, 2, 3], 3, MPI_INTEGER, buffer, 100, position, MPI_COMM_WORLD, error)
    call check(bytes >= 12 .and. position <= bytes, 'MPI_Pack_size')
    position = 0
    call MPI_Unpack(buffer, 100, position, numbers, 3, MPI_INTEGER, MPI_COMM_WORLD, error)
    call check(all(numbers == [1, 2, 3]), 'MPI_Unpack')
    call MPI_Pack_external_size('external32', 3, MPI_INTEGER, size, error)
    at = 0
    call MPI_Pack_external('external32', [1, 2, 3], 3, MPI_INTEGER, buffer, 100_MPI_ADDRESS_KIND, at, error)
    ! external32 is big-endian.
    call check(size == 12 .and. at == 12 .and. ichar(buffer(4)) == 1 .and. ichar(buffer(1)) == 0, 'MPI_Pack_external')
    at = 0
    numbers = 0
    call MPI_Unpack_external('external32', buffer, 12_MPI_ADDRESS_KIND, at, numbers, 3, MPI_INTEGER, error)
    call check(all(numbers == [1, 2, 3]), 'MPI_Unpack_external')
  end subroutine
end program
