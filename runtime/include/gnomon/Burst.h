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
 * A skipped instance needs no end where its record (or the plan that holds) does not say SLICED.
 * What is kept of a skipped burst counts no instructions. The counter is exact for whole paths through a function only:
 * where it is ahead at an end, by more than at the begin, the end is gnomon_burst_end_with(&record, ahead) instead.
 * `work` is the size of this instance in estimated instructions (trip counts times the bodies'
 * lengths), 0 when it is not known before the instance runs. Where it is not a constant, the code
 * passes the numbers that it follows from, in gnomon_burst_begin_with, and the record has the
 * formula: the same evaluation, compiled for each burst, was a fifth of a link's time. Bursts nest at run time when a
 * function that holds one is called from another: the inner one then belongs to the outer one,
 * always runs and is not counted.
 *
 * Records are shared by all ranks; the runtime writes `index` only, and of a formula the last four
 * numbers and their work.
 *
 * A formula's code is a sequence of bytes. Numbers have numbers: 0 to 3 are those that are passed,
 * each a signed integer of 64 bits, then come those that the formula makes.
 *
 *     formula:     count of numbers to make, then each: its kind (GNOMON_NUMBER_*), polynomial,
 *                  for a quotient another polynomial;
 *                  then the polynomial that is the work, taken as at least 1 and at most 2^62
 *     polynomial:  count of terms, then each: count of factors, the numbers of the factors
 *
 * A term is the product of its factors and the next coefficient; all is in double precision.
 */
#pragma once

#include "Records.def"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gnomon_formula;
struct gnomon_burst_plan;

/* The fields, and what each holds, are in Records.def. */
struct gnomon_burst {
  GNOMON_BURST_FIELDS(GNOMON_DECLARE_FIELD)
};
struct gnomon_formula {
  GNOMON_FORMULA_FIELDS(GNOMON_DECLARE_FIELD)
};
struct gnomon_burst_plan {
  GNOMON_BURST_PLAN_FIELDS(GNOMON_DECLARE_FIELD)
};
struct gnomon_point {
  GNOMON_POINT_FIELDS(GNOMON_DECLARE_FIELD)
};
struct gnomon_error_site {
  GNOMON_ERROR_SITE_FIELDS(GNOMON_DECLARE_FIELD)
};

GNOMON_CHECK_RECORD(gnomon_burst, GNOMON_BURST_FIELDS);
GNOMON_CHECK_RECORD(gnomon_formula, GNOMON_FORMULA_FIELDS);
GNOMON_CHECK_RECORD(gnomon_burst_plan, GNOMON_BURST_PLAN_FIELDS);
GNOMON_CHECK_RECORD(gnomon_point, GNOMON_POINT_FIELDS);
GNOMON_CHECK_RECORD(gnomon_error_site, GNOMON_ERROR_SITE_FIELDS);

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
  GNOMON_BURST_CLOCK = 256,    /* it may read a clock, which enters the runtime */
  /* The runtime's: what its instances execute is known from an earlier run. */
  GNOMON_BURST_VOLUMES = 512,
  /* Its own addresses, divisors or loop exits rest on memory that is folded by a plan GNOMON_PLAN_SKIPPED (Fold.h): none
   * of its instances may be executed from then on. */
  GNOMON_BURST_UNSAFE = 1024,
  /* Of a plan where decisions are given: another record stands for this burst and its neighbours, whose hooks are not
   * called then, nor where decisions are recorded. */
  GNOMON_BURST_IN_GROUP = 2048
};

/* What becomes of points in a run (gnomon_module's `points_on`). */
enum {
  GNOMON_POINTS_RECORDED = 1, /* what they decide is written */
  GNOMON_POINTS_GIVEN = 2     /* and given from another run */
};

/* How many numbers a point of several has, by the communicator: the ranks that it talks to (the remote group of an
 * intercommunicator), the same at the root and none elsewhere, its own ranks, the neighbours of its topology. */
enum {
  GNOMON_LENGTH_ONE,
  GNOMON_LENGTH_PEERS,
  GNOMON_LENGTH_PEERS_AT_ROOT,
  GNOMON_LENGTH_MEMBERS,
  GNOMON_LENGTH_SOURCES,
  GNOMON_LENGTH_DESTINATIONS
};

/* How a formula makes a number of a polynomial p. */
enum {
  GNOMON_NUMBER_POSITIVE,     /* max(0, p) */
  GNOMON_NUMBER_QUOTIENT,     /* p / max(1, the next polynomial), towards zero, within ±2^62 */
  GNOMON_NUMBER_POWER_OF_TWO, /* 2^p, p towards zero and within ±62 */
  GNOMON_NUMBER_LOGARITHM,    /* of max(1, p) to the base 2, rounded down; p at most 2^62 */
  GNOMON_NUMBER_IS_ZERO,      /* 1 where p is 0, else 0 */
  GNOMON_NUMBER_IS_POSITIVE   /* 1 where p is above 0, else 0 */
};

enum {
  GNOMON_FORMULA_INPUTS = 4,  /* numbers that are passed */
  GNOMON_FORMULA_NUMBERS = 64 /* with those that are made, at most */
};

#ifdef __cplusplus
}
#endif
