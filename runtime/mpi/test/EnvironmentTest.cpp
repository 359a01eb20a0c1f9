// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of sessions, communicators made from groups, attached buffers, removed error classes.
#include "mpi/test/MpiWorld.h"

#include <cstring>

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

Errhandler &returning() { return predefinedErrhandler(Errhandler::Action::Return); }

// Intent: a session alone keeps MPI usable, tells its thread level and its process sets, and MPI is
// over when the last session is and MPI_Init was never called.
TEST(Session, AloneAndItsProcessSets) {
  test::FakeWorld fake(2);
  setUp(fake.world, {});
  EXPECT_TRUE(fake.FakeWorld::run([](process::Rank &rank) {
    RankState &own = state(rank);
    MPI_Session first, second;
    Info asked;
    asked.set("thread_level", "MPI_THREAD_FUNNELED");
    EXPECT_EQ(impl::Session_init(&asked, returning(), &first), MPI_SUCCESS);
    EXPECT_EQ(impl::Session_init(nullptr, returning(), &second), MPI_SUCCESS);
    EXPECT_EQ(own.phase, Phase::Initialized);
    int initialized = -1, sets = 0;
    impl::Initialized(&initialized);
    EXPECT_FALSE(initialized);
    EXPECT_EQ(impl::Finalize(), MPI_ERR_OTHER);
    MPI_Info used;
    impl::Session_get_info(at<Session>(first), &used);
    EXPECT_EQ(*at<Info>(used).find("thread_level"), "MPI_THREAD_FUNNELED");
    impl::Session_get_info(at<Session>(second), &used);
    EXPECT_EQ(*at<Info>(used).find("thread_level"), "MPI_THREAD_MULTIPLE");
    impl::Session_get_num_psets(at<Session>(first), nullptr, &sets);
    EXPECT_EQ(sets, 2);
    char name[32] = "";
    int length = 0;
    impl::Session_get_nth_pset(at<Session>(first), nullptr, 0, &length, nullptr);
    EXPECT_EQ(length, 12);
    impl::Session_get_nth_pset(at<Session>(first), nullptr, 0, &length, name);
    EXPECT_STREQ(name, "mpi://WORLD");
    length = 4;
    impl::Session_get_nth_pset(at<Session>(first), nullptr, 1, &length, name);
    EXPECT_STREQ(name, "mpi");
    EXPECT_EQ(length, 11);
    EXPECT_EQ(impl::Session_get_nth_pset(at<Session>(first), nullptr, 2, &length, name),
              MPI_ERR_ARG);
    impl::Session_get_pset_info(at<Session>(first), "mpi://world", &used);
    EXPECT_EQ(*at<Info>(used).find("mpi_size"), "2");
    EXPECT_EQ(impl::Session_get_pset_info(at<Session>(first), "mpi://other", &used), MPI_ERR_ARG);
    EXPECT_EQ(impl::Session_finalize(&first), MPI_SUCCESS);
    EXPECT_EQ(first, MPI_SESSION_NULL);
    EXPECT_EQ(own.phase, Phase::Initialized);
    EXPECT_EQ(impl::Session_finalize(&second), MPI_SUCCESS);
    EXPECT_EQ(own.phase, Phase::BeforeInit);
  }));
  tearDown();
}

// Intent: the groups of process sets become communicators; equal groups with other strings may be
// made at once; an intercommunicator joins two groups.
TEST(Session, CommunicatorsFromGroups) {
  MpiWorld world(5);
  EXPECT_TRUE(world.run([](Comm &) {
    MPI_Session session;
    impl::Session_init(nullptr, returning(), &session);
    MPI_Group everyone, group, others;
    EXPECT_EQ(impl::Group_from_session_pset(at<Session>(session), "mpi://WORLD", &everyone),
              MPI_SUCCESS);
    MPI_Comm first, second, inter;
    impl::Comm_create_from_group(at<Group>(everyone), "one", nullptr, returning(), &first);
    impl::Comm_create_from_group(at<Group>(everyone), "two", nullptr, returning(), &second);
    Comm &comm = at<Comm>(first);
    EXPECT_EQ(comm.size(), 5);
    EXPECT_NE(comm.id(), at<Comm>(second).id());
    EXPECT_EQ(comm.errhandler, &returning());
    int value = comm.rank(), got = -1;
    impl::Sendrecv(&value, 1, type(MPI_INT), (value + 1) % 5, 0, &got, 1, type(MPI_INT),
                   (value + 4) % 5, 0, comm, nullptr);
    EXPECT_EQ(got, (value + 4) % 5);
    const int low[] = {3, 0}, high[] = {1, 2, 4};
    const bool isLow = value == 0 || value == 3;
    impl::Group_incl(at<Group>(everyone), isLow ? 2 : 3, isLow ? low : high, &group);
    impl::Group_incl(at<Group>(everyone), isLow ? 3 : 2, isLow ? high : low, &others);
    EXPECT_EQ(impl::Intercomm_create_from_groups(at<Group>(group), isLow ? 0 : 2, at<Group>(others),
                                                 isLow ? 2 : 0, "inter", nullptr, returning(),
                                                 &inter),
              MPI_SUCCESS);
    Comm &across = at<Comm>(inter);
    EXPECT_TRUE(across.isInter());
    EXPECT_EQ(across.size(), isLow ? 2 : 3);
    EXPECT_EQ(across.process(0), isLow ? 1u : 3u);
    EXPECT_EQ(impl::Intercomm_create_from_groups(at<Group>(group), 0, at<Group>(group), 1, "x",
                                                 nullptr, returning(), &inter),
              MPI_ERR_GROUP);
    EXPECT_EQ(impl::Comm_create_from_group(at<Group>(others), "x", nullptr, returning(), &first),
              MPI_ERR_GROUP);
    impl::Session_finalize(&session);
  }));
}

int calls = 0, lastCode = 0;
MPI_Session lastSession;
void note(MPI_Session *session, int *code, ...) {
  ++calls;
  lastCode = *code;
  lastSession = *session;
}

// Intent: errors of calls on a session go to the session's handler, with the session's handle.
TEST(Session, ErrorHandler) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    MPI_Session session;
    MPI_Errhandler handler, got, commHandler;
    impl::Session_create_errhandler(note, &handler);
    EXPECT_EQ(impl::Session_init(nullptr, at<Errhandler>(handler), &session), MPI_SUCCESS);
    Session &object = at<Session>(session);
    MPI_Info info;
    calls = 0;
    EXPECT_EQ(test::raise(impl::Session_get_pset_info(object, "none", &info)), MPI_ERR_ARG);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(lastCode, MPI_ERR_ARG);
    EXPECT_EQ(lastSession, session);
    EXPECT_EQ(impl::Session_call_errhandler(object, MPI_ERR_OTHER), MPI_SUCCESS);
    EXPECT_EQ(calls, 2);
    impl::Session_get_errhandler(object, &got);
    EXPECT_EQ(got, handler);
    impl::Comm_create_errhandler(nullptr, &commHandler);
    EXPECT_EQ(impl::Session_set_errhandler(object, at<Errhandler>(commHandler)), MPI_ERR_ARG);
    EXPECT_EQ(impl::Session_set_errhandler(object, returning()), MPI_SUCCESS);
    EXPECT_EQ(test::raise(impl::Session_get_pset_info(object, "none", &info)), MPI_ERR_ARG);
    EXPECT_EQ(calls, 2);
    impl::Session_finalize(&session);
    impl::Errhandler_free(&got);
    impl::Errhandler_free(&handler);
    impl::Errhandler_free(&commHandler);
  }));
}

// Intent: a handle of a session's is gone with the session; its error handler, and that of a
// communicator made from a group, are counted; handlers of other objects are refused.
TEST(Session, HandlersAndHandles) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &world) {
    process::Rank &rank = world.owner();
    MPI_Errhandler ofSessions, ofComms;
    impl::Session_create_errhandler(note, &ofSessions);
    impl::Comm_create_errhandler(nullptr, &ofComms);
    Errhandler &sessions = at<Errhandler>(ofSessions), &comms = at<Errhandler>(ofComms);
    MPI_Session session;
    EXPECT_EQ(impl::Session_init(nullptr, comms, &session), MPI_ERR_ARG);
    EXPECT_EQ(session, MPI_SESSION_NULL);
    EXPECT_EQ(impl::Session_init(nullptr, sessions, &session), MPI_SUCCESS);
    EXPECT_EQ(sessions.references, 2u);
    EXPECT_EQ(impl::Session_set_errhandler(at<Session>(session), returning()), MPI_SUCCESS);
    EXPECT_EQ(sessions.references, 1u);
    EXPECT_EQ(impl::Session_set_errhandler(at<Session>(session), sessions), MPI_SUCCESS);
    MPI_Errhandler got;
    EXPECT_EQ(impl::Session_get_errhandler(at<Session>(session), &got), MPI_SUCCESS);
    EXPECT_EQ(got, ofSessions);
    EXPECT_EQ(sessions.references, 3u);
    impl::Errhandler_free(&got);
    EXPECT_EQ(sessions.references, 2u);
    MPI_Group group;
    impl::Group_from_session_pset(at<Session>(session), "MPI://World", &group);
    EXPECT_EQ(at<Group>(group).rank(), world.rank());
    const MPI_Session copy = session;
    impl::Session_finalize(&session);
    EXPECT_EQ(sessions.references, 1u);
    EXPECT_EQ(find<Session>(rank, copy), nullptr);
    MPI_Comm made;
    EXPECT_EQ(impl::Comm_create_from_group(at<Group>(group), "x", nullptr, sessions, &made),
              MPI_ERR_ARG);
    EXPECT_EQ(impl::Intercomm_create_from_groups(at<Group>(group), 0, at<Group>(group), 0, "x",
                                                 nullptr, sessions, &made),
              MPI_ERR_ARG);
    EXPECT_EQ(impl::Comm_create_from_group(at<Group>(group), "x", nullptr, comms, &made),
              MPI_SUCCESS);
    EXPECT_EQ(at<Comm>(made).errhandler, &comms);
    EXPECT_EQ(comms.references, 2u);
    impl::Comm_free(&made);
    EXPECT_EQ(comms.references, 1u);
  }));
}

// Intent: MPI_Session_call_errhandler says what the code's class means, also of a code that the
// program added.
TEST(SessionDeathTest, TextOfTheError) {
  EXPECT_EXIT(
      {
        MpiWorld world(1);
        world.run([](Comm &) {
          MPI_Session session;
          int code;
          impl::Add_error_code(MPI_ERR_TRUNCATE, &code);
          impl::Session_init(nullptr, predefinedErrhandler(Errhandler::Action::Fatal), &session);
          impl::Session_call_errhandler(at<Session>(session), code);
        });
      },
      testing::ExitedWithCode(1), errorText(MPI_ERR_TRUNCATE));
}

// Intent: mpi://SELF is the rank alone; wrong numbers and places of process sets, leaders outside
// their groups and groups without the caller are errors; the empty group gives no communicator.
TEST(Session, WrongArguments) {
  MpiWorld world(3);
  EXPECT_TRUE(world.run([](Comm &world) {
    MPI_Session session;
    impl::Session_init(nullptr, returning(), &session);
    Session &object = at<Session>(session);
    MPI_Info about;
    impl::Session_get_pset_info(object, "mpi://SELF", &about);
    EXPECT_EQ(*at<Info>(about).find("mpi_size"), "1");
    char name[32];
    int length = sizeof name;
    EXPECT_EQ(impl::Session_get_nth_pset(object, nullptr, -1, &length, name), MPI_ERR_ARG);
    EXPECT_EQ(impl::Session_get_nth_pset(object, nullptr, 0, &length, nullptr), MPI_ERR_ARG);
    MPI_Group everyone, alone, rest, self;
    MPI_Comm made = nullptr;
    impl::Group_from_session_pset(object, "mpi://WORLD", &everyone);
    impl::Group_from_session_pset(object, "mpi://SELF", &self);
    EXPECT_EQ(at<Group>(self).size(), 1);
    const int zero[] = {0};
    impl::Group_incl(at<Group>(everyone), 1, zero, &alone);
    impl::Group_excl(at<Group>(everyone), 1, zero, &rest);
    EXPECT_EQ(
        impl::Comm_create_from_group(at<Group>(MPI_GROUP_EMPTY), "x", nullptr, returning(), &made),
        MPI_SUCCESS);
    EXPECT_EQ(made, MPI_COMM_NULL);
    Group &mine = at<Group>(world.rank() == 0 ? alone : rest),
          &other = at<Group>(world.rank() == 0 ? rest : alone);
    auto join = [&](Group &local, int localLeader, Group &remote, int remoteLeader) {
      return impl::Intercomm_create_from_groups(local, localLeader, remote, remoteLeader, "x",
                                                nullptr, returning(), &made);
    };
    EXPECT_EQ(join(other, 0, mine, 0), MPI_ERR_GROUP);
    EXPECT_EQ(join(mine, -1, other, 0), MPI_ERR_RANK);
    EXPECT_EQ(join(mine, mine.size(), other, 0), MPI_ERR_RANK);
    EXPECT_EQ(join(mine, 0, other, -1), MPI_ERR_RANK);
    EXPECT_EQ(join(mine, 0, other, other.size()), MPI_ERR_RANK);
    EXPECT_EQ(join(mine, mine.size() - 1, other, other.size() - 1), MPI_SUCCESS);
    EXPECT_TRUE(at<Comm>(made).isInter());
    EXPECT_EQ(at<Comm>(made).errhandler, &returning());
    impl::Session_finalize(&session);
  }));
}

// Intent: a buffered send takes the communicator's buffer first, then the program's, then a
// session's; MPI_BUFFER_AUTOMATIC holds everything; a flush is a request that is done.
TEST(Buffers, WhoseIsUsed) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    char bytes[1000] = {};
    char room[2000];
    auto bsend = [&] {
      int error = impl::Bsend(bytes, 1000, type(MPI_CHAR), 0, 0, comm);
      if (!error)
        impl::Recv(bytes, 1000, type(MPI_CHAR), 0, 0, comm, nullptr);
      return error;
    };
    EXPECT_EQ(bsend(), MPI_ERR_BUFFER);
    MPI_Session session;
    impl::Session_init(nullptr, returning(), &session);
    impl::Session_attach_buffer(at<Session>(session), room, sizeof room);
    EXPECT_EQ(bsend(), MPI_SUCCESS);
    impl::Buffer_attach(room, 600);
    EXPECT_EQ(bsend(), MPI_ERR_BUFFER);
    EXPECT_EQ(impl::Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0), MPI_SUCCESS);
    EXPECT_EQ(impl::Comm_attach_buffer(comm, room, 10), MPI_ERR_BUFFER);
    EXPECT_EQ(bsend(), MPI_SUCCESS);
    MPI_Request request;
    int flag = 0;
    MPI_Count size = -1;
    impl::Comm_iflush_buffer(comm, &request);
    impl::Test(&request, &flag, nullptr);
    EXPECT_TRUE(flag);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    void *address = nullptr;
    impl::Comm_detach_buffer(comm, &address, &size);
    EXPECT_EQ(address, MPI_BUFFER_AUTOMATIC);
    EXPECT_EQ(size, 0);
    impl::Session_detach_buffer(at<Session>(session), &address, &size);
    EXPECT_EQ(address, room);
    EXPECT_EQ(size, 2000);
    impl::Session_finalize(&session);
  }));
}

// Intent: classes and codes that were added can be removed, codes before their class; predefined
// ones cannot.
TEST(ErrorClasses, Removed) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    int errorClass, code, found, length;
    char text[MPI_MAX_ERROR_STRING];
    impl::Add_error_class(&errorClass);
    impl::Add_error_code(errorClass, &code);
    impl::Add_error_string(code, "text");
    EXPECT_EQ(impl::Remove_error_string(code), MPI_SUCCESS);
    impl::Error_string(code, text, &length);
    EXPECT_EQ(length, 0);
    EXPECT_EQ(impl::Remove_error_class(errorClass), MPI_ERR_OTHER);
    EXPECT_EQ(impl::Remove_error_class(code), MPI_ERR_ARG);
    EXPECT_EQ(impl::Remove_error_code(errorClass), MPI_ERR_ARG);
    EXPECT_EQ(impl::Remove_error_code(code), MPI_SUCCESS);
    EXPECT_EQ(impl::Error_class(code, &found), MPI_ERR_ARG);
    EXPECT_EQ(impl::Remove_error_class(errorClass), MPI_SUCCESS);
    EXPECT_EQ(impl::Remove_error_class(MPI_ERR_TAG), MPI_ERR_ARG);
  }));
}

// Intent: MPI_Comm_split_type knows the resource that MPI_Get_hw_resource_info names.
TEST(Communicator, HardwareResources) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Info info;
    impl::Get_hw_resource_info(&info);
    ASSERT_EQ(at<Info>(info).entries().size(), 1u);
    Info hint;
    hint.set("mpi_hw_resource_type", at<Info>(info).entries()[0].first);
    MPI_Comm alone;
    impl::Comm_split_type(comm, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, &hint, &alone);
    EXPECT_EQ(at<Comm>(alone).size(), 1); // each rank of this world has a host
    hint.set("mpi_hw_resource_type", "unknown");
    impl::Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED, 0, &hint, &alone);
    EXPECT_EQ(alone, MPI_COMM_NULL);
  }));
}

} // namespace
} // namespace gnomon::mpi
