/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the pass writes into each linked output (the executable, and every shared library built with
 * the flag) and the runtime reads: one gnomon_module. Plain C, 64-bit, laid out as below; the pass
 * builds the same structure in IR (llvm-pass/entry/ModuleRecord.cpp), and test/privatise checks the two
 * against each other.
 *
 * Privatisation: every mutable global lives in the section `gn_priv` (with an initial value) or
 * `gn_zero` (all zeros, no bytes in the file). The code of the module reads a global g at  &g +
 * delta , where delta is a hidden variable of the module that the runtime sets when it switches
 * ranks. Before gnomon_start, and in a run of one rank, delta is 0: the sections themselves are
 * used.
 *
 * The linker puts gn_zero behind gn_priv, possibly with shared data (.data, .bss) between them:
 *
 *     private_begin       data_end            zero_begin       private_end
 *     | gn_priv           | maybe .data, .bss | gn_zero        |
 *
 * A rank's copy spans private_begin…private_end as a whole (both sections have the one delta); only
 * the two sections' bytes in it are ever read or written, so the gap needs address space, not
 * contents.
 *
 * Modules reach each other's globals (an executable uses a variable of its library, or the other
 * way round) through imports: code of this module reads a global e that the dynamic linker may
 * resolve elsewhere at &e + *import.delta . Each module may therefore have a delta of its own.
 *
 * What the runtime does, in this order:
 *   gnomon_register_module  keeps the record (order of calls = order of loading = order of
 * construction) gnomon_start            sets every import's delta: the delta variable of the module
 * whose gn_priv or gn_zero holds import.address, or a variable that is always 0 when none does
 *                           (libc's stdout, environ: shared)
 *   a new rank              copies gn_priv, leaves gn_zero zero, then for each relocation adds to
 * the slot (in the rank's copy) the rank's delta of this module, or of import's module a switch of
 * ranks       *delta = the rank's delta, for every module a rank's start          runs its
 * constructors, module by module, then main
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GNOMON_MODULE_VERSION 4

/* A global that the dynamic linker may resolve outside the module. */
struct gnomon_import {
  void *address;         /* as the dynamic linker resolved it; null when weak and undefined */
  const intptr_t *delta; /* written by the runtime; initially points to a constant 0 */
};

/* A pointer-sized slot of gn_priv (not necessarily aligned) whose initial value is the address of a
 * privatised global plus a constant. */
struct gnomon_relocation {
  char *slot; /* in the section itself: add the rank's delta to get to its copy */
  const struct gnomon_import
      *import; /* whose module's delta is added to the value; null: this module's */
};

/* A constructor or destructor of globals, called as libc calls them. The tables are in the order of
 * execution: constructors by ascending priority, destructors by descending, both stable. */
struct gnomon_structor {
  void (*function)(int argc, char **argv, char **envp);
  uint32_t priority;
  uint32_t order; /* position before sorting, for messages */
};

/* A thread_local variable of the source, in gn_priv or gn_zero. */
struct gnomon_thread_local {
  char *address; /* in the section itself, as gnomon_relocation's slot */
  uint64_t bytes;
};

struct gnomon_burst;

struct gnomon_module {
  uint32_t version; /* GNOMON_MODULE_VERSION */
  uint32_t flags;   /* GNOMON_MODULE_* below */
  const char *name; /* for messages: the program's source or output as the link names it */
  /* All four null when the module has no privatised globals; data_end == private_begin when all are
   * zero, and zero_begin == private_end when none is. */
  char *private_begin, *data_end, *zero_begin, *private_end;
  uint64_t alignment; /* every delta must be a multiple of it; a power of two, at least 64 */
  intptr_t *delta;
  struct gnomon_import *imports;
  uint64_t import_count;
  const struct gnomon_relocation *relocations;
  uint64_t relocation_count;
  const struct gnomon_structor *constructors;
  uint64_t constructor_count;
  const struct gnomon_structor *destructors;
  uint64_t destructor_count;
  /* State of libraries that were not built with the flag and that is saved and restored at a switch
   * of ranks (section gn_swap: the Fortran runtime's units, seeds and environment). Both null when
   * there is none. */
  char *swap_begin, *swap_end;
  /* thread_local variables that became per-rank variables: the runtime changes them over when
   * another thread of the rank runs. */
  const struct gnomon_thread_local *thread_locals;
  uint64_t thread_local_count;
  int (*main)(int, char **, char **); /* the program's own main; null in a shared library */
  /* The module's bursts (Burst.h), in the order of their places in the source; null when it has
   * none. */
  struct gnomon_burst **bursts;
  uint64_t burst_count;
  uint32_t phase_count; /* highest number that its code passes to gnomon_phase */
  uint32_t reserved;
  /* Set by the runtime at the start, to anything but 0 when the hooks of bursts are to be called.
   */
  uint32_t *bursts_on;
  /* Instructions that the module's code has executed, counted by the pass; null when it was built
   * without counters. One counter for all ranks: the runtime takes differences. */
  uint64_t *instructions;
  struct gnomon_module *next; /* the runtime's list */
};

enum {
  GNOMON_MODULE_FORTRAN = 1,     /* has a Fortran main program */
  GNOMON_MODULE_USES_MPI = 2,    /* calls at least one MPI function */
  GNOMON_MODULE_CXX_STREAMS = 4, /* refers to std::cout or its kin */
  GNOMON_MODULE_SPAWNS = 8       /* calls MPI_Comm_spawn or MPI_Comm_spawn_multiple */
};

#ifdef __cplusplus
}
#endif
