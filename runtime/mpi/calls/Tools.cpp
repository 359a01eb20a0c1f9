// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_T: its start and end, control variables, enumerations, categories. Arguments that are
/// results may be null. Errors are returned; MPI_T calls no error handler.
#include "mpi/Tools.h"
#include "impl/Impl.h"
#include "mpi/Session.h"

#include <cstring>

namespace gnomon::impl {

using namespace mpi;

namespace {

ToolState *tools() { return currentState().tools.get(); }
const ToolVariables &variables() { return *runtime().toolVariables; }

/// The element of a list; null for no index of it.
template <class T> const T *elementAt(const std::vector<T> &list, int index) {
  return index >= 0 && static_cast<size_t>(index) < list.size() ? &list[static_cast<size_t>(index)]
                                                                : nullptr;
}

template <class Value> void give(Value *to, Value value) {
  if (to)
    *to = value;
}

template <class T> int indexOf(const std::vector<T> &list, const char *name, int *index) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  if (!name || !index)
    return MPI_T_ERR_INVALID;
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) {
      *index = static_cast<int>(i);
      return MPI_SUCCESS;
    }
  return MPI_T_ERR_INVALID_NAME;
}

template <class T> int lengthOf(const std::vector<T> &list, int *length) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  if (!length)
    return MPI_T_ERR_INVALID;
  *length = static_cast<int>(list.size());
  return MPI_SUCCESS;
}

const ToolEnumeration *findEnumeration(MPI_T_enum handle) {
  for (const ControlVariable &variable : variables().controls())
    if (variable.enumeration &&
        reinterpret_cast<MPI_T_enum>(const_cast<ToolEnumeration *>(variable.enumeration)) == handle)
      return variable.enumeration;
  return nullptr;
}

/// Indices of the variables of a category.
template <class T>
int membersOf(const std::vector<T> &list, int category, int length, int *indices) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  if (!elementAt(variables().categories(), category))
    return MPI_T_ERR_INVALID_INDEX;
  int found = 0;
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].category == static_cast<size_t>(category)) {
      if (found < length)
        indices[found] = static_cast<int>(i);
      ++found;
    }
  return MPI_SUCCESS;
}

template <class T> int countOf(const std::vector<T> &list, int category) {
  int count = 0;
  for (const T &variable : list)
    count += variable.category == static_cast<size_t>(category);
  return count;
}

} // namespace

// Start and end.

int T_init_thread(int required, int *provided) {
  RankState &own = currentState();
  if (!own.tools)
    own.tools = std::make_unique<ToolState>();
  ++own.tools->initialised;
  give(provided, grantedThreadLevel(required));
  return MPI_SUCCESS;
}

int T_finalize() {
  RankState &own = currentState();
  if (!own.tools)
    return MPI_T_ERR_NOT_INITIALIZED;
  if (--own.tools->initialised == 0)
    own.tools.reset();
  return MPI_SUCCESS;
}

// Enumerations.

int T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  const ToolEnumeration *found = findEnumeration(enumtype);
  if (!found)
    return MPI_T_ERR_INVALID_HANDLE;
  give(num, static_cast<int>(found->items.size()));
  giveText(found->name, name, name_len);
  return MPI_SUCCESS;
}

int T_enum_get_item(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  const ToolEnumeration *found = findEnumeration(enumtype);
  if (!found)
    return MPI_T_ERR_INVALID_HANDLE;
  const std::string *item = elementAt(found->items, indx);
  if (!item)
    return MPI_T_ERR_INVALID_INDEX;
  give(value, indx);
  giveText(*item, name, name_len);
  return MPI_SUCCESS;
}

// Control variables.

int T_cvar_get_num(int *num_cvar) { return lengthOf(variables().controls(), num_cvar); }

int T_cvar_get_index(const char *name, int *cvar_index) {
  return indexOf(variables().controls(), name, cvar_index);
}

int T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity,
                    MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len,
                    int *bind, int *scope) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  const ControlVariable *variable = elementAt(variables().controls(), cvar_index);
  if (!variable)
    return MPI_T_ERR_INVALID_INDEX;
  giveText(variable->name, name, name_len);
  giveText(variable->description, desc, desc_len);
  give(verbosity, int{MPI_T_VERBOSITY_USER_BASIC});
  give(datatype, variable->datatype());
  give(enumtype,
       reinterpret_cast<MPI_T_enum>(const_cast<ToolEnumeration *>(variable->enumeration)));
  give(bind, int{MPI_T_BIND_NO_OBJECT});
  give(scope, int{MPI_T_SCOPE_CONSTANT});
  return MPI_SUCCESS;
}

int T_cvar_handle_alloc(int cvar_index, void *, MPI_T_cvar_handle *handle, int *count) {
  ToolState *own = tools();
  if (!own)
    return MPI_T_ERR_NOT_INITIALIZED;
  const ControlVariable *variable = elementAt(variables().controls(), cvar_index);
  if (!variable)
    return MPI_T_ERR_INVALID_INDEX;
  if (!handle)
    return MPI_T_ERR_INVALID;
  auto &made = own->controls.emplace_back(std::make_unique<ControlHandle>(variable));
  *handle = reinterpret_cast<MPI_T_cvar_handle>(made.get());
  give(count, variable->count());
  return MPI_SUCCESS;
}

int T_cvar_handle_free(MPI_T_cvar_handle *handle) {
  ToolState *own = tools();
  if (!own)
    return MPI_T_ERR_NOT_INITIALIZED;
  if (!handle || !findOwned(own->controls, *handle))
    return MPI_T_ERR_INVALID_HANDLE;
  std::erase_if(own->controls, [&](const auto &object) {
    return object.get() == reinterpret_cast<ControlHandle *>(*handle);
  });
  *handle = MPI_T_CVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

int T_cvar_read(MPI_T_cvar_handle handle, void *buf) {
  ToolState *own = tools();
  if (!own)
    return MPI_T_ERR_NOT_INITIALIZED;
  const ControlHandle *found = findOwned(own->controls, handle);
  if (!found)
    return MPI_T_ERR_INVALID_HANDLE;
  if (!buf)
    return MPI_T_ERR_INVALID;
  const auto &value = found->variable->value;
  if (const auto *text = std::get_if<std::string>(&value))
    std::memcpy(buf, text->c_str(), text->size() + 1);
  else if (const auto *number = std::get_if<uint64_t>(&value))
    std::memcpy(buf, number, sizeof *number);
  else
    std::memcpy(buf, &std::get<int>(value), sizeof(int));
  return MPI_SUCCESS;
}

int T_cvar_write(MPI_T_cvar_handle handle, const void *) {
  ToolState *own = tools();
  if (!own)
    return MPI_T_ERR_NOT_INITIALIZED;
  return findOwned(own->controls, handle) ? MPI_T_ERR_CVAR_SET_NEVER : MPI_T_ERR_INVALID_HANDLE;
}

// Categories.

int T_category_get_num(int *num_cat) { return lengthOf(variables().categories(), num_cat); }

int T_category_get_index(const char *name, int *cat_index) {
  return indexOf(variables().categories(), name, cat_index);
}

int T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len,
                        int *num_cvars, int *num_pvars, int *num_categories) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  const ToolCategory *category = elementAt(variables().categories(), cat_index);
  if (!category)
    return MPI_T_ERR_INVALID_INDEX;
  giveText(category->name, name, name_len);
  giveText(category->description, desc, desc_len);
  give(num_cvars, countOf(variables().controls(), cat_index));
  give(num_pvars, countOf(variables().performance(), cat_index));
  give(num_categories, 0);
  return MPI_SUCCESS;
}

int T_category_get_num_events(int cat_index, int *num_events) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  if (!elementAt(variables().categories(), cat_index))
    return MPI_T_ERR_INVALID_INDEX;
  give(num_events, 0);
  return MPI_SUCCESS;
}

int T_category_get_cvars(int cat_index, int len, int *indices) {
  return membersOf(variables().controls(), cat_index, len, indices);
}
int T_category_get_pvars(int cat_index, int len, int *indices) {
  return membersOf(variables().performance(), cat_index, len, indices);
}
/// No category has others in it, or events.
int T_category_get_categories(int cat_index, int, int *) {
  return T_category_get_num_events(cat_index, nullptr);
}
int T_category_get_events(int cat_index, int, int *) {
  return T_category_get_num_events(cat_index, nullptr);
}

/// Never: all variables are there before the ranks run.
int T_category_changed(int *update_number) {
  if (!tools())
    return MPI_T_ERR_NOT_INITIALIZED;
  give(update_number, 0);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
