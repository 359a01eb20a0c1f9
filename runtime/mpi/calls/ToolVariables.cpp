// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_T: performance variables; events, of which there are none.
#include "impl/Impl.h"
#include "mpi/Tools.h"

#include <cstring>

namespace gnomon::impl {

using namespace mpi;

namespace {

ToolState *tools() { return currentState().tools.get(); }

const PerformanceVariable *variableAt(int index) {
  const auto &list = runtime().toolVariables->performance();
  return index >= 0 && static_cast<size_t>(index) < list.size() ? &list[static_cast<size_t>(index)]
                                                                : nullptr;
}

double current(const PerformanceHandle &handle) { return handle.variable->value(currentState()); }

double read(const PerformanceHandle &handle) {
  if (handle.variable->isLevel())
    return current(handle);
  return handle.accumulated + (handle.running ? current(handle) - handle.base : 0);
}

void set(PerformanceHandle &handle, double value) {
  handle.accumulated = value;
  handle.base = current(handle);
}

int start(PerformanceHandle &handle) {
  if (handle.variable->isLevel())
    return MPI_T_ERR_PVAR_NO_STARTSTOP;
  if (!handle.running)
    handle.base = current(handle);
  handle.running = true;
  return MPI_SUCCESS;
}

int stop(PerformanceHandle &handle) {
  if (handle.variable->isLevel())
    return MPI_T_ERR_PVAR_NO_STARTSTOP;
  handle.accumulated = read(handle);
  handle.running = false;
  return MPI_SUCCESS;
}

int reset(PerformanceHandle &handle) {
  if (handle.variable->isLevel())
    return MPI_T_ERR_PVAR_NO_WRITE;
  set(handle, 0);
  return MPI_SUCCESS;
}

/// Runs \p action(handle) for a handle of a session; for MPI_T_PVAR_ALL_HANDLES, where \p all, for
/// those that it is possible for.
template <class Action>
int onHandle(MPI_T_pvar_session session, MPI_T_pvar_handle handle, Action action,
             bool all = false) {
  ToolState *own = tools();
  if (!own)
    return MPI_T_ERR_NOT_INITIALIZED;
  ToolSession *found = findOwned(own->sessions, session);
  if (!found)
    return MPI_T_ERR_INVALID_SESSION;
  if (all && handle == MPI_T_PVAR_ALL_HANDLES) {
    for (const auto &each : found->handles)
      action(*each);
    return MPI_SUCCESS;
  }
  PerformanceHandle *object = findOwned(found->handles, handle);
  return object ? action(*object) : MPI_T_ERR_INVALID_HANDLE;
}

template <class Value> void give(Value *to, Value value) {
  if (to)
    *to = value;
}

int noEvent() { return tools() ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_NOT_INITIALIZED; }
int noEventIndex() { return tools() ? MPI_T_ERR_INVALID_INDEX : MPI_T_ERR_NOT_INITIALIZED; }

} // namespace

int T_pvar_get_num(int *num_pvar) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  if (!num_pvar)
    return MPI_T_ERR_INVALID;
  *num_pvar = static_cast<int>(runtime().toolVariables->performance().size());
  return MPI_SUCCESS;
}

int T_pvar_get_index(const char *name, int var_class, int *pvar_index) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  if (!name || !pvar_index)
    return MPI_T_ERR_INVALID;
  const PerformanceVariable *variable;
  for (int i = 0; (variable = variableAt(i)); ++i)
    if (variable->name == name && variable->abiClass() == var_class) {
      *pvar_index = i;
      return MPI_SUCCESS;
    }
  return MPI_T_ERR_INVALID_NAME;
}

int T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                    MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len,
                    int *bind, int *readonly, int *continuous, int *atomic) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  const PerformanceVariable *variable = variableAt(pvar_index);
  if (!variable)
    return MPI_T_ERR_INVALID_INDEX;
  giveText(variable->name, name, name_len);
  giveText(variable->description, desc, desc_len);
  give(verbosity, int{MPI_T_VERBOSITY_USER_BASIC});
  give(var_class, variable->abiClass());
  give(datatype, variable->datatype());
  give(enumtype, MPI_T_ENUM_NULL);
  give(bind, int{MPI_T_BIND_NO_OBJECT});
  give(readonly, static_cast<int>(variable->isLevel()));
  give(continuous, static_cast<int>(variable->isLevel()));
  give(atomic, 0);
  return MPI_SUCCESS;
}

int T_pvar_session_create(MPI_T_pvar_session *session) {
  ToolState *own = tools();
  if (!own)
    return MPI_T_ERR_NOT_INITIALIZED;
  if (!session)
    return MPI_T_ERR_INVALID;
  auto &made = own->sessions.emplace_back(std::make_unique<ToolSession>());
  *session = reinterpret_cast<MPI_T_pvar_session>(made.get());
  return MPI_SUCCESS;
}

int T_pvar_session_free(MPI_T_pvar_session *session) {
  ToolState *own = tools();
  if (!own)
    return MPI_T_ERR_NOT_INITIALIZED;
  if (!session || !findOwned(own->sessions, *session))
    return MPI_T_ERR_INVALID_SESSION;
  std::erase_if(own->sessions, [&](const auto &object) {
    return object.get() == reinterpret_cast<ToolSession *>(*session);
  });
  *session = MPI_T_PVAR_SESSION_NULL;
  return MPI_SUCCESS;
}

int T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *,
                        MPI_T_pvar_handle *handle, int *count) {
  ToolState *own = tools();
  if (!own)
    return MPI_T_ERR_NOT_INITIALIZED;
  ToolSession *found = findOwned(own->sessions, session);
  if (!found)
    return MPI_T_ERR_INVALID_SESSION;
  const PerformanceVariable *variable = variableAt(pvar_index);
  if (!variable)
    return MPI_T_ERR_INVALID_INDEX;
  if (!handle)
    return MPI_T_ERR_INVALID;
  auto &made = found->handles.emplace_back(std::make_unique<PerformanceHandle>(variable));
  *handle = reinterpret_cast<MPI_T_pvar_handle>(made.get());
  give(count, 1);
  return MPI_SUCCESS;
}

int T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle) {
  if (!handle)
    return MPI_T_ERR_INVALID_HANDLE;
  const int error = onHandle(session, *handle, [](PerformanceHandle &) { return MPI_SUCCESS; });
  if (error)
    return error;
  std::erase_if(findOwned(tools()->sessions, session)->handles, [&](const auto &object) {
    return object.get() == reinterpret_cast<PerformanceHandle *>(*handle);
  });
  *handle = MPI_T_PVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

int T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return onHandle(session, handle, start, true);
}
int T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return onHandle(session, handle, stop, true);
}
int T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return onHandle(session, handle, reset, true);
}

int T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf) {
  return onHandle(session, handle, [buf](PerformanceHandle &object) {
    if (!buf)
      return MPI_T_ERR_INVALID;
    const double value = read(object);
    const auto whole = static_cast<unsigned long long>(value);
    if (object.variable->datatype() == MPI_DOUBLE)
      std::memcpy(buf, &value, sizeof value);
    else
      std::memcpy(buf, &whole, sizeof whole);
    return MPI_SUCCESS;
  });
}

int T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf) {
  return onHandle(session, handle, [buf](PerformanceHandle &object) {
    if (object.variable->isLevel())
      return MPI_T_ERR_PVAR_NO_WRITE;
    if (!buf)
      return MPI_T_ERR_INVALID;
    double value;
    unsigned long long whole;
    if (object.variable->datatype() == MPI_DOUBLE) {
      std::memcpy(&value, buf, sizeof value);
    } else {
      std::memcpy(&whole, buf, sizeof whole);
      value = static_cast<double>(whole);
    }
    set(object, value);
    return MPI_SUCCESS;
  });
}

/// No variable is atomic, as T_pvar_get_info says.
int T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *) {
  return onHandle(session, handle, [](PerformanceHandle &) { return MPI_T_ERR_PVAR_NO_ATOMIC; });
}

// Events: there are none, so that no index and no handle is right.

int T_event_get_num(int *num_events) {
  give(num_events, 0);
  return tools() ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED;
}
int T_source_get_num(int *num_sources) { return T_event_get_num(num_sources); }
int T_event_get_index(const char *, int *) {
  return tools() ? MPI_T_ERR_INVALID_NAME : MPI_T_ERR_NOT_INITIALIZED;
}
int T_event_get_info(int, char *, int *, int *, MPI_Datatype *, MPI_Aint *, int *, MPI_T_enum *,
                     MPI_Info *, char *, int *, int *) {
  return noEventIndex();
}
int T_event_handle_alloc(int, void *, Info *, MPI_T_event_registration *) { return noEventIndex(); }
int T_source_get_info(int, char *, int *, char *, int *, MPI_T_source_order *, MPI_Count *,
                      MPI_Count *, MPI_Info *) {
  return noEventIndex();
}
int T_source_get_timestamp(int, MPI_Count *) { return noEventIndex(); }
int T_event_callback_get_info(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info *) {
  return noEvent();
}
int T_event_callback_set_info(MPI_T_event_registration, MPI_T_cb_safety, Info *) {
  return noEvent();
}
int T_event_copy(MPI_T_event_instance, void *) { return noEvent(); }
int T_event_get_source(MPI_T_event_instance, int *) { return noEvent(); }
int T_event_get_timestamp(MPI_T_event_instance, MPI_Count *) { return noEvent(); }
int T_event_handle_free(MPI_T_event_registration, void *, MPI_T_event_free_cb_function *) {
  return noEvent();
}
int T_event_handle_get_info(MPI_T_event_registration, MPI_Info *) { return noEvent(); }
int T_event_handle_set_info(MPI_T_event_registration, Info *) { return noEvent(); }
int T_event_read(MPI_T_event_instance, int, void *) { return noEvent(); }
int T_event_register_callback(MPI_T_event_registration, MPI_T_cb_safety, Info *, void *,
                              MPI_T_event_cb_function *) {
  return noEvent();
}
int T_event_set_dropped_handler(MPI_T_event_registration, MPI_T_event_dropped_cb_function *) {
  return noEvent();
}

} // namespace gnomon::impl
