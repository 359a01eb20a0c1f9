/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: the tools interface MPI_T as a tool sees it: before MPI_Init, every variable by its
 * description, categories that name the variables in them, no events. */
#include "Check.h"

#define TEXT 200

static void controls(void) {
  int number = 0, index = -1, length, verbosity, bind, scope, count;
  char name[TEXT], value[TEXT];
  MPI_Datatype type;
  MPI_T_enum enumeration;
  MPI_T_cvar_handle handle;
  CHECK(MPI_T_cvar_get_num(&number) == MPI_SUCCESS && number > 5);
  for (int i = 0; i < number; ++i) {
    length = TEXT;
    CHECK(MPI_T_cvar_get_info(i, name, &length, &verbosity, &type, &enumeration, NULL, NULL, &bind,
                              &scope) == MPI_SUCCESS);
    CHECK(length == (int)strlen(name) + 1 && scope == MPI_T_SCOPE_CONSTANT);
    CHECK(MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS && index == i);
  }
  CHECK(MPI_T_cvar_get_index("network_model", &index) == MPI_SUCCESS);
  CHECK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS && count < TEXT);
  CHECK(MPI_T_cvar_read(handle, value) == MPI_SUCCESS && strlen(value) + 1 == (size_t)count);
  CHECK(MPI_T_cvar_write(handle, value) == MPI_T_ERR_CVAR_SET_NEVER);
  CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS && handle == MPI_T_CVAR_HANDLE_NULL);
}

static void performance(void) {
  int number = 0, index = -1, length, verbosity, class, bind, readonly, continuous, atomic;
  char name[TEXT];
  MPI_Datatype type;
  MPI_T_enum enumeration;
  CHECK(MPI_T_pvar_get_num(&number) == MPI_SUCCESS && number > 4);
  for (int i = 0; i < number; ++i) {
    length = TEXT;
    CHECK(MPI_T_pvar_get_info(i, name, &length, &verbosity, &class, &type, &enumeration, NULL, NULL,
                              &bind, &readonly, &continuous, &atomic) == MPI_SUCCESS);
    CHECK(readonly == (class == MPI_T_PVAR_CLASS_LEVEL) && !atomic);
    CHECK(MPI_T_pvar_get_index(name, class, &index) == MPI_SUCCESS && index == i);
  }
  CHECK(MPI_T_pvar_get_index(name, -1, &index) == MPI_T_ERR_INVALID_NAME);
  CHECK(MPI_T_pvar_get_info(number, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                            NULL, NULL) == MPI_T_ERR_INVALID_INDEX);
}

static void categories(void) {
  int number = 0, controls = 0, variables = 0, inside, events = -1, changed = -1, index;
  int seen = 0, all = 0, indices[TEXT];
  char name[TEXT];
  CHECK(MPI_T_category_get_num(&number) == MPI_SUCCESS && number >= 4);
  for (int i = 0; i < number; ++i) {
    int length = TEXT;
    CHECK(MPI_T_category_get_info(i, name, &length, NULL, NULL, &controls, &variables, &inside) ==
          MPI_SUCCESS);
    CHECK(inside == 0 && MPI_T_category_get_index(name, &index) == MPI_SUCCESS && index == i);
    CHECK(MPI_T_category_get_cvars(i, TEXT, indices) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_pvars(i, TEXT, indices) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_categories(i, TEXT, indices) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_num_events(i, &events) == MPI_SUCCESS && events == 0);
    CHECK(MPI_T_category_get_events(i, TEXT, indices) == MPI_SUCCESS);
    seen += controls + variables;
  }
  MPI_T_cvar_get_num(&controls);
  MPI_T_pvar_get_num(&variables);
  all = controls + variables;
  CHECK(seen == all);
  CHECK(MPI_T_category_get_events(number, 0, NULL) == MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_category_changed(&changed) == MPI_SUCCESS && changed == 0);
}

static void noEvents(void) {
  MPI_T_event_registration registration = (MPI_T_event_registration)0;
  MPI_T_event_instance instance = (MPI_T_event_instance)0;
  MPI_T_source_order order;
  MPI_Count ticks;
  MPI_Info info = MPI_INFO_NULL;
  int number = -1, length = 0;
  CHECK(MPI_T_event_get_num(&number) == MPI_SUCCESS && number == 0);
  CHECK(MPI_T_source_get_num(&number) == MPI_SUCCESS && number == 0);
  CHECK(MPI_T_event_get_info(0, NULL, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                             NULL) == MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_source_get_info(0, NULL, &length, NULL, NULL, &order, &ticks, &ticks, &info) ==
        MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_source_get_timestamp(0, &ticks) == MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_NONE, &info) ==
        MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_NONE, info) ==
        MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, info, NULL, NULL) ==
        MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_event_set_dropped_handler(registration, NULL) == MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_event_handle_get_info(registration, &info) == MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_event_handle_set_info(registration, info) == MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_event_handle_free(registration, NULL, NULL) == MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_event_copy(instance, NULL) == MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_event_get_source(instance, &number) == MPI_T_ERR_INVALID_HANDLE);
  CHECK(MPI_T_event_get_timestamp(instance, &ticks) == MPI_T_ERR_INVALID_HANDLE);
}

int main(int argc, char **argv) {
  int provided, number;
  CHECK(MPI_T_cvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
  CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
  controls();
  begin(&argc, &argv);
  performance();
  categories();
  noEvents();
  CHECK(MPI_T_finalize() == MPI_SUCCESS);
  CHECK(MPI_T_category_changed(&number) == MPI_T_ERR_NOT_INITIALIZED);
  return finish("tools");
}
