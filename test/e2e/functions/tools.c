/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: what the tools interface has none of, it says so: no events, no sources, no categories in
 * categories; and it counts what it has. */
#include "Check.h"

static void categories(void) {
  int count, stamp = -1, again = -2, events = -1, none;
  CHECK(MPI_T_category_get_num(&count) == MPI_SUCCESS && count > 0);
  CHECK(MPI_T_category_changed(&stamp) == MPI_SUCCESS);
  CHECK(MPI_T_category_changed(&again) == MPI_SUCCESS && stamp == again);
  CHECK(MPI_T_category_get_num_events(0, &events) == MPI_SUCCESS && events == 0);
  CHECK(MPI_T_category_get_num_events(count, &events) == MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_category_get_events(0, 0, &none) == MPI_SUCCESS);
  CHECK(MPI_T_category_get_categories(0, 0, &none) == MPI_SUCCESS);
  CHECK(MPI_T_category_get_categories(count, 0, &none) == MPI_T_ERR_INVALID_INDEX);
}

static void variables(void) {
  int count, length = 0, verbosity, class, bind, readonly, continuous, atomic;
  MPI_Datatype type;
  MPI_T_pvar_get_num(&count);
  CHECK(count > 0);
  for (int i = 0; i < count; ++i)
    CHECK(MPI_T_pvar_get_info(i, NULL, &length, &verbosity, &class, &type, NULL, NULL, NULL, &bind,
                              &readonly, &continuous, &atomic) == MPI_SUCCESS &&
          class >= MPI_T_PVAR_CLASS_STATE && class <= MPI_T_PVAR_CLASS_GENERIC && length > 1);
  CHECK(MPI_T_pvar_get_info(count, NULL, &length, &verbosity, &class, &type, NULL, NULL, NULL,
                            &bind, &readonly, &continuous, &atomic) == MPI_T_ERR_INVALID_INDEX);
}

static void events(void) {
  MPI_T_event_registration registration = NULL;
  MPI_T_event_instance instance = NULL;
  MPI_T_source_order order;
  MPI_Info info;
  MPI_Count ticks, most;
  int count = -1, length = 0, verbosity, elements = 0, bind;
  CHECK(MPI_T_event_get_num(&count) == MPI_SUCCESS && count == 0);
  CHECK(MPI_T_event_get_info(0, NULL, &length, &verbosity, NULL, NULL, &elements, NULL, &info, NULL,
                             NULL, &bind) == MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_source_get_info(0, NULL, &length, NULL, NULL, &order, &ticks, &most, &info) ==
        MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_source_get_timestamp(0, &ticks) == MPI_T_ERR_INVALID_INDEX);
  CHECK(MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_NONE, &info) != MPI_SUCCESS);
  CHECK(MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL) !=
        MPI_SUCCESS);
  CHECK(MPI_T_event_handle_get_info(registration, &info) != MPI_SUCCESS);
  CHECK(MPI_T_event_handle_set_info(registration, MPI_INFO_NULL) != MPI_SUCCESS);
  CHECK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL,
                                      NULL) != MPI_SUCCESS);
  CHECK(MPI_T_event_set_dropped_handler(registration, NULL) != MPI_SUCCESS);
  CHECK(MPI_T_event_handle_free(registration, NULL, NULL) != MPI_SUCCESS);
  CHECK(MPI_T_event_copy(instance, &count) != MPI_SUCCESS);
  CHECK(MPI_T_event_get_source(instance, &count) != MPI_SUCCESS);
  CHECK(MPI_T_event_get_timestamp(instance, &ticks) != MPI_SUCCESS);
}

int main(int argc, char **argv) {
  int provided;
  begin(&argc, &argv);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  categories();
  variables();
  events();
  MPI_T_finalize();
  return finish("tools");
}
