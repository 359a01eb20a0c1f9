! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: sections of arrays with strides go through mpi_f08 as they are, in blocking, nonblocking and persistent calls and in
! collectives: what lies between their elements stays, and nothing is copied at the wrong time.
program sections
  use mpi_f08
  implicit none
  integer :: rank, ranks, next, previous, failures = 0
  logical :: supported
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = modulo(rank + 1, ranks)
  previous = modulo(rank - 1, ranks)
  supported = MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING
  call check(supported, 'MPI_SUBARRAYS_SUPPORTED')
  call blocking()
  call reversed()
  call fewer()
  call bytes()
  call longer_type()
  call components()
  call substrings()
  call nonblocking()
  call persistent()
  call collectives()
  call nonblocking_collectives()
  call persistent_collective()
  call packed()
  call window()
  call whole()
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(a)', merge('sections: PASSED', 'sections: FAILED', failures == 0)
  call MPI_Finalize()
contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    if (ok) return
    failures = failures + 1
    print '(a,i0,2a)', 'rank ', rank, ' WRONG: ', what
  end subroutine

  !> A matrix whose elements say whose they are and where they lie.
  function matrix(owner) result(a)
    integer, intent(in) :: owner
    integer :: a(7, 9), i, j
    a = reshape([((owner * 1000 + j * 10 + i, i = 1, 7), j = 1, 9)], [7, 9])
  end function

  subroutine blocking()
    integer :: a(7, 9), b(7, 9), expected(7, 9), from(7, 9), count
    type(MPI_Status) :: status
    a = matrix(rank)
    from = matrix(previous)
    b = -1
    expected = -1
    expected(1:7:3, 2:4) = from(2:6:2, 1:9:4)
    call MPI_Sendrecv(a(2:6:2, 1:9:4), 9, MPI_INTEGER, next, 1, b(1:7:3, 2:4), 9, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call check(all(b == expected), 'MPI_Sendrecv')
    call check(count == 9, 'MPI_Get_count')
  end subroutine

  subroutine reversed()
    integer :: a(10), b(10), i
    a = [(100 * rank + i, i = 1, 10)]
    b = -1
    call MPI_Sendrecv(a(10:1:-3), 4, MPI_INTEGER, next, 1, b(4:1:-1), 4, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, &
         MPI_STATUS_IGNORE)
    call check(all(b(1:4) == 100 * previous + [1, 4, 7, 10]) .and. all(b(5:) == -1), 'negative strides')
  end subroutine

  !> A count that ends within a column, and a message that is shorter than the section.
  subroutine fewer()
    integer :: a(7, 9), b(7, 9), expected(7, 9), from(7, 9)
    a = matrix(rank)
    from = matrix(previous)
    b = -1
    expected = -1
    expected(1:5:2, 1) = from(1, 1:3)
    expected(1:3:2, 5) = from(1, 4:5)
    call MPI_Sendrecv(a(1, :), 5, MPI_INTEGER, next, 1, b(1:5:2, 1:9:4), 8, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, &
         MPI_STATUS_IGNORE)
    call check(all(b == expected), 'fewer elements than the section has')
  end subroutine

  !> Types that are a part of an element.
  subroutine bytes()
    real(8) :: a(9), b(9)
    integer :: i, halves(2, 2)
    a = [(rank + 0.1d0 * i, i = 1, 9)]
    b = -1
    call MPI_Sendrecv(a(1:9:2), 28, MPI_BYTE, next, 1, b(2:9:2), 28, MPI_BYTE, previous, 1, MPI_COMM_WORLD, &
         MPI_STATUS_IGNORE)
    halves = reshape(transfer([b(8), previous + 0.1d0 * 7], halves), [2, 2])
    call check(halves(1, 1) == halves(1, 2) .and. halves(2, 1) /= halves(2, 2), 'a part of an element')
    call check(all(b(2:6:2) == previous + 0.1d0 * [1, 3, 5]) .and. all(b(1:9:2) == -1), 'bytes of elements')
  end subroutine

  !> A type that is longer than an element, with a gap, over a section with gaps of its own.
  subroutine longer_type()
    integer :: a(20), b(20), expected(20), i
    type(MPI_Datatype) :: type
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, type)
    call MPI_Type_commit(type)
    a = [(100 * rank + i, i = 1, 20)]
    b = -1
    ! Of the elements 1, 4, 7… the first, third, fourth and sixth: the type's extent is three elements.
    expected = -1
    expected([1, 5, 7, 11]) = 100 * previous + [1, 7, 10, 16]
    call MPI_Sendrecv(a(1:20:3), 2, type, next, 1, b(1:20:2), 2, type, previous, 1, MPI_COMM_WORLD, &
         MPI_STATUS_IGNORE)
    call check(all(b == expected), 'a type longer than an element')
    call MPI_Type_free(type)
  end subroutine

  subroutine components()
    type record
      sequence
      real(8) :: x
      integer :: n, m
    end type
    type(record) :: a(6), b(6)
    integer :: i
    a = [(record(0.5d0 * i, 10 * rank + i, i), i = 1, 6)]
    b = record(-1, -1, -1)
    call MPI_Sendrecv(a%n, 6, MPI_INTEGER, next, 1, b%n, 6, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, &
         MPI_STATUS_IGNORE)
    call check(all(b%n == 10 * previous + [1, 2, 3, 4, 5, 6]), 'components of an array of structures')
    call check(all(b%m == -1) .and. all(b%x == -1), 'the other components')
  end subroutine

  subroutine substrings()
    character(6) :: a(4), b(4)
    a = ['abcdef', 'ghijkl', 'mnopqr', 'stuvwx']
    b = '......'
    call MPI_Sendrecv(a(:)(2:4), 12, MPI_CHARACTER, next, 1, b(4:1:-1)(3:5), 12, MPI_CHARACTER, previous, 1, MPI_COMM_WORLD, &
         MPI_STATUS_IGNORE)
    call check(all(b == ['..tuv.', '..nop.', '..hij.', '..bcd.']), 'substrings')
  end subroutine

  !> The data is read, and comes, after the call that started it.
  subroutine nonblocking()
    integer, asynchronous :: a(7, 9), b(7, 9)
    integer :: expected(7, 9), from(7, 9)
    type(MPI_Request) :: requests(2)
    from = matrix(previous)
    b = -1
    call MPI_Irecv(b(7:1:-2, 3:7:2), 12, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(1))
    a = matrix(rank)
    call MPI_Issend(a(1:7:2, 1:9:4), 12, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    expected = -1
    expected(7:1:-2, 3:7:2) = from(1:7:2, 1:9:4)
    call check(all(b == expected), 'MPI_Irecv')
  end subroutine

  subroutine persistent()
    integer, asynchronous :: a(20), b(20)
    integer :: i, round
    type(MPI_Request) :: requests(2)
    call MPI_Send_init(a(1:20:4), 5, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Recv_init(b(2:20:4), 5, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(2))
    do round = 1, 3
      a = [(1000 * rank + 100 * round + i, i = 1, 20)]
      b = -1
      call MPI_Startall(2, requests)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      call check(all(b(2:20:4) == 1000 * previous + 100 * round + [1, 5, 9, 13, 17]), 'MPI_Recv_init')
      call check(count(b == -1) == 15, 'what lies between')
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
  end subroutine

  subroutine collectives()
    integer :: a(6), b(6), i
    integer :: all_of(2 * ranks), counts(ranks), displacements(ranks), some(4 * ranks)
    a = [(rank + i, i = 1, 6)]
    b = -1
    call MPI_Allreduce(a(1:6:2), b(2:6:2), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(all(b(2:6:2) == ranks * [1, 3, 5] + ranks * (ranks - 1) / 2) .and. all(b(1:6:2) == -1), 'MPI_Allreduce')
    b = -1
    if (rank == 0) b(1:6:2) = [7, 8, 9]
    call MPI_Bcast(b(1:6:2), 3, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call check(all(b == [7, -1, 8, -1, 9, -1]), 'MPI_Bcast')
    all_of = -1
    call MPI_Allgather(rank, 1, MPI_INTEGER, all_of(2 * ranks:1:-2), 1, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(all_of(2 * ranks:1:-2) == [(i, i = 0, ranks - 1)]) .and. all(all_of(1::2) == -1), 'MPI_Allgather')
    counts = 1
    displacements = [(2 * i, i = 0, ranks - 1)]
    some = -1
    ! Displacements count elements of the section: every other one of every other element.
    call MPI_Gatherv(rank, 1, MPI_INTEGER, some(1::2), counts, displacements, MPI_INTEGER, 0, MPI_COMM_WORLD)
    if (rank == 0) call check(all(some(1::4) == [(i, i = 0, ranks - 1)]), 'MPI_Gatherv')
    call check(count(some == -1) == merge(3, 4, rank == 0) * ranks, 'what MPI_Gatherv leaves alone')
  end subroutine

  subroutine nonblocking_collectives()
    integer, asynchronous :: a(6), b(6)
    integer :: i
    type(MPI_Request) :: request
    logical :: flag
    a = [(rank + i, i = 1, 6)]
    b = -1
    call MPI_Iallreduce(a(1:6:2), b(2:6:2), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    flag = .false.
    do while (.not. flag)
      call MPI_Test(request, flag, MPI_STATUS_IGNORE)
    end do
    call check(all(b(2:6:2) == ranks * [1, 3, 5] + ranks * (ranks - 1) / 2) .and. all(b(1:6:2) == -1), 'MPI_Iallreduce')
  end subroutine

  subroutine persistent_collective()
    integer, asynchronous :: a(6), b(6)
    integer :: i, round
    type(MPI_Request) :: request
    call MPI_Allreduce_init(a(1:6:2), b(2:6:2), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    do round = 1, 3
      a = [(round * i, i = 1, 6)]
      b = -round
      call MPI_Start(request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call check(all(b(2:6:2) == ranks * round * [1, 3, 5]) .and. all(b(1:6:2) == -round), 'MPI_Allreduce_init')
    end do
    call MPI_Request_free(request)
  end subroutine

  subroutine packed()
    integer :: a(10), b(10), i, position
    character :: buffer(2, 100)
    a = [(i, i = 1, 10)]
    b = -1
    buffer = '.'
    position = 0
    call MPI_Pack(a(1:10:3), 4, MPI_INTEGER, buffer(1, :), 100, position, MPI_COMM_WORLD)
    call check(all(buffer(2, :) == '.'), 'MPI_Pack')
    position = 0
    call MPI_Unpack(buffer(1, :), 100, position, b(10:4:-2), 4, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(b(10:4:-2) == [1, 4, 7, 10]) .and. count(b == -1) == 6, 'MPI_Unpack')
  end subroutine

  !> Transfers of a window end long after the call that has the section.
  subroutine window()
    integer, asynchronous :: memory(8), a(8), b(8)
    type(MPI_Win) :: win
    type(MPI_Errhandler) :: handler
    integer :: code, class
    call MPI_Win_create(memory, 32_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    memory = -1
    b = -1
    a = rank
    call MPI_Win_fence(0, win)
    call MPI_Put(a(1:8:2), 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call MPI_Get(b(8:2:-2), 4, MPI_INTEGER, previous, 2_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call check(all(memory == [previous, previous, previous, previous, -1, -1, -1, -1]), 'MPI_Put')
    call check(all(b(8:2:-2) == [modulo(previous - 1, ranks), modulo(previous - 1, ranks), -1, -1]) .and. all(b(1::2) == -1), &
         'MPI_Get')
    call MPI_Win_free(win)
    ! Memory of a window cannot have strides; that is an error, nothing worse.
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, handler)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    call MPI_Win_create(memory(1:8:2), 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, code)
    call MPI_Error_class(code, class)
    call check(class == MPI_ERR_BUFFER, 'a window of a section')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler)
  end subroutine

  !> What is contiguous in other forms: scalars, elements, assumed size, pointers, nothing at all.
  subroutine whole()
    integer, target :: a(4, 4)
    integer, pointer :: p(:)
    integer, allocatable :: none(:)
    integer :: one
    a = rank
    p => a(:, 2)
    call MPI_Bcast(p, 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Bcast(a(3, 3), 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call check(all(a(:, 1) == rank) .and. all(a(:, 2) == 0) .and. all(reshape(a(:, 3:), [8]) == &
         [rank, rank, 0, 0, 0, 0, rank, rank]), 'elements and pointers')
    call assumed_size(a)
    call check(all(a(:, 1) == 5) .and. all(a(:, 2) == [5, 0, 0, 0]), 'assumed size')
    one = rank
    call MPI_Bcast(one, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call check(one == 0, 'a scalar')
    call MPI_Bcast(none, 0, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Bcast(a(1:0:1, :), 0, MPI_INTEGER, 0, MPI_COMM_WORLD)
  end subroutine

  subroutine assumed_size(a)
    integer :: a(*)
    if (rank == 0) a(1:5) = 5
    call MPI_Bcast(a, 5, MPI_INTEGER, 0, MPI_COMM_WORLD)
  end subroutine
end program
