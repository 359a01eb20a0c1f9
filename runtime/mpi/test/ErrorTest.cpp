// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of error handlers, error codes and the end of a run.
#include "mpi/test/MpiWorld.h"

#include <cstdarg>

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::raise;
using test::type;

int seenCode, seenCalls;
MPI_Comm seenComm;
void handler(MPI_Comm *comm, int *code, ...) {
  seenComm = *comm;
  seenCode = *code;
  ++seenCalls;
}

// Intent: by default an error ends the run with exit code 1, and the message names rank, date,
// call, argument and class.
TEST(ErrorDeathTest, FatalByDefault) {
  EXPECT_EXIT(
      {
        MpiWorld world(2);
        world.run([&](Comm &comm) {
          world.engine.sleep(0.0012);
          if (comm.rank() == 1)
            raiseError(&comm, MPI_ERR_TAG, "MPI_Recv", "invalid tag -7");
        });
      },
      testing::ExitedWithCode(1),
      "gnomon: rank 1 at 0.0012 s: MPI_Recv: invalid tag -7 \\(MPI_ERR_TAG\\)");
}

// Intent: MPI_Abort ends the run with the code that it is given.
TEST(ErrorDeathTest, Abort) {
  EXPECT_EXIT(
      {
        MpiWorld world(2);
        world.run([](Comm &comm) {
          if (comm.rank() == 1)
            impl::Abort(comm, 42);
        });
      },
      testing::ExitedWithCode(42), "rank 1 at 0 s: MPI_Abort\\(MPI_COMM_WORLD, 42\\)");
}

// Intent: MPI_ERRORS_RETURN hands the class back; children inherit the handler of their parent.
TEST(Error, Returns) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    impl::Comm_set_errhandler(comm, at<Errhandler>(MPI_ERRORS_RETURN));
    EXPECT_EQ(raise(MPI_ERR_RANK, &comm), MPI_ERR_RANK);
    MPI_Comm copy;
    impl::Comm_dup(comm, &copy);
    EXPECT_EQ(raise(MPI_ERR_COUNT, &at<Comm>(copy)), MPI_ERR_COUNT);
    MPI_Errhandler got;
    impl::Comm_get_errhandler(at<Comm>(copy), &got);
    EXPECT_EQ(got, MPI_ERRORS_RETURN);
  }));
}

// Intent: an error of a request goes to the handler of the request's communicator, though the call
// names none.
TEST(Error, RequestsCommunicator) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Comm handle;
    impl::Comm_dup(comm, &handle);
    impl::Comm_set_errhandler(at<Comm>(handle), at<Errhandler>(MPI_ERRORS_RETURN));
    int two[2] = {}, got;
    impl::Send(two, 2, type(MPI_INT), 0, 0, at<Comm>(handle));
    MPI_Request request;
    impl::Irecv(&got, 1, type(MPI_INT), 0, 0, at<Comm>(handle), &request);
    EXPECT_EQ(raise(impl::Wait(&request, nullptr), nullptr, "MPI_Wait"), MPI_ERR_TRUNCATE);
  }));
}

// Intent: a user's handler gets the communicator and the code, lives on after MPI_Errhandler_free
// while set, and is gone after.
TEST(Error, UserHandler) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    seenCalls = 0;
    MPI_Errhandler mine, got;
    impl::Comm_create_errhandler(handler, &mine);
    MPI_Errhandler copy = mine;
    impl::Comm_set_errhandler(comm, at<Errhandler>(mine));
    impl::Comm_get_errhandler(comm, &got);
    EXPECT_EQ(got, mine);
    impl::Errhandler_free(&got);
    impl::Errhandler_free(&mine);
    EXPECT_EQ(mine, MPI_ERRHANDLER_NULL);
    EXPECT_EQ(raise(MPI_ERR_OP, &comm), MPI_ERR_OP);
    EXPECT_EQ(seenCalls, 1);
    EXPECT_EQ(seenCode, MPI_ERR_OP);
    EXPECT_EQ(seenComm, MPI_COMM_WORLD);
    impl::Comm_call_errhandler(comm, MPI_ERR_COUNT);
    EXPECT_EQ(seenCode, MPI_ERR_COUNT);
    impl::Comm_set_errhandler(comm, at<Errhandler>(MPI_ERRORS_RETURN));
    EXPECT_EQ(find<Errhandler>(comm.owner(), copy), nullptr);
  }));
}

void forgive(MPI_Comm *, int *code, ...) { *code = MPI_SUCCESS; }

// Intent: the call returns what a user's handler leaves in the code that it is given.
TEST(Error, UserHandlerChangesTheCode) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Errhandler mine;
    impl::Comm_create_errhandler(forgive, &mine);
    impl::Comm_set_errhandler(comm, at<Errhandler>(mine));
    EXPECT_EQ(raise(MPI_ERR_OP, &comm), MPI_SUCCESS);
    impl::Comm_set_errhandler(comm, at<Errhandler>(MPI_ERRORS_RETURN));
    impl::Errhandler_free(&mine);
  }));
}

// Intent: every predefined class is its own class and has a text; added classes and codes get
// numbers and texts.
TEST(Error, ClassesAndStrings) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    char text[MPI_MAX_ERROR_STRING];
    int length, errorClass;
    for (int code = 0; code <= MPI_ERR_ABI; ++code) {
      EXPECT_EQ(impl::Error_class(code, &errorClass), MPI_SUCCESS);
      EXPECT_EQ(errorClass, code);
      EXPECT_EQ(impl::Error_string(code, text, &length), MPI_SUCCESS);
      EXPECT_EQ(int(std::string(text).size()), length);
    }
    EXPECT_EQ(impl::Error_class(4711, &errorClass), MPI_ERR_ARG);
    int added, code;
    impl::Add_error_class(&added);
    EXPECT_GT(added, MPI_ERR_LASTCODE);
    impl::Add_error_code(added, &code);
    impl::Add_error_string(code, "no more tea");
    impl::Error_string(code, text, &length);
    EXPECT_STREQ(text, "no more tea");
    impl::Error_class(code, &errorClass);
    EXPECT_EQ(errorClass, added);
    EXPECT_EQ(impl::Add_error_string(MPI_ERR_TAG, "no"), MPI_ERR_ARG);
    EXPECT_EQ(impl::Add_error_code(12345, &code), MPI_ERR_ARG);
  }));
}

} // namespace
} // namespace gnomon::mpi
