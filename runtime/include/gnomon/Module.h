/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the pass writes into each linked output (the executable, and every shared library built with the flag)
 * and the runtime reads: one gnomon_module. Plain C, 64-bit, laid out as below; the pass builds the same
 * structure in IR (llvm-pass/ModuleRecord.cpp), and test/unit checks the offsets.
 *
 * Privatisation: every mutable global lives in the section `gn_priv`. The code of the module reads a global g
 * at  &g + delta , where delta is a hidden variable of the module that the runtime sets when it switches
 * ranks. Before gnomon_start, and in a run of one rank, delta is 0: the section itself is used.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GNOMON_MODULE_VERSION 1

/* A pointer-sized slot of the section whose initial value is the address of a privatised global (plus a
 * constant): in a rank's copy the rank's delta is added to it. */
struct gnomon_relocation {
  uint64_t offset; /* bytes from private_begin */
};

/* A constructor or destructor of globals; run per rank, constructors by ascending priority then order,
 * destructors in reverse. */
struct gnomon_structor {
  void (*function)(void);
  uint32_t priority;
  uint32_t order;
};

struct gnomon_module {
  uint32_t version; /* GNOMON_MODULE_VERSION */
  uint32_t flags;   /* GNOMON_MODULE_* below */
  const char *name; /* for messages */
  char *private_begin, *private_end; /* gn_priv; page-aligned start is not promised, its alignment is 64 */
  intptr_t *delta;
  const struct gnomon_relocation *relocations;
  uint64_t relocation_count;
  const struct gnomon_structor *constructors;
  uint64_t constructor_count;
  const struct gnomon_structor *destructors;
  uint64_t destructor_count;
  /* State of libraries that were not built with the flag and that is saved and restored at a switch of ranks
   * (section gn_swap: the Fortran runtime's units, seeds and environment). Both null when there is none. */
  char *swap_begin, *swap_end;
  uint64_t thread_local_count; /* thread_local variables that became per-rank variables */
  int (*main)(int, char **, char **); /* the program's own main; null in a shared library */
  struct gnomon_module *next;         /* the runtime's list */
};

enum {
  GNOMON_MODULE_FORTRAN = 1,  /* has a Fortran main program */
  GNOMON_MODULE_USES_MPI = 2, /* calls at least one MPI function */
  GNOMON_MODULE_CXX_STREAMS = 4 /* refers to std::cout or its kin */
};

#ifdef __cplusplus
}
#endif
