/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the pass says of each place where a program allocates memory: whether anything that must be
 * right can be read from there. Where nothing can, the runtime may fold the memory: ranks share it,
 * and what lies there is whatever was written last. Plain C, 64-bit; the pass builds one record a
 * site in IR (llvm-pass/fold).
 *
 * The code around an allocation, where the module's `bursts_on` is not 0:
 *
 *     gnomon_fold_begin(&record);
 *     array = malloc(bytes);
 *     gnomon_fold_end();
 *
 * A local array on the stack that folds in some plan is made so; the 16 bytes keep its place among
 * the frames, by which the runtime knows when it is gone:
 *
 *     shared = gnomon_local(&record, bytes);
 *     own = alloca(shared ? 16 : bytes);
 *     array = shared ? shared : own;
 *
 * Records are shared by all ranks; the runtime writes `index` only.
 */
#pragma once

#include "Records.def"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The fields, and what each holds, are in Records.def. */
struct gnomon_fold_site {
  GNOMON_FOLD_SITE_FIELDS(GNOMON_DECLARE_FIELD)
};

GNOMON_CHECK_RECORD(gnomon_fold_site, GNOMON_FOLD_SITE_FIELDS);

/* What holds in a run, and with it what need not be right. `flags` of a site has the bit 1 << plan where its contents
 * need not, from that plan's phase on. */
enum {
  GNOMON_PLAN_PLAIN = 0,
  GNOMON_PLAN_DECIDED = 1, /* decisions are given */
  GNOMON_PLAN_SKIPPED = 2, /* bursts with GNOMON_BURST_UNSAFE are executed no more */
  GNOMON_PLAN_DECIDED_SKIPPED = GNOMON_PLAN_DECIDED | GNOMON_PLAN_SKIPPED,
  GNOMON_PLANS = 4
};

#ifdef __cplusplus
}
#endif
