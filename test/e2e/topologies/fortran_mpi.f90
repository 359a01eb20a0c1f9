! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: graphs, neighbourhood collectives, persistent collectives and exchanges work through `use mpi`:
! INTEGER handles, MPI_UNWEIGHTED, arrays of datatypes and addresses.
program topologies
  use mpi
  implicit none
  integer :: rank, ranks, left, right, indegree, outdegree, kind, round, nodes, edges
  integer :: sources(2), destinations(2), weights(2), around(2), sent(2), got(2), counts(2), total, token
  integer :: indices(2), neighbours(2), ierror
  integer(MPI_ADDRESS_KIND) :: at(2)
  logical :: weighted
  integer :: ring, grid, graph
  integer :: types(2)
  integer :: request
  integer :: status(MPI_STATUS_SIZE)

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  left = modulo(rank - 1, ranks)
  right = modulo(rank + 1, ranks)

  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [left, right], MPI_UNWEIGHTED, 2, [right, left], &
       MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring, ierror)
  call MPI_Dist_graph_neighbors_count(ring, indegree, outdegree, weighted, ierror)
  if (indegree /= 2 .or. outdegree /= 2 .or. weighted) error stop 2
  weights = -1
  call MPI_Dist_graph_neighbors(ring, 2, sources, weights, 2, destinations, MPI_UNWEIGHTED, ierror)
  if (any(sources /= [left, right]) .or. any(destinations /= [right, left]) .or. any(weights /= -1)) error stop 3

  sent = [10 * rank, 10 * rank + 1]
  counts = 1
  at = [4_MPI_ADDRESS_KIND, 0_MPI_ADDRESS_KIND]
  types = [MPI_INTEGER, MPI_INTEGER]
  got = -1
  call MPI_Neighbor_alltoallw(sent, counts, at, types, got, counts, at, types, ring, ierror)
  ! The second of sent goes right; what comes from the left is stored second.
  if (got(2) /= 10 * left + 1 .or. got(1) /= 10 * right) error stop 4
  got = -1
  call MPI_Ineighbor_alltoall(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, request, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  if (any(got /= [10 * left, 10 * right + 1])) error stop 5
  call MPI_Neighbor_alltoallw_init(sent, counts, at, types, got, counts, at, types, ring, MPI_INFO_NULL, &
       request, ierror)
  types = MPI_DATATYPE_NULL
  do round = 1, 3
    sent = [10 * rank + round, 10 * rank - round]
    call MPI_Start(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    if (got(2) /= 10 * left - round .or. got(1) /= 10 * right + round) error stop 6
  end do
  call MPI_Request_free(request, ierror)
  call MPI_Comm_free(ring, ierror)

  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [right], [1], [rank], [7 + rank], MPI_INFO_NULL, .true., &
       ring, ierror)
  call MPI_Dist_graph_neighbors(ring, 1, sources, weights, 1, destinations, around, ierror)
  if (sources(1) /= right .or. weights(1) /= 7 + rank .or. destinations(1) /= left .or. around(1) /= 7 + left) error stop 7

  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., grid, ierror)
  call MPI_Neighbor_allgather([rank], 1, MPI_INTEGER, got, 1, MPI_INTEGER, grid, ierror)
  if (any(got /= [left, right])) error stop 8

  call MPI_Graph_create(MPI_COMM_WORLD, 2, [1, 2], [1, 0], .false., graph, ierror)
  if ((graph == MPI_COMM_NULL) .neqv. (rank >= 2)) error stop 9
  if (rank < 2) then
    call MPI_Topo_test(graph, kind, ierror)
    call MPI_Graphdims_get(graph, nodes, edges, ierror)
    call MPI_Graph_get(graph, 2, 2, indices, neighbours, ierror)
    if (kind /= MPI_GRAPH .or. nodes /= 2 .or. edges /= 2) error stop 10
    if (any(indices /= [1, 2]) .or. any(neighbours /= [1, 0])) error stop 11
  end if

  token = rank
  call MPI_Allreduce_init(token, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
  do round = 1, 3
    token = rank + round
    call MPI_Start(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    if (total /= ranks * (ranks - 1) / 2 + ranks * round) error stop 12
  end do
  call MPI_Request_free(request, ierror)

  token = rank
  call MPI_Isendrecv_replace(token, 1, MPI_INTEGER, right, 3, left, 3, MPI_COMM_WORLD, request, ierror)
  call MPI_Wait(request, status, ierror)
  if (token /= left .or. status(MPI_SOURCE) /= left) error stop 13
  if (rank == 0) print '(a)', "topologies: PASSED"
  call MPI_Finalize(ierror)
end program topologies
