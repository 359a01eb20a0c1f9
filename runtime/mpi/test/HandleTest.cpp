// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of handle tables, and of the environment's state.
#include "mpi/test/MpiWorld.h"

namespace gnomon::mpi {
namespace {

using test::MpiWorld;

// Intent: user handles are positive INTEGERs above the predefined range, name their object and
// nothing of another kind, and are used again.
TEST(Handle, Table) {
  HandleTable table;
  int objects[3];
  uintptr_t handles[3];
  for (int i = 0; i < 3; ++i) {
    handles[i] = table.insert(HandleKind::Win, &objects[i]);
    EXPECT_GT(handles[i], 0xfffu);
    EXPECT_LT(handles[i], uintptr_t{1} << 31);
    EXPECT_EQ(table.find(HandleKind::Win, handles[i]), &objects[i]);
    EXPECT_EQ(table.find(HandleKind::Comm, handles[i]), nullptr);
  }
  EXPECT_EQ(table.find(HandleKind::Win, handles[2] + 1), nullptr);
  EXPECT_EQ(table.find(HandleKind::Win, uintptr_t(HandleKind::Win) << 27), nullptr);
  EXPECT_EQ(table.find(HandleKind::Win, 0xdeadbeefdeadbeef), nullptr);
  table.erase(handles[1]);
  EXPECT_EQ(table.find(HandleKind::Win, handles[1]), nullptr);
  EXPECT_EQ(table.live(), 2u);
  EXPECT_EQ(table.insert(HandleKind::Win, &objects[1]), handles[1]);
}

// Intent: predefined handles are found on every rank; null handles name nothing.
TEST(Handle, Predefined) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    process::Rank &rank = comm.owner();
    EXPECT_EQ(find<Comm>(rank, MPI_COMM_WORLD), &comm);
    EXPECT_EQ(find<Comm>(rank, MPI_COMM_SELF)->size(), 1);
    EXPECT_EQ(find<Comm>(rank, MPI_COMM_NULL), nullptr);
    EXPECT_EQ(find<Group>(rank, MPI_GROUP_EMPTY)->size(), 0);
    EXPECT_EQ(find<Datatype>(rank, MPI_INT), &Datatype::predefined(MPI_INT));
    EXPECT_EQ(find<Datatype>(rank, MPI_DATATYPE_NULL), nullptr);
    EXPECT_EQ(find<Request>(rank, MPI_REQUEST_NULL), nullptr);
    EXPECT_NE(find<Errhandler>(rank, MPI_ERRORS_RETURN), nullptr);
    EXPECT_EQ(find<Errhandler>(rank, MPI_ERRHANDLER_NULL), nullptr);
  }));
}

// Intent: MPI_Init counts once, costs smpi/init, and grants at most MPI_THREAD_FUNNELED.
TEST(Environment, InitAndFinalize) {
  MpiWorld world(1);
  world.protocol.init = 0.25;
  EXPECT_TRUE(world.run([&](Comm &) {
    EXPECT_EQ(world.now(), 0.25);
    int flag = 0, level = -1;
    impl::Initialized(&flag);
    EXPECT_TRUE(flag);
    impl::Finalized(&flag);
    EXPECT_FALSE(flag);
    impl::Query_thread(&level);
    EXPECT_EQ(level, MPI_THREAD_SINGLE);
    EXPECT_EQ(impl::Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), MPI_ERR_OTHER);
    char name[MPI_MAX_PROCESSOR_NAME];
    impl::Get_processor_name(name, &flag);
    EXPECT_STREQ(name, "host0");
    EXPECT_EQ(impl::Wtime(), 0.25);
    EXPECT_GT(impl::Wtick(), 0);
    void *memory = nullptr;
    EXPECT_EQ(impl::Alloc_mem(100, nullptr, &memory), MPI_SUCCESS);
    EXPECT_EQ(impl::Free_mem(memory), MPI_SUCCESS);
  }));
  EXPECT_EQ(world.world.ranks[0]->mpi->phase, Phase::Finalized);
}

// Intent: MPI_Finalize synchronises nobody by default, and everybody with
// smpi/barrier-finalization.
TEST(Environment, FinalizeBarrier) {
  for (bool barrier : {false, true}) {
    MpiWorld world(3, Settings{.finalizeBarrier = barrier});
    EXPECT_TRUE(world.run([&](Comm &comm) { world.engine.sleep(comm.rank()); }));
    double first = world.world.ranks[0]->finishedAt.seconds;
    EXPECT_EQ(first > 2, barrier);
  }
}

} // namespace
} // namespace gnomon::mpi
