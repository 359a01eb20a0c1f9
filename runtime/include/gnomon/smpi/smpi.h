/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For programs that were annotated for SimGrid's SMPI: the macros of <smpi/smpi.h> on Gnomon's
 * bursts, so that they compile as they are. What a macro asks to skip is skipped with --shadow (or
 * --sample=…) only; without, everything runs, and results are exact.
 *
 *   SMPI_SAMPLE_LOCAL(init, cond, iter, n, threshold)   a loop: each rank executes n of its iterations
 *   SMPI_SAMPLE_GLOBAL(init, cond, iter, n, threshold)  all ranks together do
 *                                                       (as many as --sample wants when n is not positive;
 *                                                       the threshold is always that of --sample)
 *   SMPI_SAMPLE_FLOPS(flops) statement                  not executed, costs so much
 *   SMPI_SAMPLE_DELAY(seconds) statement                the same, in seconds of this machine
 *   SMPI_SHARED_MALLOC(bytes), SMPI_SHARED_FREE(data)   one memory for all ranks
 *   smpi_execute(seconds), smpi_execute_flops(flops)    computes so long; always
 *
 * Variables need no SMPI_VARINIT_…: Gnomon gives each rank its own. The iterations that are skipped
 * still run `cond` and `iter`, so a loop's variable has its last value afterwards.
 */
#pragma once

#include "../mpi.h"
#include "gnomon_burst.h"

/* SMPI's header brings the last four along, and programs written for it rest on that. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

int gnomon_burst_begin(struct gnomon_burst *burst, uint64_t work);
void gnomon_burst_end(struct gnomon_burst *burst);
/* What this machine computes in so many seconds. */
double gnomon_smpi_flops(double seconds);

void smpi_execute(double seconds);
void smpi_execute_benched(double seconds);
void smpi_execute_flops(double flops);
void smpi_execute_flops_benched(double flops);
void *smpi_shared_malloc(size_t bytes, const char *file, int line);
void *smpi_shared_malloc_partial(size_t bytes, const size_t *sharedOffsets, int blocks);
void smpi_shared_free(void *data);

#ifdef __cplusplus
}
#endif

/* One record for all ranks at each place in the source. */
#define GNOMON_SMPI_RECORD(FLAGS, FLOPS, SAMPLES)                                                  \
  __extension__(                                                                                   \
      {                                                                                            \
        __attribute__((                                                                            \
            annotate("gnomon::shared"))) static struct gnomon_burst gnomon_smpi_place = {          \
            0,        __func__, __FILE__,                                                          \
            __LINE__, 0,        GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FORCED | (FLAGS),            \
            0,        0,        FLOPS,                                                             \
            0,        0};                                                                          \
        gnomon_smpi_place.samples = (SAMPLES) > 0 ? (uint32_t)(SAMPLES) : 0;                       \
        &gnomon_smpi_place;                                                                        \
      })

/* `break` leaves an instance open: the outer loop ends it. */
#define GNOMON_SMPI_LOOP(INIT, CONDITION, ITERATE, SCOPE, SAMPLES)                                 \
  for (struct gnomon_burst *gnomon_smpi = GNOMON_SMPI_RECORD(SCOPE, -1, SAMPLES); gnomon_smpi;     \
       gnomon_burst_end(gnomon_smpi), gnomon_smpi = 0)                                             \
    for (INIT; __extension__({                                                                     \
           int gnomon_smpi_run = 0;                                                                \
           while ((CONDITION) && !(gnomon_smpi_run = gnomon_burst_begin(gnomon_smpi, 1))) {        \
             gnomon_burst_end(gnomon_smpi);                                                        \
             ITERATE;                                                                              \
           }                                                                                       \
           gnomon_smpi_run;                                                                        \
         });                                                                                       \
         gnomon_burst_end(gnomon_smpi), ITERATE)

/* The burst itself costs nothing; what the user says is computed in its place. */
#define GNOMON_SMPI_COST(FLOPS)                                                                    \
  for (struct gnomon_burst *gnomon_smpi = GNOMON_SMPI_RECORD(0, 0, 0),                             \
                           *gnomon_smpi_run =                                                      \
                               gnomon_burst_begin(gnomon_smpi, 1)                                  \
                                   ? gnomon_smpi                                                   \
                                   : (gnomon_burst_end(gnomon_smpi), smpi_execute_flops(FLOPS),    \
                                      (struct gnomon_burst *)0);                                   \
       gnomon_smpi_run; gnomon_burst_end(gnomon_smpi), gnomon_smpi_run = 0)

#define SMPI_SAMPLE_LOCAL(INIT, CONDITION, ITERATE, SAMPLES, THRESHOLD)                            \
  GNOMON_SMPI_LOOP(INIT, CONDITION, ITERATE, GNOMON_BURST_LOCAL, SAMPLES)
#define SMPI_SAMPLE_GLOBAL(INIT, CONDITION, ITERATE, SAMPLES, THRESHOLD)                           \
  GNOMON_SMPI_LOOP(INIT, CONDITION, ITERATE, GNOMON_BURST_GLOBAL, SAMPLES)
#define SMPI_SAMPLE_LOCAL_TAG(INIT, CONDITION, ITERATE, SAMPLES, THRESHOLD, TAG)                   \
  GNOMON_SMPI_LOOP(INIT, CONDITION, ITERATE, GNOMON_BURST_LOCAL, SAMPLES)
#define SMPI_SAMPLE_GLOBAL_TAG(INIT, CONDITION, ITERATE, SAMPLES, THRESHOLD, TAG)                  \
  GNOMON_SMPI_LOOP(INIT, CONDITION, ITERATE, GNOMON_BURST_GLOBAL, SAMPLES)
#define SMPI_SAMPLE_FLOPS(FLOPS) GNOMON_SMPI_COST(FLOPS)
#define SMPI_SAMPLE_DELAY(SECONDS) GNOMON_SMPI_COST(gnomon_smpi_flops(SECONDS))

#define SMPI_SHARED_MALLOC(BYTES) smpi_shared_malloc((BYTES), __FILE__, __LINE__)
#define SMPI_PARTIAL_SHARED_MALLOC(BYTES, OFFSETS, BLOCKS)                                         \
  smpi_shared_malloc_partial((BYTES), (OFFSETS), (BLOCKS))
#define SMPI_SHARED_FREE(DATA) smpi_shared_free(DATA)
/* The function is called by every rank: right whatever it does. */
#define SMPI_SHARED_CALL(FUNCTION, INPUT, ...) ((FUNCTION)(__VA_ARGS__))

/* From before SMPI privatised globals by itself. */
#define SMPI_VARINIT_GLOBAL(NAME, TYPE) TYPE NAME
#define SMPI_VARINIT_GLOBAL_AND_SET(NAME, TYPE, VALUE) TYPE NAME = VALUE
#define SMPI_VARGET_GLOBAL(NAME) NAME
#define SMPI_VARINIT_STATIC(NAME, TYPE) static TYPE NAME
#define SMPI_VARINIT_STATIC_AND_SET(NAME, TYPE, VALUE) static TYPE NAME = VALUE
#define SMPI_VARGET_STATIC(NAME) NAME

static inline void smpi_bench_begin(void) {}
static inline void smpi_bench_end(void) {}
