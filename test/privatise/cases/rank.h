/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a privatisation case needs of whoever runs it: the mini-runtime, or MPI (rank_mpi.c).
 * A case returns check_result() from main: 0 when every CHECK held on this rank.
 */
#pragma once

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
int rank_number(void);
int rank_count(void);
void rank_switch(void); /* lets every other rank run up to its next rank_switch */
#ifdef __cplusplus
}
#endif

/* On the stack of main, so that the checks themselves need no privatised variable. */
#define CHECKED int check_failures = 0
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: rank %d: not so: %s\n", __FILE__, __LINE__, rank_number(),           \
              #condition);                                                                         \
      check_failures = 1;                                                                          \
    }                                                                                              \
  } while (0)
#define CHECK_RESULT check_failures
