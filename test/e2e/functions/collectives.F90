! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: collectives give the same through Fortran whether they are blocking, nonblocking or persistent; neighbourhoods too.
#include "interface.inc"
program collectives
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer, parameter :: Blocking = 0, Nonblocking = 1, Persistent = 2
  character(10), parameter :: names(0:2) = ['          ', ' (I)      ', ' (init)   ']
  integer :: rank, ranks, i, form, failures = 0, error
  integer, allocatable :: everyone(:), ones(:), before(:), counts(:), displacements(:)
  COMM :: world
  call MPI_Init(error)
  world = MPI_COMM_WORLD
  call MPI_Comm_rank(world, rank, error)
  call MPI_Comm_size(world, ranks, error)
  everyone = [(i, i = 0, ranks - 1)]
  ones = [(1, i = 1, ranks)]
  counts = everyone + 1
  displacements = [((i * (i + 1)) / 2, i = 0, ranks - 1)]
  before = everyone(1:rank)
  do form = Blocking, Persistent
    call rooted()
    call everywhere()
    call exchanges()
    call reductions()
    call neighbours()
  end do
  call local()
  call graphs()
  call finish('collectives')
contains
#include "check.inc"

  !> Completes what is under way.
  subroutine complete(request)
    REQUEST, intent(inout) :: request
    if (form == Blocking) return
    if (form == Persistent) call MPI_Start(request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    if (form == Persistent) call MPI_Request_free(request, error)
  end subroutine

  subroutine right(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    call check(ok, what // names(form))
  end subroutine

  subroutine rooted()
    integer ASYNC :: value, all(ranks), ragged(sum(counts)), own(ranks)
    REQUEST :: request
    value = merge(42, -1, rank == ranks - 1)
    select case (form)
    case (Blocking); call MPI_Bcast(value, 1, MPI_INTEGER, ranks - 1, world, error)
    case (Nonblocking); call MPI_Ibcast(value, 1, MPI_INTEGER, ranks - 1, world, request, error)
    case (Persistent); call MPI_Bcast_init(value, 1, MPI_INTEGER, ranks - 1, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(value == 42, 'MPI_Bcast')
    all = -1
    value = rank
    select case (form)
    case (Blocking); call MPI_Gather(value, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, world, error)
    case (Nonblocking); call MPI_Igather(value, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, world, request, error)
    case (Persistent); call MPI_Gather_init(value, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(all(1) == merge(0, -1, rank == 0) .and. (rank > 0 .or. all(ranks) == ranks - 1), 'MPI_Gather')
    all = 10 * everyone
    value = -1
    select case (form)
    case (Blocking); call MPI_Scatter(all, 1, MPI_INTEGER, value, 1, MPI_INTEGER, 0, world, error)
    case (Nonblocking); call MPI_Iscatter(all, 1, MPI_INTEGER, value, 1, MPI_INTEGER, 0, world, request, error)
    case (Persistent); call MPI_Scatter_init(all, 1, MPI_INTEGER, value, 1, MPI_INTEGER, 0, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(value == 10 * rank, 'MPI_Scatter')
    own = rank
    ragged = -1
    select case (form)
    case (Blocking)
      call MPI_Gatherv(own, rank + 1, MPI_INTEGER, ragged, counts, displacements, MPI_INTEGER, 0, world, error)
    case (Nonblocking)
      call MPI_Igatherv(own, rank + 1, MPI_INTEGER, ragged, counts, displacements, MPI_INTEGER, 0, world, request, error)
    case (Persistent)
      call MPI_Gatherv_init(own, rank + 1, MPI_INTEGER, ragged, counts, displacements, MPI_INTEGER, 0, world, MPI_INFO_NULL, &
           request, error)
    end select
    call complete(request)
    call right(rank > 0 .or. is_ragged(ragged), 'MPI_Gatherv')
    ragged = [(i, i = 0, size(ragged) - 1)]
    own = -1
    select case (form)
    case (Blocking)
      call MPI_Scatterv(ragged, counts, displacements, MPI_INTEGER, own, rank + 1, MPI_INTEGER, 0, world, error)
    case (Nonblocking)
      call MPI_Iscatterv(ragged, counts, displacements, MPI_INTEGER, own, rank + 1, MPI_INTEGER, 0, world, request, error)
    case (Persistent)
      call MPI_Scatterv_init(ragged, counts, displacements, MPI_INTEGER, own, rank + 1, MPI_INTEGER, 0, world, MPI_INFO_NULL, &
           request, error)
    end select
    call complete(request)
    call right(own(rank + 1) == displacements(rank + 1) + rank, 'MPI_Scatterv')
  end subroutine

  !> Rank r's piece has r + 1 elements, all of them r.
  logical function is_ragged(ragged)
    integer, intent(in) :: ragged(:)
    integer :: r
    is_ragged = all([(all(ragged(displacements(r + 1) + 1:displacements(r + 1) + r + 1) == r), r = 0, ranks - 1)])
  end function

  subroutine everywhere()
    integer ASYNC :: own(ranks), all(ranks), ragged(sum(counts))
    REQUEST :: request
    own = rank
    select case (form)
    case (Blocking); call MPI_Barrier(world, error)
    case (Nonblocking); call MPI_Ibarrier(world, request, error)
    case (Persistent); call MPI_Barrier_init(world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    select case (form)
    case (Blocking); call MPI_Allgather(own, 1, MPI_INTEGER, all, 1, MPI_INTEGER, world, error)
    case (Nonblocking); call MPI_Iallgather(own, 1, MPI_INTEGER, all, 1, MPI_INTEGER, world, request, error)
    case (Persistent); call MPI_Allgather_init(own, 1, MPI_INTEGER, all, 1, MPI_INTEGER, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(is_everyone(all), 'MPI_Allgather')
    select case (form)
    case (Blocking)
      call MPI_Allgatherv(own, rank + 1, MPI_INTEGER, ragged, counts, displacements, MPI_INTEGER, world, error)
    case (Nonblocking)
      call MPI_Iallgatherv(own, rank + 1, MPI_INTEGER, ragged, counts, displacements, MPI_INTEGER, world, request, error)
    case (Persistent)
      call MPI_Allgatherv_init(own, rank + 1, MPI_INTEGER, ragged, counts, displacements, MPI_INTEGER, world, MPI_INFO_NULL, &
           request, error)
    end select
    call complete(request)
    call right(is_ragged(ragged), 'MPI_Allgatherv')
  end subroutine

  logical function is_everyone(values)
    integer, intent(in) :: values(:)
    is_everyone = all(values == everyone)
  end function

  subroutine exchanges()
    integer ASYNC :: sent(ranks), got(ranks)
    DATATYPE :: types(ranks)
    REQUEST :: request
    sent = 100 * rank + everyone
    types = MPI_INTEGER
    got = -1
    select case (form)
    case (Blocking); call MPI_Alltoall(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, world, error)
    case (Nonblocking); call MPI_Ialltoall(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, world, request, error)
    case (Persistent); call MPI_Alltoall_init(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(all(got == 100 * everyone + rank), 'MPI_Alltoall')
    got = -1
    select case (form)
    case (Blocking)
      call MPI_Alltoallv(sent, ones, everyone, MPI_INTEGER, got, ones, everyone, MPI_INTEGER, world, error)
    case (Nonblocking)
      call MPI_Ialltoallv(sent, ones, everyone, MPI_INTEGER, got, ones, everyone, MPI_INTEGER, world, request, error)
    case (Persistent)
      call MPI_Alltoallv_init(sent, ones, everyone, MPI_INTEGER, got, ones, everyone, MPI_INTEGER, world, MPI_INFO_NULL, request, &
           error)
    end select
    call complete(request)
    call right(all(got == 100 * everyone + rank), 'MPI_Alltoallv')
    got = -1
    select case (form)
    case (Blocking)
      call MPI_Alltoallw(sent, ones, 4 * everyone, types, got, ones, 4 * everyone, types, world, error)
    case (Nonblocking)
      call MPI_Ialltoallw(sent, ones, 4 * everyone, types, got, ones, 4 * everyone, types, world, request, error)
    case (Persistent)
      call MPI_Alltoallw_init(sent, ones, 4 * everyone, types, got, ones, 4 * everyone, types, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(all(got == 100 * everyone + rank), 'MPI_Alltoallw')
  end subroutine

  subroutine reductions()
    integer ASYNC :: sent(ranks), got(ranks), one
    REQUEST :: request
    sent = rank + everyone
    got = -1
    select case (form)
    case (Blocking); call MPI_Reduce(sent, got, ranks, MPI_INTEGER, MPI_SUM, 0, world, error)
    case (Nonblocking); call MPI_Ireduce(sent, got, ranks, MPI_INTEGER, MPI_SUM, 0, world, request, error)
    case (Persistent); call MPI_Reduce_init(sent, got, ranks, MPI_INTEGER, MPI_SUM, 0, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(rank > 0 .or. all(got == sum(everyone) + ranks * everyone), 'MPI_Reduce')
    select case (form)
    case (Blocking); call MPI_Reduce_scatter(sent, one, ones, MPI_INTEGER, MPI_SUM, world, error)
    case (Nonblocking); call MPI_Ireduce_scatter(sent, one, ones, MPI_INTEGER, MPI_SUM, world, request, error)
    case (Persistent)
      call MPI_Reduce_scatter_init(sent, one, ones, MPI_INTEGER, MPI_SUM, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(one == sum(everyone) + ranks * rank, 'MPI_Reduce_scatter')
    one = -1
    select case (form)
    case (Blocking); call MPI_Reduce_scatter_block(sent, one, 1, MPI_INTEGER, MPI_SUM, world, error)
    case (Nonblocking); call MPI_Ireduce_scatter_block(sent, one, 1, MPI_INTEGER, MPI_SUM, world, request, error)
    case (Persistent)
      call MPI_Reduce_scatter_block_init(sent, one, 1, MPI_INTEGER, MPI_SUM, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(one == sum(everyone) + ranks * rank, 'MPI_Reduce_scatter_block')
    select case (form)
    case (Blocking); call MPI_Scan(rank, one, 1, MPI_INTEGER, MPI_SUM, world, error)
    case (Nonblocking); call MPI_Iscan(rank, one, 1, MPI_INTEGER, MPI_SUM, world, request, error)
    case (Persistent); call MPI_Scan_init(rank, one, 1, MPI_INTEGER, MPI_SUM, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(one == sum(before) + rank, 'MPI_Scan')
    one = 0
    select case (form)
    case (Blocking); call MPI_Exscan(rank, one, 1, MPI_INTEGER, MPI_SUM, world, error)
    case (Nonblocking); call MPI_Iexscan(rank, one, 1, MPI_INTEGER, MPI_SUM, world, request, error)
    case (Persistent); call MPI_Exscan_init(rank, one, 1, MPI_INTEGER, MPI_SUM, world, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(one == sum(before), 'MPI_Exscan')
  end subroutine

  !> On a ring: the left neighbour is the first, the right one the second.
  subroutine neighbours()
    integer ASYNC :: sent(2), got(2)
    integer :: left, right_, expected(2), spread(2)
    integer(MPI_ADDRESS_KIND) :: at(2)
    DATATYPE :: types(2)
    COMM :: ring
    REQUEST :: request
    if (ranks < 3) return
    call MPI_Cart_create(world, 1, [ranks], [.true.], .false., ring, error)
    call MPI_Cart_shift(ring, 0, 1, left, right_, error)
    sent = [10 * rank, 10 * rank + 1]
    expected = [10 * left + 1, 10 * right_]
    types = MPI_INTEGER
    at = [0, 4]
    spread = [0, 1]
    got = -1
    select case (form)
    case (Blocking); call MPI_Neighbor_alltoall(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, error)
    case (Nonblocking); call MPI_Ineighbor_alltoall(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, request, error)
    case (Persistent)
      call MPI_Neighbor_alltoall_init(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(all(got == expected), 'MPI_Neighbor_alltoall')
    got = -1
    select case (form)
    case (Blocking)
      call MPI_Neighbor_alltoallv(sent, [1, 1], spread, MPI_INTEGER, got, [1, 1], spread, MPI_INTEGER, ring, error)
    case (Nonblocking)
      call MPI_Ineighbor_alltoallv(sent, ones, spread, MPI_INTEGER, got, ones, spread, MPI_INTEGER, ring, request, error)
    case (Persistent)
      call MPI_Neighbor_alltoallv_init(sent, ones, spread, MPI_INTEGER, got, ones, spread, MPI_INTEGER, ring, MPI_INFO_NULL, &
           request, error)
    end select
    call complete(request)
    call right(all(got == expected), 'MPI_Neighbor_alltoallv')
    got = -1
    select case (form)
    case (Blocking)
      call MPI_Neighbor_alltoallw(sent, ones, at, types, got, ones, at, types, ring, error)
    case (Nonblocking)
      call MPI_Ineighbor_alltoallw(sent, ones, at, types, got, ones, at, types, ring, request, error)
    case (Persistent)
      call MPI_Neighbor_alltoallw_init(sent, ones, at, types, got, ones, at, types, ring, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(all(got == expected), 'MPI_Neighbor_alltoallw')
    got = -1
    select case (form)
    case (Blocking); call MPI_Neighbor_allgather(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, error)
    case (Nonblocking); call MPI_Ineighbor_allgather(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, request, error)
    case (Persistent)
      call MPI_Neighbor_allgather_init(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(all(got == [10 * left, 10 * right_]), 'MPI_Neighbor_allgather')
    got = -1
    select case (form)
    case (Blocking)
      call MPI_Neighbor_allgatherv(sent, 1, MPI_INTEGER, got, ones, [1, 0], MPI_INTEGER, ring, error)
    case (Nonblocking)
      spread = [1, 0]
      call MPI_Ineighbor_allgatherv(sent, 1, MPI_INTEGER, got, ones, spread, MPI_INTEGER, ring, request, error)
    case (Persistent)
      spread = [1, 0]
      call MPI_Neighbor_allgatherv_init(sent, 1, MPI_INTEGER, got, ones, spread, MPI_INTEGER, ring, MPI_INFO_NULL, request, error)
    end select
    call complete(request)
    call right(all(got == [10 * right_, 10 * left]), 'MPI_Neighbor_allgatherv')
    call MPI_Comm_free(ring, error)
  end subroutine

  subroutine local()
    integer :: a(2), b(2)
    logical :: commutes
    a = [1, 2]
    b = [10, 20]
    call MPI_Reduce_local(a, b, 2, MPI_INTEGER, MPI_SUM, error)
    call check(all(b == [11, 22]), 'MPI_Reduce_local')
    call MPI_Op_commutative(MPI_SUM, commutes, error)
    call check(commutes, 'MPI_Op_commutative')
  end subroutine

  subroutine graphs()
    integer :: number, count, found(2), dims
    COMM :: ring
    call MPI_Graph_create(world, ranks, [(2 * i, i = 1, ranks)], [(modulo(i - 1, ranks), modulo(i + 1, ranks), i = 0, ranks - 1)], &
         .false., ring, error)
    call MPI_Graph_neighbors_count(ring, rank, count, error)
    call MPI_Graph_neighbors(ring, rank, 2, found, error)
    call check(count == 2 .and. all(found == [modulo(rank - 1, ranks), modulo(rank + 1, ranks)]), 'MPI_Graph_neighbors')
    call MPI_Comm_free(ring, error)
    call MPI_Graph_map(world, 1, [0], [0], number, error)
    call check(number == merge(0, MPI_UNDEFINED, rank == 0), 'MPI_Graph_map')
    call MPI_Cart_map(world, 1, [ranks], [.false.], number, error)
    call check(number == rank, 'MPI_Cart_map')
    call MPI_Cart_create(world, 2, [ranks, 1], [.true., .false.], .false., ring, error)
    call MPI_Cartdim_get(ring, dims, error)
    call check(dims == 2, 'MPI_Cartdim_get')
    call MPI_Comm_free(ring, error)
  end subroutine
end program
