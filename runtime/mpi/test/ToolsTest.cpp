// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of the tools interface MPI_T.
#include "mpi/Tools.h"
#include "mpi/test/MpiWorld.h"

#include <cstring>

namespace gnomon::mpi {
namespace {

using test::MpiWorld;
using test::type;

int controlIndex(const char *name) {
  int index = -1;
  EXPECT_EQ(impl::T_cvar_get_index(name, &index), MPI_SUCCESS) << name;
  return index;
}
int variableIndex(const char *name, int variableClass) {
  int index = -1;
  EXPECT_EQ(impl::T_pvar_get_index(name, variableClass, &index), MPI_SUCCESS) << name;
  return index;
}

// Intent: nothing works before MPI_T_init_thread and after the last MPI_T_finalize.
TEST(Tools, StartAndEnd) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    int number = -1, provided = -1;
    EXPECT_EQ(impl::T_cvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
    EXPECT_EQ(impl::T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    EXPECT_EQ(impl::T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    EXPECT_EQ(provided, MPI_THREAD_SINGLE);
    impl::T_init_thread(MPI_THREAD_SINGLE, &provided);
    EXPECT_EQ(impl::T_finalize(), MPI_SUCCESS);
    EXPECT_EQ(impl::T_pvar_get_num(&number), MPI_SUCCESS);
    EXPECT_GT(number, 4);
    EXPECT_EQ(impl::T_finalize(), MPI_SUCCESS);
    EXPECT_EQ(impl::T_pvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
  }));
}

// Intent: control variables have the values of the run, names by the standard's rules of lengths,
// enumerations with items; they cannot be written.
TEST(Tools, ControlVariables) {
  MpiWorld world(1, Settings{.growInjectedTimes = false});
  world.protocol.async = 4711;
  EXPECT_TRUE(world.run([](Comm &) {
    int provided, count = 0, length = 4, bind = -1, scope = -1;
    impl::T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Datatype datatype;
    MPI_T_enum enumeration;
    char name[32] = "";
    const int eager = controlIndex("eager_bytes"), grow = controlIndex("grow_poll_cost");
    EXPECT_EQ(impl::T_cvar_get_info(eager, name, &length, nullptr, &datatype, &enumeration, nullptr,
                                    nullptr, &bind, &scope),
              MPI_SUCCESS);
    EXPECT_STREQ(name, "eag");
    EXPECT_EQ(length, 12);
    EXPECT_EQ(datatype, MPI_UNSIGNED_LONG_LONG);
    EXPECT_EQ(enumeration, MPI_T_ENUM_NULL);
    EXPECT_EQ(scope, MPI_T_SCOPE_CONSTANT);
    MPI_T_cvar_handle handle;
    unsigned long long bytes = 0;
    EXPECT_EQ(impl::T_cvar_handle_alloc(eager, nullptr, &handle, &count), MPI_SUCCESS);
    EXPECT_EQ(count, 1);
    EXPECT_EQ(impl::T_cvar_read(handle, &bytes), MPI_SUCCESS);
    EXPECT_EQ(bytes, 4711u);
    EXPECT_EQ(impl::T_cvar_write(handle, &bytes), MPI_T_ERR_CVAR_SET_NEVER);
    MPI_T_cvar_handle copy = handle;
    EXPECT_EQ(impl::T_cvar_handle_free(&handle), MPI_SUCCESS);
    EXPECT_EQ(handle, MPI_T_CVAR_HANDLE_NULL);
    EXPECT_EQ(impl::T_cvar_read(copy, &bytes), MPI_T_ERR_INVALID_HANDLE);

    impl::T_cvar_get_info(grow, nullptr, nullptr, nullptr, nullptr, &enumeration, nullptr, nullptr,
                          nullptr, nullptr);
    int items = 0, value = -1;
    length = sizeof name;
    EXPECT_EQ(impl::T_enum_get_info(enumeration, &items, nullptr, nullptr), MPI_SUCCESS);
    EXPECT_EQ(items, 2);
    EXPECT_EQ(impl::T_enum_get_item(enumeration, 1, &value, name, &length), MPI_SUCCESS);
    EXPECT_STREQ(name, "on");
    EXPECT_EQ(impl::T_enum_get_item(enumeration, 2, &value, name, &length),
              MPI_T_ERR_INVALID_INDEX);
    impl::T_cvar_handle_alloc(grow, nullptr, &handle, &count);
    impl::T_cvar_read(handle, &value);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(impl::T_cvar_get_index("none", &value), MPI_T_ERR_INVALID_NAME);
    EXPECT_EQ(impl::T_cvar_handle_alloc(1000, nullptr, &handle, &count), MPI_T_ERR_INVALID_INDEX);
    impl::T_finalize();
  }));
}

// Intent: what rooms above add is there too, text with its end.
TEST(Tools, AddedText) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    ToolVariables &variables = *runtime().toolVariables;
    const size_t category = variables.addCategory("more", "added by a test");
    variables.addControl({"added_text", "a text", category, std::string("value"), nullptr});
    int provided, count = 0, index = -1, controls = 0, members[4] = {-1, -1, -1, -1};
    impl::T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_handle handle;
    char text[8] = "???????";
    impl::T_cvar_handle_alloc(controlIndex("added_text"), nullptr, &handle, &count);
    EXPECT_EQ(count, 6);
    impl::T_cvar_read(handle, text);
    EXPECT_STREQ(text, "value");
    EXPECT_EQ(impl::T_category_get_index("more", &index), MPI_SUCCESS);
    EXPECT_EQ(impl::T_category_get_info(index, nullptr, nullptr, nullptr, nullptr, &controls,
                                        nullptr, nullptr),
              MPI_SUCCESS);
    EXPECT_EQ(controls, 1);
    impl::T_category_get_cvars(index, 4, members);
    EXPECT_EQ(members[0], controlIndex("added_text"));
    EXPECT_EQ(members[1], -1);
    EXPECT_EQ(impl::T_category_get_pvars(99, 4, members), MPI_T_ERR_INVALID_INDEX);
    impl::T_finalize();
  }));
}

// Intent: a counter counts while its handle runs, can be reset and written; a level is what it is.
TEST(Tools, PerformanceVariables) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([&](Comm &comm) {
    int provided, value = 0;
    if (comm.rank() == 1) {
      for (int i = 0; i < 4; ++i)
        impl::Send(&value, 1, type(MPI_INT), 0, i, comm);
      return;
    }
    world.engine.sleep(1);
    impl::T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session session, other;
    MPI_T_pvar_handle sent, waiting, seconds;
    impl::T_pvar_session_create(&session);
    impl::T_pvar_session_create(&other);
    auto handleOf = [&](const char *name, int variableClass) {
      MPI_T_pvar_handle handle;
      int count = 0;
      impl::T_pvar_handle_alloc(session, variableIndex(name, variableClass), nullptr, &handle,
                                &count);
      EXPECT_EQ(count, 1);
      return handle;
    };
    sent = handleOf("messages_sent", MPI_T_PVAR_CLASS_COUNTER);
    waiting = handleOf("unexpected_messages", MPI_T_PVAR_CLASS_LEVEL);
    seconds = handleOf("simulated_seconds", MPI_T_PVAR_CLASS_TIMER);
    auto counted = [&](MPI_T_pvar_handle handle) {
      unsigned long long number = 77;
      EXPECT_EQ(impl::T_pvar_read(session, handle, &number), MPI_SUCCESS);
      return number;
    };
    EXPECT_EQ(counted(waiting), 4u);
    EXPECT_EQ(counted(sent), 0u);
    EXPECT_EQ(impl::T_pvar_start(session, waiting), MPI_T_ERR_PVAR_NO_STARTSTOP);
    EXPECT_EQ(impl::T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    auto sendOne = [&] { impl::Send(&value, 1, type(MPI_INT), 0, 9, comm); };
    sendOne();
    EXPECT_EQ(counted(sent), 1u);
    EXPECT_EQ(counted(waiting), 5u);
    impl::T_pvar_stop(session, sent);
    sendOne();
    EXPECT_EQ(counted(sent), 1u);
    impl::T_pvar_start(session, sent);
    sendOne();
    EXPECT_EQ(counted(sent), 2u);
    unsigned long long ten = 10;
    EXPECT_EQ(impl::T_pvar_write(session, sent, &ten), MPI_SUCCESS);
    sendOne();
    EXPECT_EQ(counted(sent), 11u);
    EXPECT_EQ(impl::T_pvar_reset(session, sent), MPI_SUCCESS);
    EXPECT_EQ(counted(sent), 0u);
    EXPECT_EQ(impl::T_pvar_reset(session, waiting), MPI_T_ERR_PVAR_NO_WRITE);
    EXPECT_EQ(impl::T_pvar_readreset(session, sent, &ten), MPI_T_ERR_PVAR_NO_ATOMIC);
    world.engine.sleep(2);
    double passed = 0;
    impl::T_pvar_read(session, seconds, &passed);
    EXPECT_NEAR(passed, 2, 1e-9);
    EXPECT_EQ(impl::T_pvar_read(other, sent, &ten), MPI_T_ERR_INVALID_HANDLE);
    EXPECT_EQ(impl::T_pvar_handle_free(session, &sent), MPI_SUCCESS);
    EXPECT_EQ(impl::T_pvar_session_free(&session), MPI_SUCCESS);
    EXPECT_EQ(impl::T_pvar_start(other, waiting), MPI_T_ERR_INVALID_HANDLE);
    EXPECT_EQ(impl::T_pvar_session_free(&session), MPI_T_ERR_INVALID_SESSION);
    impl::T_finalize();
  }));
}

/// What T_pvar_get_info tells of a variable.
struct Told {
  char name[64], description[256];
  int verbosity, variableClass, bind, readOnly, continuous, atomic;
  MPI_Datatype datatype;
  MPI_T_enum enumeration;
};

Told told(int index) {
  Told told{};
  std::memset(static_cast<void *>(&told), 0x55, sizeof told);
  int nameLength = sizeof told.name, descriptionLength = sizeof told.description;
  EXPECT_EQ(impl::T_pvar_get_info(index, told.name, &nameLength, &told.verbosity,
                                  &told.variableClass, &told.datatype, &told.enumeration,
                                  told.description, &descriptionLength, &told.bind, &told.readOnly,
                                  &told.continuous, &told.atomic),
            MPI_SUCCESS);
  return told;
}

// Intent: a counter can be started, stopped and written, a level cannot; none is atomic or bound.
TEST(Tools, WhatVariablesAre) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    int provided;
    impl::T_init_thread(MPI_THREAD_SINGLE, &provided);
    const auto &all = runtime().toolVariables->performance();
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
      const PerformanceVariable &variable = all[static_cast<size_t>(i)];
      const Told found = told(i);
      const bool isLevel = found.variableClass == MPI_T_PVAR_CLASS_LEVEL;
      EXPECT_EQ(found.name, variable.name);
      EXPECT_EQ(found.description, variable.description);
      EXPECT_NE(variable.name, variable.description);
      EXPECT_EQ(found.readOnly, isLevel);
      EXPECT_EQ(found.continuous, isLevel);
      EXPECT_EQ(found.atomic, 0);
      EXPECT_EQ(found.bind, MPI_T_BIND_NO_OBJECT);
      EXPECT_EQ(found.enumeration, MPI_T_ENUM_NULL);
      EXPECT_EQ(found.verbosity, MPI_T_VERBOSITY_USER_BASIC);
      EXPECT_EQ(found.datatype == MPI_DOUBLE, found.variableClass == MPI_T_PVAR_CLASS_TIMER);
    }
    EXPECT_EQ(impl::T_pvar_get_info(static_cast<int>(all.size()), nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr),
              MPI_T_ERR_INVALID_INDEX);
    impl::T_finalize();
  }));
}

// Intent: starts, stops and resets of all handles leave levels alone; what is started again goes
// on; reads and writes are of one handle and need a place.
TEST(Tools, HandlesOfASession) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([&](Comm &) {
    int provided, count;
    double value = -1;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle level, timer;
    impl::T_init_thread(MPI_THREAD_SINGLE, &provided);
    impl::T_pvar_session_create(&session);
    impl::T_pvar_handle_alloc(session, variableIndex("unexpected_messages", MPI_T_PVAR_CLASS_LEVEL),
                              nullptr, &level, &count);
    impl::T_pvar_handle_alloc(session, variableIndex("simulated_seconds", MPI_T_PVAR_CLASS_TIMER),
                              nullptr, &timer, &count);
    auto seconds = [&] {
      EXPECT_EQ(impl::T_pvar_read(session, timer, &value), MPI_SUCCESS);
      return value;
    };
    const MPI_T_pvar_handle all = MPI_T_PVAR_ALL_HANDLES;
    EXPECT_EQ(impl::T_pvar_stop(session, level), MPI_T_ERR_PVAR_NO_STARTSTOP);
    EXPECT_EQ(impl::T_pvar_write(session, level, &value), MPI_T_ERR_PVAR_NO_WRITE);
    EXPECT_EQ(impl::T_pvar_start(session, all), MPI_SUCCESS);
    world.engine.sleep(1);
    EXPECT_EQ(impl::T_pvar_start(session, timer), MPI_SUCCESS);
    world.engine.sleep(1);
    EXPECT_NEAR(seconds(), 2, 1e-9);
    EXPECT_EQ(impl::T_pvar_stop(session, all), MPI_SUCCESS);
    world.engine.sleep(1);
    EXPECT_NEAR(seconds(), 2, 1e-9);
    EXPECT_EQ(impl::T_pvar_reset(session, all), MPI_SUCCESS);
    EXPECT_NEAR(seconds(), 0, 1e-9);
    value = 2.5;
    EXPECT_EQ(impl::T_pvar_write(session, timer, &value), MPI_SUCCESS);
    EXPECT_NEAR(seconds(), 2.5, 1e-9);
    EXPECT_EQ(impl::T_pvar_read(session, all, &value), MPI_T_ERR_INVALID_HANDLE);
    EXPECT_EQ(impl::T_pvar_write(session, all, &value), MPI_T_ERR_INVALID_HANDLE);
    EXPECT_EQ(impl::T_pvar_read(session, timer, nullptr), MPI_T_ERR_INVALID);
    EXPECT_EQ(impl::T_pvar_write(session, timer, nullptr), MPI_T_ERR_INVALID);
    EXPECT_EQ(impl::T_pvar_handle_free(session, &timer), MPI_SUCCESS);
    EXPECT_EQ(timer, MPI_T_PVAR_HANDLE_NULL);
    EXPECT_EQ(impl::T_pvar_session_free(&session), MPI_SUCCESS);
    EXPECT_EQ(session, MPI_T_PVAR_SESSION_NULL);
    impl::T_finalize();
  }));
}

// Intent: there are no events: their number is 0, and nothing names one.
TEST(Tools, NoEvents) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    int provided, number = -1, index;
    EXPECT_EQ(impl::T_event_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
    EXPECT_EQ(impl::T_event_handle_alloc(0, nullptr, nullptr, nullptr), MPI_T_ERR_NOT_INITIALIZED);
    EXPECT_EQ(impl::T_event_read(nullptr, 0, nullptr), MPI_T_ERR_NOT_INITIALIZED);
    impl::T_init_thread(MPI_THREAD_SINGLE, &provided);
    EXPECT_EQ(impl::T_event_get_num(&number), MPI_SUCCESS);
    EXPECT_EQ(number, 0);
    EXPECT_EQ(impl::T_source_get_num(&number), MPI_SUCCESS);
    EXPECT_EQ(impl::T_event_get_index("x", &index), MPI_T_ERR_INVALID_NAME);
    EXPECT_EQ(impl::T_event_handle_alloc(0, nullptr, nullptr, nullptr), MPI_T_ERR_INVALID_INDEX);
    EXPECT_EQ(impl::T_event_read(nullptr, 0, nullptr), MPI_T_ERR_INVALID_HANDLE);
    impl::T_finalize();
  }));
}

} // namespace
} // namespace gnomon::mpi
