// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/Entry.h"
#include "mpi/comm/CollectiveLedger.h"
#include "mpi/test/MpiWorld.h"
#include "process/image/Modules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gnomon::test {
namespace {

/// Runs \p body on \p ranks ranks whose errors return.
void onRanks(uint32_t ranks, std::function<void()> body) {
  MpiWorld world(ranks);
  ASSERT_TRUE(world.run([&](mpi::Comm &) {
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    body();
  }));
}

MPI_Comm noComm() { return reinterpret_cast<MPI_Comm>(0x7654321); }
MPI_Datatype noType() { return reinterpret_cast<MPI_Datatype>(0x2ff); }

// Intent: each wrong argument of a point-to-point call gives its own error class.
TEST(Entry, PointToPointArguments) {
  onRanks(2, [] {
    int x = 0;
    MPI_Request request;
    EXPECT_EQ(PMPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    EXPECT_EQ(PMPI_Send(&x, 1, MPI_INT, 0, 0, noComm()), MPI_ERR_COMM);
    EXPECT_EQ(PMPI_Send(&x, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    EXPECT_EQ(PMPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    EXPECT_EQ(PMPI_Send(&x, 1, noType(), 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    EXPECT_EQ(PMPI_Send(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    EXPECT_EQ(PMPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    EXPECT_EQ(PMPI_Send(&x, 1, MPI_INT, 0, -1, MPI_COMM_WORLD), MPI_ERR_TAG);
    EXPECT_EQ(PMPI_Send(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG);
    EXPECT_EQ(PMPI_Send(nullptr, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(PMPI_Recv(&x, 1, MPI_INT, 7, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK);
    EXPECT_EQ(PMPI_Recv(&x, 1, MPI_INT, 0, -7, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_TAG);
    EXPECT_EQ(PMPI_Irecv(&x, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request), MPI_ERR_COUNT);
    EXPECT_EQ(PMPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, nullptr), MPI_ERR_ARG);
  });
}

// Intent: what MPI allows is not refused: MPI_PROC_NULL, wildcards, a null buffer of no elements.
TEST(Entry, SpecialValuesAreAccepted) {
  onRanks(1, [] {
    int x = 0;
    EXPECT_EQ(PMPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(
        PMPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
        MPI_SUCCESS);
    EXPECT_EQ(PMPI_Send(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    int flag;
    EXPECT_EQ(PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    EXPECT_EQ(PMPI_Comm_dup_with_info(MPI_COMM_SELF, MPI_INFO_NULL, nullptr), MPI_ERR_ARG);
  });
}

// Intent: in a collective, an argument is checked only where it is significant.
TEST(Entry, CollectiveArguments) {
  onRanks(2, [] {
    int rank, mine[2] = {1, 2}, all[4];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    EXPECT_EQ(PMPI_Bcast(mine, 1, MPI_INT, 2, MPI_COMM_WORLD), MPI_ERR_ROOT);
    EXPECT_EQ(PMPI_Bcast(mine, 1, MPI_INT, -1, MPI_COMM_WORLD), MPI_ERR_ROOT);
    EXPECT_EQ(PMPI_Allreduce(mine, all, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
    EXPECT_EQ(PMPI_Alltoall(mine, -1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_COUNT);
    int wrong[2] = {1, -1}, displs[2] = {0, 1};
    EXPECT_EQ(PMPI_Allgatherv(mine, 1, MPI_INT, all, wrong, displs, MPI_INT, MPI_COMM_WORLD),
              MPI_ERR_COUNT);
    // Not the root: the receiving side is nothing to it.
    if (rank == 1)
      EXPECT_EQ(PMPI_Gather(mine, 1, MPI_INT, nullptr, -5, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD),
                MPI_SUCCESS);
    else
      EXPECT_EQ(PMPI_Gather(mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    // In place: the sending side's count and type are nothing.
    EXPECT_EQ(PMPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD),
              MPI_SUCCESS);
  });
}

// Intent: a datatype must be committed for communication, not for building another.
TEST(Entry, UncommittedType) {
  onRanks(1, [] {
    MPI_Datatype pair, four;
    int x[4];
    ASSERT_EQ(PMPI_Type_contiguous(2, MPI_INT, &pair), MPI_SUCCESS);
    EXPECT_EQ(PMPI_Send(x, 1, pair, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    EXPECT_EQ(PMPI_Type_contiguous(2, pair, &four), MPI_SUCCESS);
    PMPI_Type_commit(&pair);
    EXPECT_EQ(PMPI_Send(x, 1, pair, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    PMPI_Type_free(&pair);
    PMPI_Type_free(&four);
  });
}

// Intent: a null buffer is MPI_BOTTOM, right with a type of absolute addresses.
TEST(Entry, BottomWithAbsoluteAddresses) {
  onRanks(1, [] {
    int x = 41, y = 0, one = 1;
    MPI_Aint address;
    MPI_Datatype there, here;
    PMPI_Get_address(&x, &address);
    PMPI_Type_create_hindexed(1, &one, &address, MPI_INT, &there);
    PMPI_Type_commit(&there);
    PMPI_Get_address(&y, &address);
    PMPI_Type_create_hindexed(1, &one, &address, MPI_INT, &here);
    PMPI_Type_commit(&here);
    EXPECT_EQ(PMPI_Sendrecv(MPI_BOTTOM, 1, there, 0, 3, MPI_BOTTOM, 1, here, 0, 3, MPI_COMM_SELF,
                            MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    EXPECT_EQ(y, 41);
    PMPI_Type_free(&there);
    PMPI_Type_free(&here);
  });
}

// Intent: a function that Gnomon lacks links, and says so through the communicator's error handler.
TEST(Entry, UnsupportedFunctionNamesItself) {
  onRanks(1, [] {
    // What the generator makes of a row that is not implemented.
    api::Entry entry("MPI_Nothing_of_ours", __builtin_return_address(0));
    EXPECT_EQ(entry.unsupported(entry.comm("comm", MPI_COMM_WORLD)), MPI_ERR_UNSUPPORTED_OPERATION);
  });
}

// Intent: a large count is taken whole; one whose bytes 64 bits cannot count is refused, not cut.
TEST(Entry, LargeCounts) {
  onRanks(1, [] {
    int x = 0;
    EXPECT_EQ(PMPI_Send_c(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(PMPI_Send_c(&x, MPI_Count{1} << 32, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_EQ(PMPI_Send_c(&x, MPI_Count{1} << 61, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD),
              MPI_ERR_COUNT);
    EXPECT_EQ(PMPI_Send_c(&x, -1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    MPI_Count size = 0;
    EXPECT_EQ(PMPI_Type_size_c(MPI_DOUBLE, &size), MPI_SUCCESS);
    EXPECT_EQ(size, 8);
    MPI_Count counts[1] = {1};
    MPI_Aint displs[1] = {0};
    int y = 0;
    EXPECT_EQ(
        PMPI_Alltoallv_c(&x, counts, displs, MPI_INT, &y, counts, displs, MPI_INT, MPI_COMM_SELF),
        MPI_SUCCESS);
  });
}

// Intent: the removed calls of MPI-1 do what their successors do.
TEST(Entry, RemovedCalls) {
  onRanks(1, [] {
    struct {
      int i;
      double d;
    } value;
    MPI_Aint base, member, extent;
    PMPI_Address(&value, &base);
    PMPI_Address(&value.d, &member);
    EXPECT_EQ(member - base, 8);
    int lengths[2] = {1, 1};
    MPI_Aint displs[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, made;
    ASSERT_EQ(PMPI_Type_struct(2, lengths, displs, types, &made), MPI_SUCCESS);
    EXPECT_EQ(PMPI_Type_extent(made, &extent), MPI_SUCCESS);
    EXPECT_EQ(extent, 16);
    EXPECT_EQ(PMPI_Type_ub(made, &extent), MPI_SUCCESS);
    EXPECT_EQ(extent, 16);
    PMPI_Type_free(&made);
    int *upper, flag;
    EXPECT_EQ(PMPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &upper, &flag), MPI_SUCCESS);
    EXPECT_TRUE(flag && *upper >= 32767);
  });
}

// Intent: handles are the same numbers in C and Fortran.
TEST(Entry, HandleConversions) {
  onRanks(1, [] {
    MPI_Comm copy;
    PMPI_Comm_dup(MPI_COMM_WORLD, &copy);
    EXPECT_EQ(PMPI_Comm_f2c(PMPI_Comm_c2f(copy)), copy);
    EXPECT_EQ(PMPI_Comm_fromint(PMPI_Comm_toint(copy)), copy);
    EXPECT_EQ(PMPI_Type_c2f(MPI_INTEGER), 0x219);
    PMPI_Comm_free(&copy);
  });
}

// Intent: before MPI_Init and after MPI_Finalize only some functions may be called.
TEST(EntryDeathTest, OutsideOfMpi) {
  EXPECT_EXIT(
      {
        MpiWorld world(1);
        world.run([](mpi::Comm &) {
          mpi::currentState().phase = mpi::Phase::BeforeInit;
          int major, minor, flag;
          PMPI_Get_version(&major, &minor);
          PMPI_Initialized(&flag);
          PMPI_Barrier(MPI_COMM_WORLD);
        });
      },
      testing::ExitedWithCode(1), "MPI_Barrier.*called before MPI_Init");
}

// Intent: MPI called where no rank runs ends with a sentence, not with a crash.
TEST(EntryDeathTest, OutsideOfARank) {
  EXPECT_EXIT(
      {
        static gnomon_module module{};
        module.version = GNOMON_MODULE_VERSION;
        module.main = [](int, char **, char **) { return 0; };
        process::addModule(module);
        PMPI_Barrier(MPI_COMM_WORLD);
      },
      testing::ExitedWithCode(1), "MPI_Barrier was called outside a simulated rank");
}

// Intent: a program that the pass did not see (-fno-lto) is told so, with the remedy.
TEST(EntryDeathTest, MainIsNotTheRuntimes) {
  EXPECT_EXIT(PMPI_Barrier(MPI_COMM_WORLD), testing::ExitedWithCode(2),
              "MPI_Barrier was called, but the program's main was linked without Gnomon's pass "
              ".*compile everything with the flag");
}

// Intent: a buffer given twice, and MPI_IN_PLACE where it means nothing, are MPI_ERR_BUFFER; equal
// addresses of nothing are not.
TEST(Entry, AliasedBuffers) {
  onRanks(2, [] {
    int rank, x[4] = {}, y[4] = {}, ones[2] = {1, 1}, places[2] = {0, 1}, zeros[2] = {};
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    EXPECT_EQ(PMPI_Allreduce(x, x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(PMPI_Iallreduce(x, x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request), MPI_ERR_BUFFER);
    EXPECT_EQ(PMPI_Allreduce(x, x, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(PMPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(PMPI_Allgather(x + rank, 1, MPI_INT, x, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    EXPECT_EQ(PMPI_Allgatherv(x + rank, 1, MPI_INT, x, ones, places, MPI_INT, MPI_COMM_WORLD),
              MPI_ERR_BUFFER);
    EXPECT_EQ(PMPI_Alltoallv(x, ones, places, MPI_INT, x, ones, places, MPI_INT, MPI_COMM_WORLD),
              MPI_ERR_BUFFER);
    EXPECT_EQ(PMPI_Alltoallv(x, zeros, places, MPI_INT, x, zeros, places, MPI_INT, MPI_COMM_WORLD),
              MPI_SUCCESS);
    if (rank == 0) {
      EXPECT_EQ(PMPI_Gather(x, 1, MPI_INT, x, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER);
      EXPECT_EQ(PMPI_Scatterv(x, ones, places, MPI_INT, x, 1, MPI_INT, 0, MPI_COMM_WORLD),
                MPI_ERR_BUFFER);
    }
    EXPECT_EQ(PMPI_Gather(x, 1, MPI_INT, rank == 0 ? y : x, 1, MPI_INT, 0, MPI_COMM_WORLD),
              MPI_SUCCESS); // the receive buffer means nothing on rank 1
    EXPECT_EQ(PMPI_Reduce_local(x, x, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    EXPECT_EQ(PMPI_Reduce_local(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    EXPECT_EQ(PMPI_Send(MPI_IN_PLACE, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD),
              MPI_ERR_BUFFER);
  });
}

/// The texts of the errors that raised in it end the run; here they return.
int disagreeing(std::function<int(int rank)> call, uint32_t ranks = 2) {
  int errors = 0;
  onRanks(ranks, [&] {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    errors += call(rank) == MPI_ERR_NOT_SAME;
  });
  return errors;
}

// Intent: of nonblocking collectives that differ, the calls succeed and the requests' ends say so,
// on each rank whose part lasts until a rank that differs has come: in wait and test, whoever comes
// first; and the operation ends.
TEST(Entry, NonblockingCollectivesThatDisagree) {
  int x[8] = {}, y[40] = {};
  auto waits = [&](auto start, uint32_t ranks) {
    return disagreeing(
        [&](int rank) {
          MPI_Request request = MPI_REQUEST_NULL;
          EXPECT_EQ(start(rank, &request), MPI_SUCCESS);
          if (rank != 1)
            return PMPI_Wait(&request, MPI_STATUS_IGNORE);
          int flag = 0, code = MPI_SUCCESS;
          while (!flag)
            code = PMPI_Test(&request, &flag, MPI_STATUS_IGNORE);
          return code;
        },
        ranks);
  };
  for (int odd : {0, 3}) {
    EXPECT_EQ(waits(
                  [&](int rank, MPI_Request *request) {
                    return PMPI_Iallgather(x, rank == odd ? 1 : 2, MPI_INT, y, 2, MPI_INT,
                                           MPI_COMM_WORLD, request);
                  },
                  4),
              4)
        << odd;
    EXPECT_EQ(waits(
                  [&](int rank, MPI_Request *request) {
                    return PMPI_Iallreduce(x + 2 * rank, y + 2 * rank, 1, MPI_INT,
                                           rank == odd ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD,
                                           request);
                  },
                  4),
              4)
        << odd;
  }
  EXPECT_EQ(waits(
                [&](int rank, MPI_Request *request) {
                  return PMPI_Ibcast(x, rank ? 2 : 1, MPI_INT, 0, MPI_COMM_WORLD, request);
                },
                4),
            4);
  EXPECT_EQ(waits(
                [&](int rank, MPI_Request *request) {
                  return PMPI_Iallreduce(x + 2 * rank, y + 2 * rank, 1, MPI_INT, MPI_SUM,
                                         MPI_COMM_WORLD, request);
                },
                4),
            0);
}

// Intent: ranks whose collectives differ in function, root, predefined operation or bytes are told
// so; those that may differ (user operations, counts of v forms) are not.
TEST(Entry, CollectivesThatDisagree) {
  int x[4] = {}, y[4] = {};
  // The root has left when the other one comes.
  EXPECT_EQ(
      disagreeing([&](int rank) { return PMPI_Bcast(x, 1 + rank, MPI_INT, 0, MPI_COMM_WORLD); }),
      1);
  EXPECT_EQ(disagreeing([&](int rank) {
              return PMPI_Allreduce(x + 2 * rank, y + 2 * rank, 1, MPI_INT,
                                    rank ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);
            }),
            2);
  // Each is a root, or does what goes with the other's function all the same.
  EXPECT_EQ(disagreeing([&](int rank) { return PMPI_Bcast(x, 1, MPI_INT, rank, MPI_COMM_WORLD); }),
            1);
  EXPECT_EQ(disagreeing([&](int rank) {
              auto *call = rank ? PMPI_Scan : PMPI_Exscan;
              return call(x + 2 * rank, y + 2 * rank, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            }),
            1);
  EXPECT_EQ(disagreeing([&](int rank) {
              return rank ? PMPI_Bcast(x, 2, MPI_INT, 0, MPI_COMM_WORLD)
                          : PMPI_Bcast(y, 1, MPI_2INT, 0, MPI_COMM_WORLD);
            }),
            0); // 8 bytes each
  EXPECT_EQ(disagreeing([&](int rank) {
              int counts[2] = {1, 1}, places[2] = {0, 1};
              return PMPI_Gatherv(x + rank, 1, MPI_INT, y, counts, places, MPI_INT, 0,
                                  MPI_COMM_WORLD);
            }),
            0);
}

// Intent: a rank that is ahead may free its operation while others have not made the call: what is
// compared does not look at it.
TEST(Entry, OperationsOfRanksAheadMayBeGone) {
  onRanks(2, [] {
    int rank, x = 1, y = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
      mpi::runtime().world.engine.sleep(1);
    MPI_Op op;
    PMPI_Op_create([](void *, void *, int *, MPI_Datatype *) {}, 1, &op);
    EXPECT_EQ(PMPI_Scan(&x, &y, 1, MPI_INT, op, MPI_COMM_WORLD), MPI_SUCCESS);
    PMPI_Op_free(&op);
    // What takes the operation's place in memory would make it look predefined.
    std::vector<std::vector<char>> blocks;
    for (size_t bytes = 16; bytes <= 512; bytes += 8)
      blocks.emplace_back(bytes, '\xff');
    if (rank == 0)
      mpi::runtime().world.engine.sleep(2);
  });
}

// Intent: many calls of which some ranks are ahead are compared one with its own kind only, and
// forgotten when all have made them.
TEST(Entry, CollectivesOfRanksAhead) {
  onRanks(3, [] {
    int x = 0, rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(PMPI_Bcast(&x, i % 2, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
      MPI_Request request;
      EXPECT_EQ(PMPI_Ibarrier(MPI_COMM_WORLD, &request), MPI_SUCCESS);
      EXPECT_EQ(PMPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      if (i % 10 == 0)
        EXPECT_EQ(PMPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    }
    process::Rank &own = *process::currentRank();
    EXPECT_LE(mpi::find<mpi::Comm>(own, MPI_COMM_WORLD)->ledger().length(), 3u);
  });
}

} // namespace
} // namespace gnomon::test
