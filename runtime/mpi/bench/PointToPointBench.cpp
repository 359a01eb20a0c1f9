// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Host time per message through rooms p2p and mpi, over a network that costs one event per message
/// and no fibers switching but the program's own.
#include "impl/Impl.h"
#include "mpi/RankState.h"
#include "p2p/test/FakeWorld.h"

#include <benchmark/benchmark.h>

namespace gnomon::mpi {
namespace {

/// Runs \p program on \p ranks ranks.
template <class Program> void simulate(uint32_t ranks, Program program) {
  test::FakeWorld world(ranks);
  world.protocol.test = 0;
  setUp(world.world, {});
  world.run([&](process::Rank &rank) { program(*rank.mpi->world); });
  tearDown();
}

// Two ranks exchange one message of the argument's size to and fro; items are messages.
void pingPong(benchmark::State &bench) {
  constexpr int Rounds = 20000;
  std::vector<char> data(static_cast<size_t>(bench.range(0)));
  Datatype &byte = Datatype::predefined(MPI_BYTE);
  int bytes = static_cast<int>(bench.range(0));
  for (auto _ : bench)
    simulate(2, [&](Comm &comm) {
      for (int i = 0; i < Rounds; ++i)
        if (comm.rank() == 0) {
          impl::Send(data.data(), bytes, byte, 1, 0, comm);
          impl::Recv(data.data(), bytes, byte, 1, 0, comm, nullptr);
        } else {
          impl::Recv(data.data(), bytes, byte, 0, 0, comm, nullptr);
          impl::Send(data.data(), bytes, byte, 0, 0, comm);
        }
    });
  bench.SetItemsProcessed(bench.iterations() * 2 * Rounds);
}
BENCHMARK(pingPong)->Arg(1)->Arg(1024)->Arg(65536);

// One rank sends to itself with isend, irecv, waitall: no fiber is switched but to wait for the
// network.
void selfMessages(benchmark::State &bench) {
  constexpr int Rounds = 200, Window = 100;
  Datatype &integer = Datatype::predefined(MPI_INT);
  for (auto _ : bench)
    simulate(1, [&](Comm &comm) {
      int values[2][Window] = {};
      MPI_Request requests[2 * Window];
      for (int round = 0; round < Rounds; ++round) {
        for (int i = 0; i < Window; ++i)
          impl::Irecv(&values[0][i], 1, integer, 0, i, comm, &requests[i]);
        for (int i = 0; i < Window; ++i)
          impl::Isend(&values[1][i], 1, integer, 0, i, comm, &requests[Window + i]);
        impl::Waitall(2 * Window, requests, nullptr);
      }
    });
  bench.SetItemsProcessed(bench.iterations() * Rounds * Window);
}
BENCHMARK(selfMessages);

// Rank 1 sends the argument's number of messages that rank 0 receives in the opposite order of
// tags.
void manyPending(benchmark::State &bench) {
  auto count = static_cast<int>(bench.range(0));
  Datatype &integer = Datatype::predefined(MPI_INT);
  for (auto _ : bench)
    simulate(2, [&](Comm &comm) {
      int value = 0;
      if (comm.rank() == 1) {
        for (int i = 0; i < count; ++i)
          impl::Send(&i, 1, integer, 0, i, comm);
        return;
      }
      runtime().world.engine.sleep(1);
      for (int i = count; i-- > 0;)
        impl::Recv(&value, 1, integer, i % 3 ? 1 : MPI_ANY_SOURCE, i, comm, nullptr);
    });
  bench.SetItemsProcessed(bench.iterations() * count);
}
BENCHMARK(manyPending)->Arg(100)->Arg(10000)->Arg(100000);

} // namespace
} // namespace gnomon::mpi
