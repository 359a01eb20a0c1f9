! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: `use mpi` end to end: discontiguous arrays, a Cartesian grid, a derived type, an error handler, Waitsome.
module handlers
  implicit none
  integer :: calls = 0
contains
  subroutine count_errors(comm, code)
    integer :: comm, code
    calls = calls + 1
  end subroutine
end module

program features
  use mpi
  use handlers
  implicit none
  integer :: ierr, rank, size, i
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call report('sections of arrays', sections())
  call report('Cartesian grid', grid())
  call report('derived type', derived())
  call report('error handler', handler())
  call report('some requests', some())
  call report('names', names())
  call MPI_Finalize(ierr)
contains
  subroutine report(name, ok)
    character(*), intent(in) :: name
    logical, intent(in) :: ok
    logical :: all
    call MPI_Reduce(ok, all, 1, MPI_LOGICAL, MPI_LAND, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a,a)', name, merge(': ok   ', ': WRONG', all)
  end subroutine

  logical function sections() result(ok)
    integer :: matrix(4, 6), row(6), other(4, 6)
    matrix = reshape([(i, i = 1, 24)], [4, 6])
    call MPI_Sendrecv(matrix(2, :), 6, MPI_INTEGER, rank, 1, row, 6, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, ierr)
    ok = all(row == matrix(2, :))
    other = 0
    call MPI_Sendrecv(row, 6, MPI_INTEGER, rank, 1, other(3, :), 6, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, ierr)
    ok = ok .and. all(other(3, :) == row) .and. all(other(1, :) == 0)
  end function

  logical function grid() result(ok)
    integer :: dims(2), coords(2), cart, source, dest, back, line
    logical :: periods(2)
    dims = 0
    call MPI_Dims_create(size, 2, dims, ierr)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., cart, ierr)
    call MPI_Cart_coords(cart, rank, 2, coords, ierr)
    call MPI_Cart_rank(cart, coords, back, ierr)
    call MPI_Cart_shift(cart, 1, 1, source, dest, ierr)
    ok = back == rank .and. product(dims) == size
    if (coords(2) == 0) ok = ok .and. source == MPI_PROC_NULL
    call MPI_Cart_get(cart, 2, dims, periods, coords, ierr)
    ok = ok .and. periods(1) .and. .not. periods(2)
    call MPI_Cart_sub(cart, [.true., .false.], line, ierr)
    call MPI_Comm_size(line, back, ierr)
    ok = ok .and. back == dims(1)
    call MPI_Comm_free(line, ierr)
    call MPI_Comm_free(cart, ierr)
  end function

  logical function derived() result(ok)
    type particle
      sequence
      real(8) :: x(3)
      integer :: id, kind
    end type
    type(particle) :: out(2), in(2)
    integer(MPI_ADDRESS_KIND) :: at(2), first, second
    integer :: made, sized, bytes
    do i = 1, 2
      out(i) = particle([1d0, 2d0, 3d0] * i, 10 * i + rank, i)
      in(i) = particle([0d0, 0d0, 0d0], 0, 0)
    end do
    call MPI_Get_address(out(1)%x, at(1), ierr)
    call MPI_Get_address(out(1)%id, at(2), ierr)
    call MPI_Get_address(out(1), first, ierr)
    call MPI_Get_address(out(2), second, ierr)
    call MPI_Type_create_struct(2, [3, 2], at - first, [MPI_REAL8, MPI_INTEGER], made, ierr)
    call MPI_Type_create_resized(made, 0_MPI_ADDRESS_KIND, MPI_Aint_diff(second, first), sized, ierr)
    call MPI_Type_commit(sized, ierr)
    call MPI_Type_size(sized, bytes, ierr)
    call MPI_Sendrecv(out, 2, sized, rank, 2, in, 2, sized, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    ok = bytes == 32 .and. all(in(2)%x == out(2)%x) .and. in(2)%id == 20 + rank .and. in(1)%kind == 1
    call MPI_Type_free(made, ierr)
    call MPI_Type_free(sized, ierr)
  end function

  logical function handler() result(ok)
    integer :: mine, class, length
    character(MPI_MAX_ERROR_STRING) :: text
    call MPI_Comm_create_errhandler(count_errors, mine, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine, ierr)
    call MPI_Send(rank, 1, MPI_INTEGER, size + 5, 0, MPI_COMM_WORLD, ierr)
    call MPI_Error_class(ierr, class, i)
    call MPI_Error_string(ierr, text, length, i)
    ok = calls == 1 .and. class == MPI_ERR_RANK .and. length == len_trim(text)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr)
    call MPI_Errhandler_free(mine, ierr)
  end function

  logical function some() result(ok)
    integer :: requests(3), statuses(MPI_STATUS_SIZE, 3), indices(3), done, total, values(3)
    do i = 1, 3
      call MPI_Irecv(values(i), 1, MPI_INTEGER, rank, i, MPI_COMM_WORLD, requests(i), ierr)
    end do
    do i = 3, 1, -1
      call MPI_Send(100 * i, 1, MPI_INTEGER, rank, i, MPI_COMM_WORLD, ierr)
    end do
    total = 0
    ok = .true.
    do while (total < 3)
      call MPI_Waitsome(3, requests, done, indices, statuses, ierr)
      do i = 1, done
        ok = ok .and. statuses(MPI_TAG, i) == indices(i)
      end do
      total = total + done
    end do
    ok = ok .and. all(values == [100, 200, 300]) .and. all(requests == MPI_REQUEST_NULL)
  end function

  logical function names() result(ok)
    character(MPI_MAX_OBJECT_NAME) :: name
    character(MPI_MAX_PROCESSOR_NAME) :: host
    integer :: length
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, ierr)
    ok = name == 'MPI_COMM_WORLD' .and. length == 14
    call MPI_Get_processor_name(host, length, ierr)
    ok = ok .and. length == len_trim(host) .and. length > 0
  end function
end program
