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

enum {
  GNOMON_FOLD_FREE = 1,        /* its contents need not be right from `phase` on */
  GNOMON_FOLD_DECIDED_FREE = 2 /* the same from `decided_phase` on where decisions are given */
};

#ifdef __cplusplus
}
#endif
