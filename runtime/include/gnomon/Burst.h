/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the pass says of each CPU burst, and the runtime counts of it. A burst is a region of the
 * program from which no MPI call is reachable (an outermost loop nest, the body of one iteration of
 * it, or a call). Plain C, 64-bit; the pass builds one record a burst in IR (llvm-pass/bursts), and
 * a compatibility header may define one by hand: the hooks take any record, met for the first time
 * or not.
 *
 * The code around a burst, where the module's `bursts_on` is not 0:
 *
 *     if (gnomon_burst_begin(&record, work)) { the burst } else { what of it must be kept }
 *     gnomon_burst_end(&record);
 *
 * `work` is the size of this instance in estimated instructions (trip counts times the bodies'
 * lengths), 0 when it is not known before the instance runs. Bursts nest at run time when a
 * function that holds one is called from another: the inner one then belongs to the outer one,
 * always runs and is not counted.
 *
 * Records are shared by all ranks; the runtime writes `index` only.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gnomon_burst {
  const char *name;     /* the user's name for it; null: none */
  const char *function; /* as the source spells it (demangled); never null */
  const char *file;     /* null without line tables */
  uint32_t line, column;
  uint32_t flags; /* GNOMON_BURST_* below */
  uint32_t phase; /* may be skipped once every rank has entered this phase (gnomon_phase); 0: from
                     the start */
  const char *reason; /* why it is always run; null when it may be skipped */
  double flops;       /* the user's cost of one instance in flop; negative: none given */
  uint32_t samples;   /* instances to execute, as the user asked; 0: the policy of --sample */
  uint32_t index;     /* the runtime's: 1 + its place in the runtime's table; 0 before it is met */
  /* Frail bursts that its skipping weakens. It is not skipped before the first `frail_waits` of
   * them have enough samples; the others come later than it and are charged unseen. */
  struct gnomon_burst *const *frail;
  uint32_t frail_waits, frail_count;
};

enum {
  GNOMON_BURST_SKIPPABLE = 1, /* an instance may be skipped */
  GNOMON_BURST_SLICED = 2,    /* what its skipping leaves is not empty: part of it is kept */
  /* Its own addresses, divisors or loop exits rest on what bursts with WEAKENS write: it may be
   * executed only while no instance of those has been skipped on any rank, and is skipped (or cost
   * unknown) from then on. */
  GNOMON_BURST_FRAIL = 4,
  GNOMON_BURST_WEAKENS = 8,
  GNOMON_BURST_ITERATION = 16, /* an instance is one iteration of the loop at `line` */
  GNOMON_BURST_FORCED = 32,    /* skippable because the user says so */
  GNOMON_BURST_GLOBAL = 64,    /* the user: sampled over all ranks, whatever --sample says */
  GNOMON_BURST_LOCAL = 128,    /* the user: sampled on each rank */
  GNOMON_BURST_CLOCK = 256     /* it may read a clock, which enters the runtime */
};

/* A branch that leads only to an error's end (MPI_Abort, exit, a runtime check) and whose condition
 * may rest on skipped data; or one by which a loop is left, where the user asked to stay. */
struct gnomon_error_site {
  const char *function; /* as the source spells it */
  const char *file;     /* null without line tables */
  uint32_t line, column;
  uint32_t taken; /* the runtime's: how often it was not taken because bursts had been skipped */
  uint32_t stays; /* 1: leaves a loop in which the run stays, with --shadow, because the user says
                     so: the same on every rank, whatever has been skipped so far */
};

#ifdef __cplusplus
}
#endif
