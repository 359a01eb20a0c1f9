! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: messages in all modes, probes, tests of requests, partitioned messages and what a status holds, through Fortran.
#include "interface.inc"
program messages
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, ranks, next, previous, failures = 0, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  next = modulo(rank + 1, ranks)
  previous = modulo(rank - 1, ranks)
  call buffered()
  call modes()
  call persistent_modes()
  call probes()
  call tests()
  call asks()
  call exchanges()
  call statuses_by_hand()
  call cancelled()
  call partitioned()
#if defined(F08)
  call large_counts()
#endif
  call finish('messages')
contains
#include "check.inc"

  subroutine buffered()
    integer :: space(1000), got, bytes
    REQUEST :: request
#if defined(F08)
    block
      use, intrinsic :: iso_c_binding, only: c_ptr
      type(c_ptr) :: address
      call MPI_Buffer_attach(space, 4000, error)
      call MPI_Bsend(rank, 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD, error)
      call MPI_Recv(got, 1, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call MPI_Buffer_flush(error)
      call MPI_Buffer_detach(address, bytes, error)
      call check(got == previous .and. bytes == 4000, 'MPI_Bsend')
    end block
#endif
    call MPI_Buffer_attach(space, 4000, error)
    call MPI_Ibsend(10 + rank, 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call MPI_Recv(got, 1, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call check(got == 10 + previous, 'MPI_Ibsend')
    call MPI_Bsend_init(got, 1, MPI_INTEGER, next, 3, MPI_COMM_WORLD, request, error)
    call MPI_Start(request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call MPI_Recv(bytes, 1, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call check(bytes == 10 + modulo(previous - 1, ranks), 'MPI_Bsend_init')
    call MPI_Request_free(request, error)
    call MPI_Buffer_iflush(request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call check(error == MPI_SUCCESS, 'MPI_Buffer_iflush')
    call MPI_Comm_flush_buffer(MPI_COMM_WORLD, error)
    call MPI_Comm_iflush_buffer(MPI_COMM_WORLD, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call check(error == MPI_SUCCESS, 'MPI_Comm_iflush_buffer')
  end subroutine

  subroutine modes()
    integer :: got(2)
    REQUEST :: requests(4)
    STATUSES(statuses, 4)
    got = -1
    call MPI_Irecv(got(1), 1, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(got(2), 1, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, requests(2), error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Rsend(rank, 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD, error)
    call MPI_Irsend(rank + 100, 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(3), error)
    call MPI_Waitall(3, requests, statuses, error)
    call check(got(1) == previous, 'MPI_Rsend')
    call check(got(2) == previous + 100, 'MPI_Irsend')
    call MPI_Irecv(got, 2, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, requests(1), error)
    call MPI_Ssend([rank, 7], 2, MPI_INTEGER, next, 3, MPI_COMM_WORLD, error)
    call MPI_Wait(requests(1), NTH(statuses, 1), error)
    call check(all(got == [previous, 7]) .and. SOURCE_OF_NTH(statuses, 1) == previous, 'MPI_Ssend')
  end subroutine

  subroutine persistent_modes()
    integer :: got, sent, round
    REQUEST :: requests(2)
    call MPI_Recv_init(got, 1, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Ssend_init(sent, 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(2), error)
    do round = 1, 2
      sent = 10 * rank + round
      got = -1
      call MPI_Startall(2, requests, error)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
      call check(got == 10 * previous + round, 'MPI_Ssend_init')
    end do
    call MPI_Request_free(requests(2), error)
    call MPI_Rsend_init(sent, 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(2), error)
    sent = rank
    call MPI_Start(requests(1), error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Start(requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call check(got == previous, 'MPI_Rsend_init')
    call MPI_Request_free(requests(1), error)
    call MPI_Request_free(requests(2), error)
  end subroutine

  subroutine probes()
    integer :: got(3), count, sent
    logical :: flag
    MESSAGE :: message
    REQUEST :: request
    STATUS(status)
    do sent = 1, 4
      call MPI_Isend([rank, sent, 3], 3, MPI_INTEGER, next, sent, MPI_COMM_WORLD, request, error)
      call MPI_Request_free(request, error)
    end do
    call MPI_Probe(previous, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
    call MPI_Get_count(status, MPI_INTEGER, count, error)
    call check(TAG_OF(status) == 1 .and. count == 3, 'MPI_Probe')
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, flag, status, error)
    end do
    call check(SOURCE_OF(status) == previous, 'MPI_Iprobe')
    call MPI_Mprobe(previous, 3, MPI_COMM_WORLD, message, status, error)
    call MPI_Mrecv(got, 3, MPI_INTEGER, message, status, error)
    call check(all(got == [previous, 3, 3]) .and. message == MPI_MESSAGE_NULL, 'MPI_Mrecv')
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(previous, 4, MPI_COMM_WORLD, flag, message, status, error)
    end do
    call MPI_Imrecv(got, 3, MPI_INTEGER, message, request, error)
    call MPI_Wait(request, status, error)
    call check(all(got == [previous, 4, 3]), 'MPI_Imrecv')
    call MPI_Recv(got, 3, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Recv(got, 3, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine

  !> Two receives and two sends.
  subroutine start(got, requests)
    integer, intent(inout) :: got(2)
    REQUEST, intent(inout) :: requests(4)
    got = -1
    call MPI_Irecv(got(1), 1, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(got(2), 1, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, requests(2), error)
    call MPI_Isend(rank, 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(3), error)
    call MPI_Isend(rank, 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(4), error)
  end subroutine

  subroutine tests()
    integer ASYNC :: got(2)
    integer :: done, index, count, indices(4)
    logical :: flag
    REQUEST :: requests(4)
    STATUS(status)
    STATUSES(statuses, 4)
    call start(got, requests)
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(4, requests, flag, statuses, error)
    end do
    call check(all(got == previous) .and. TAG_OF_NTH(statuses, 2) == 2, 'MPI_Testall')
    call start(got, requests)
    done = 0
    do while (done < 4)
      call MPI_Testany(4, requests, index, flag, status, error)
      if (flag) then
        done = done + 1
        call check(index >= 1 .and. index <= 4, 'the index of MPI_Testany')
        if (index <= 2) call check(TAG_OF(status) == index, 'the status of MPI_Testany')
      end if
    end do
    call check(all(got == previous), 'MPI_Testany')
    call MPI_Testany(4, requests, index, flag, status, error)
    call check(flag .and. index == MPI_UNDEFINED, 'MPI_Testany without requests')
    call start(got, requests)
    done = 0
    do while (done < 4)
      call MPI_Testsome(4, requests, count, indices, statuses, error)
      call check(all(indices(1:count) >= 1) .and. all(indices(1:count) <= 4), 'the indices of MPI_Testsome')
      done = done + count
    end do
    call check(all(got == previous), 'MPI_Testsome')
  end subroutine

  !> MPI_Request_get_status and its kin leave requests as they are.
  subroutine asks()
    integer ASYNC :: got(2)
    integer :: index, count, indices(4)
    logical :: flag
    REQUEST :: requests(4)
    STATUS(status)
    STATUSES(statuses, 4)
    call start(got, requests)
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status(requests(1), flag, status, error)
    end do
    call check(SOURCE_OF(status) == previous .and. requests(1) /= MPI_REQUEST_NULL, 'MPI_Request_get_status')
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status_all(4, requests, flag, statuses, error)
    end do
    call check(TAG_OF_NTH(statuses, 2) == 2, 'MPI_Request_get_status_all')
    call MPI_Request_get_status_any(4, requests, index, flag, status, error)
    call check(flag .and. index == 1, 'MPI_Request_get_status_any')
    call MPI_Request_get_status_some(4, requests, count, indices, statuses, error)
    call check(count == 4 .and. all(indices == [1, 2, 3, 4]), 'MPI_Request_get_status_some')
    call check(all(requests /= MPI_REQUEST_NULL), 'requests after their status was asked for')
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
  end subroutine

  subroutine exchanges()
    integer :: value, got
    REQUEST :: request
    STATUS(status)
    value = rank
    call MPI_Sendrecv_replace(value, 1, MPI_INTEGER, next, 1, previous, 1, MPI_COMM_WORLD, status, error)
    call check(value == previous .and. SOURCE_OF(status) == previous, 'MPI_Sendrecv_replace')
    call MPI_Isendrecv(rank, 1, MPI_INTEGER, next, 1, got, 1, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, request, error)
    call MPI_Wait(request, status, error)
    call check(got == previous, 'MPI_Isendrecv')
  end subroutine

  subroutine statuses_by_hand()
    integer :: source, tag, code, count
    integer(MPI_COUNT_KIND) :: many
    logical :: flag
    STATUS(status)
    call MPI_Status_set_source(status, 5, error)
    call MPI_Status_set_tag(status, 6, error)
    call MPI_Status_set_error(status, MPI_ERR_OTHER, error)
    call MPI_Status_set_elements(status, MPI_INTEGER, 7, error)
    call MPI_Status_set_cancelled(status, .true., error)
    call MPI_Status_get_source(status, source, error)
    call MPI_Status_get_tag(status, tag, error)
    call MPI_Status_get_error(status, code, error)
    call MPI_Get_elements(status, MPI_INTEGER, count, error)
    call MPI_Test_cancelled(status, flag, error)
    call check(source == 5 .and. tag == 6 .and. code == MPI_ERR_OTHER .and. count == 7 .and. flag, 'MPI_Status_set_*')
    call MPI_Status_set_elements_x(status, MPI_INTEGER, 3000000000_MPI_COUNT_KIND, error)
    call MPI_Get_elements_x(status, MPI_INTEGER, many, error)
    call check(many == 3000000000_MPI_COUNT_KIND, 'MPI_Status_set_elements_x')
#if defined(F08)
    block
      integer :: old(MPI_STATUS_SIZE)
      type(MPI_Status) :: back
      call MPI_Status_f082f(status, old)
      call check(old(MPI_SOURCE) == 5 .and. old(MPI_TAG) == 6, 'MPI_Status_f082f')
      old(MPI_TAG) = 66
      call MPI_Status_f2f08(old, back)
      call MPI_Get_elements_x(back, MPI_INTEGER, many)
      call check(back%MPI_TAG == 66 .and. many == 3000000000_MPI_COUNT_KIND, 'MPI_Status_f2f08')
    end block
#endif
  end subroutine

  subroutine cancelled()
    integer :: nothing
    logical :: flag
    REQUEST :: request
    STATUS(status)
    call MPI_Irecv(nothing, 1, MPI_INTEGER, previous, 99, MPI_COMM_WORLD, request, error)
    call MPI_Cancel(request, error)
    call MPI_Wait(request, status, error)
    call MPI_Test_cancelled(status, flag, error)
    call check(flag, 'MPI_Cancel')
  end subroutine

#if defined(F08)
  !> The same names with counts of MPI_COUNT_KIND.
  subroutine large_counts()
    integer(MPI_COUNT_KIND) :: three, found, counts(ranks)
    integer(MPI_ADDRESS_KIND) :: places(ranks)
    integer :: a(6), b(6), i, all(3 * ranks)
    type(MPI_Status) :: status
    type(MPI_Datatype) :: type
    three = 3
    a = [(10 * rank + i, i = 1, 6)]
    b = -1
    call MPI_Sendrecv(a(1:6:2), three, MPI_INTEGER, next, 1, b(2:6:2), three, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, status)
    call MPI_Get_count(status, MPI_INTEGER, found)
    call check(all_of(b == [-1, 1, -1, 3, -1, 5] + 10 * previous * [0, 1, 0, 1, 0, 1]) .and. found == 3, 'MPI_Sendrecv_c')
    counts = 3
    places = [(3 * i, i = 0, ranks - 1)]
    call MPI_Allgatherv([rank, rank, rank], three, MPI_INTEGER, all, counts, places, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all_of(all == [(i / 3, i = 0, 3 * ranks - 1)]), 'MPI_Allgatherv_c')
    call MPI_Type_contiguous(three, MPI_INTEGER, type)
    call MPI_Type_size(type, found)
    call check(found == 12, 'MPI_Type_contiguous_c')
    call MPI_Type_free(type)
  end subroutine

  logical function all_of(values)
    logical, intent(in) :: values(:)
    all_of = all(values)
  end function
#endif

  subroutine partitioned()
    integer ASYNC :: sent(8), got(8)
    integer :: i
    logical :: flag
    REQUEST :: requests(2)
    call MPI_Psend_init(sent, 4, 2_MPI_COUNT_KIND, MPI_INTEGER, next, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), error)
    call MPI_Precv_init(got, 4, 2_MPI_COUNT_KIND, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), error)
    sent = [(10 * rank + i, i = 1, 8)]
    call MPI_Startall(2, requests, error)
    call MPI_Pready(0, requests(1), error)
    call MPI_Pready_range(1, 2, requests(1), error)
    call MPI_Pready_list(1, [3], requests(1), error)
    flag = .false.
    do while (.not. flag)
      call MPI_Parrived(requests(2), 3, flag, error)
    end do
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call check(all(got == [(10 * previous + i, i = 1, 8)]), 'MPI_Psend_init')
    call MPI_Request_free(requests(1), error)
    call MPI_Request_free(requests(2), error)
  end subroutine
end program
