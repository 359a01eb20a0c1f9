// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of generalised requests and of MPI_Request_get_status for several requests.
#include "mpi/request/Grequest.h"
#include "mpi/request/Status.h"
#include "mpi/test/MpiWorld.h"

#include <cstring>

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

struct Calls {
  int queried = 0, freed = 0, cancelled = -1;
};
int query(void *extra, MPI_Status *status) {
  ++static_cast<Calls *>(extra)->queried;
  impl::Status_set_elements(status, type(MPI_INT), 3);
  status->MPI_TAG = 17;
  return MPI_SUCCESS;
}
int freed(void *extra) {
  ++static_cast<Calls *>(extra)->freed;
  return MPI_SUCCESS;
}
int freeFails(void *extra) {
  freed(extra);
  return MPI_ERR_OTHER;
}
int cancelled(void *extra, int complete) {
  static_cast<Calls *>(extra)->cancelled = complete;
  return MPI_SUCCESS;
}

// Intent: the user's functions are called when the standard says: query by the wait, free once,
// cancel with what is known of the end.
TEST(Grequest, Life) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([&](Comm &) {
    Calls calls;
    MPI_Request request;
    int flag = -1;
    MPI_Count count = 0;
    impl::Grequest_start(query, freed, cancelled, &calls, &request);
    impl::Test(&request, &flag, nullptr);
    EXPECT_FALSE(flag);
    impl::Cancel(&request);
    EXPECT_EQ(calls.cancelled, 0);
    EXPECT_EQ(impl::Grequest_complete(at<Request>(request)), MPI_SUCCESS);
    EXPECT_EQ(impl::Grequest_complete(at<Request>(request)), MPI_ERR_REQUEST);
    impl::Cancel(&request);
    EXPECT_EQ(calls.cancelled, 1);
    MPI_Status status;
    impl::Request_get_status(&at<Request>(request), &flag, &status);
    EXPECT_TRUE(flag);
    EXPECT_EQ(status.MPI_TAG, 17);
    EXPECT_EQ(calls.freed, 0);
    EXPECT_EQ(impl::Wait(&request, &status), MPI_SUCCESS);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    impl::Get_count(&status, type(MPI_INT), &count);
    EXPECT_EQ(count, 3);
    EXPECT_EQ(calls.queried, 2);
    EXPECT_EQ(calls.freed, 1);
  }));
}

// Intent: a request that is freed before its end lives until it is completed by a copy of its
// handle; what the free function returns is what the wait returns.
TEST(Grequest, FreedBeforeItsEndAndErrors) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([&](Comm &comm) {
    Calls calls;
    MPI_Request request, copy;
    impl::Grequest_start(query, freed, cancelled, &calls, &request);
    copy = request;
    EXPECT_EQ(impl::Request_free(&request), MPI_SUCCESS);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    EXPECT_EQ(calls.freed, 0);
    EXPECT_EQ(impl::Grequest_complete(at<Request>(copy)), MPI_SUCCESS);
    EXPECT_EQ(calls.freed, 1);
    EXPECT_EQ(find<Request>(comm.owner(), copy), nullptr);
    impl::Grequest_start(query, freeFails, cancelled, &calls, &request);
    impl::Grequest_complete(at<Request>(request));
    EXPECT_EQ(impl::Wait(&request, nullptr), MPI_ERR_OTHER);
    EXPECT_EQ(calls.freed, 2);
  }));
}

int queryFails(void *extra, MPI_Status *status) {
  EXPECT_EQ(status->MPI_SOURCE, MPI_ANY_SOURCE);
  EXPECT_EQ(status->MPI_TAG, MPI_ANY_TAG);
  query(extra, status);
  return MPI_ERR_ARG;
}

// Intent: the query function gets an empty status, also when the program wants none; its error
// comes before the free function's.
TEST(Grequest, ErrorOfTheQuery) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    Calls calls;
    MPI_Request request;
    MPI_Status status;
    std::memset(&status, 0x55, sizeof status);
    for (MPI_Status *wanted : {&status, static_cast<MPI_Status *>(nullptr)}) {
      impl::Grequest_start(queryFails, freeFails, cancelled, &calls, &request);
      impl::Grequest_complete(at<Request>(request));
      EXPECT_EQ(impl::Wait(&request, wanted), MPI_ERR_ARG);
    }
    EXPECT_EQ(calls.queried, 2);
    EXPECT_EQ(calls.freed, 2);
  }));
}

// The same in Fortran: all by reference, and the state may be changed.
void fortranQuery(intptr_t *extra, MPI_Status *status, int *error) {
  *extra += 1;
  impl::Status_set_elements(status, type(MPI_INT), 5);
  *error = MPI_SUCCESS;
}
void fortranFree(intptr_t *extra, int *error) {
  *extra += 10;
  *error = MPI_ERR_OTHER;
}
void fortranCancel(intptr_t *extra, int *complete, int *error) {
  *extra += *complete ? 1000 : 100;
  *error = MPI_SUCCESS;
}

// Intent: functions in Fortran take everything by reference; what they make of the extra state is
// in the program's variable.
TEST(Grequest, Fortran) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    using Function = GrequestFunctions::Function;
    intptr_t extra = 7;
    MPI_Status status;
    MPI_Count count = 0;
    MPI_Request request = expose(*startGrequest(
        comm, {reinterpret_cast<Function>(fortranQuery), reinterpret_cast<Function>(fortranFree),
               reinterpret_cast<Function>(fortranCancel), Convention::Fortran, extra, &extra}));
    EXPECT_EQ(impl::Cancel(&request), MPI_SUCCESS);
    EXPECT_EQ(extra, 107);
    impl::Grequest_complete(at<Request>(request));
    EXPECT_EQ(impl::Cancel(&request), MPI_SUCCESS);
    EXPECT_EQ(extra, 1107);
    EXPECT_EQ(impl::Wait(&request, &status), MPI_ERR_OTHER);
    EXPECT_EQ(extra, 1118);
    impl::Get_count(&status, type(MPI_INT), &count);
    EXPECT_EQ(count, 5);
  }));
}

// Intent: a wait ends when another fiber of the rank's process completes the request.
TEST(Grequest, WaitEndsByCompletion) {
  MpiWorld world(2);
  MPI_Request shared = MPI_REQUEST_NULL;
  Request *object = nullptr;
  EXPECT_TRUE(world.run([&](Comm &comm) {
    static Calls calls;
    if (comm.rank() == 0) {
      impl::Grequest_start(query, freed, cancelled, &calls, &shared);
      object = &at<Request>(shared);
      impl::Wait(&shared, nullptr);
      EXPECT_NEAR(world.now(), 2.0, 1e-12);
      return;
    }
    world.engine.sleep(2);
    impl::Grequest_complete(*object);
  }));
}

// Intent: the forms for several requests see what is done and leave it there.
TEST(RequestGetStatus, OfSeveral) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int values[2] = {41, 42}, flag = -1, index = -1, count = -1, indices[3];
    if (comm.rank() == 1) {
      world.engine.sleep(1);
      impl::Send(&values[1], 1, type(MPI_INT), 0, 1, comm);
      world.engine.sleep(2);
      impl::Send(&values[0], 1, type(MPI_INT), 0, 0, comm);
      return;
    }
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[3];
    impl::Request_get_status_any(3, requests, &index, &flag, statuses);
    EXPECT_TRUE(flag);
    EXPECT_EQ(index, MPI_UNDEFINED);
    impl::Request_get_status_some(3, requests, &count, indices, statuses);
    EXPECT_EQ(count, MPI_UNDEFINED);
    impl::Irecv(&values[0], 1, type(MPI_INT), 1, 0, comm, &requests[0]);
    impl::Irecv(&values[1], 1, type(MPI_INT), 1, 1, comm, &requests[2]);
    impl::Request_get_status_any(3, requests, &index, &flag, statuses);
    EXPECT_FALSE(flag);
    EXPECT_EQ(index, MPI_UNDEFINED);
    world.engine.sleep(2);
    impl::Request_get_status_any(3, requests, &index, &flag, statuses);
    EXPECT_TRUE(flag);
    EXPECT_EQ(index, 2);
    EXPECT_EQ(statuses[0].MPI_TAG, 1);
    impl::Request_get_status_some(3, requests, &count, indices, statuses);
    ASSERT_EQ(count, 1);
    EXPECT_EQ(indices[0], 2);
    impl::Request_get_status_all(3, requests, &flag, statuses);
    EXPECT_FALSE(flag);
    world.engine.sleep(2);
    impl::Request_get_status_all(3, requests, &flag, statuses);
    EXPECT_TRUE(flag);
    EXPECT_EQ(statuses[0].MPI_SOURCE, 1);
    EXPECT_EQ(statuses[1].MPI_SOURCE, MPI_ANY_SOURCE);
    EXPECT_NE(requests[0], MPI_REQUEST_NULL);
    impl::Waitall(3, requests, nullptr);
    requests[1] = reinterpret_cast<MPI_Request>(0x7654321);
    EXPECT_EQ(impl::Request_get_status_all(3, requests, &flag, statuses), MPI_ERR_REQUEST);
  }));
}

} // namespace
} // namespace gnomon::mpi
