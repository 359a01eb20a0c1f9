/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the pass writes into each linked output (the executable, and every shared library built with
 * the flag) and the runtime reads: one gnomon_module. Plain C, 64-bit; the pass builds the same
 * structure in IR (llvm-pass/entry/ModuleRecord.cpp) from the same table of fields (Records.def).
 *
 * Privatisation: every mutable global lives in the section `gn_priv` (with an initial value) or
 * `gn_zero` (all zeros, no bytes in the file). The code of the module reads a global g at
 *
 *     &g + delta
 *
 * where delta is a hidden variable of the module that the runtime sets when it switches ranks.
 * Before gnomon_start, and in a run of one rank, delta is 0: the sections themselves are used.
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
 * resolve elsewhere at
 *
 *     &e + *import.delta
 *
 * Each module may therefore have a delta of its own.
 *
 * What the runtime does, in this order:
 *
 *   gnomon_register_module  keeps the record (order of calls = order of loading = order of
 *                           construction)
 *   gnomon_start            sets every import's delta: the delta variable of the module whose gn_priv
 *                           or gn_zero holds import.address, or a variable that is always 0 when none
 *                           does (libc's stdout, environ: shared)
 *   a new rank              copies gn_priv, leaves gn_zero zero, then for each relocation adds to the
 *                           slot (in the rank's copy) the rank's delta of this module, or of import's
 *                           module
 *   a switch of ranks       *delta = the rank's delta, for every module
 *   a rank's start          runs its constructors, module by module, then main
 */
#pragma once

#include "Records.def"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GNOMON_MODULE_VERSION 11

typedef void (*gnomon_structor_function)(int argc, char **argv, char **envp);
typedef int (*gnomon_main_function)(int argc, char **argv, char **envp);

/* The fields, and what each holds, are in Records.def. */
struct gnomon_burst;
struct gnomon_point;
struct gnomon_fold_site;
struct gnomon_import {
  GNOMON_IMPORT_FIELDS(GNOMON_DECLARE_FIELD)
};
struct gnomon_relocation {
  GNOMON_RELOCATION_FIELDS(GNOMON_DECLARE_FIELD)
};
struct gnomon_structor {
  GNOMON_STRUCTOR_FIELDS(GNOMON_DECLARE_FIELD)
};
struct gnomon_thread_local {
  GNOMON_THREAD_LOCAL_FIELDS(GNOMON_DECLARE_FIELD)
};
struct gnomon_module {
  GNOMON_MODULE_FIELDS(GNOMON_DECLARE_FIELD)
};

GNOMON_CHECK_RECORD(gnomon_import, GNOMON_IMPORT_FIELDS);
GNOMON_CHECK_RECORD(gnomon_relocation, GNOMON_RELOCATION_FIELDS);
GNOMON_CHECK_RECORD(gnomon_structor, GNOMON_STRUCTOR_FIELDS);
GNOMON_CHECK_RECORD(gnomon_thread_local, GNOMON_THREAD_LOCAL_FIELDS);
GNOMON_CHECK_RECORD(gnomon_module, GNOMON_MODULE_FIELDS);

enum {
  GNOMON_MODULE_FORTRAN = 1,     /* has a Fortran main program */
  GNOMON_MODULE_USES_MPI = 2,    /* calls at least one MPI function */
  GNOMON_MODULE_CXX_STREAMS = 4, /* refers to std::cout or its kin */
  GNOMON_MODULE_SPAWNS = 8,      /* calls MPI_Comm_spawn or MPI_Comm_spawn_multiple */
  /* once bursts have been skipped, nobody may read a file that the program has written since */
  GNOMON_MODULE_CHECKS_FILES = 16,
  /* the same where decisions are given, whatever else could read files (gnomon_reads_back) */
  GNOMON_MODULE_CHECKS_FILES_GIVEN = 32
};

/* What a call is handed by which the program may see what it has written (gnomon_reads_back). */
enum {
  GNOMON_READS_ANY,             /* nothing that tells the file */
  GNOMON_READS_DESCRIPTOR,      /* a number */
  GNOMON_READS_PATH,            /* char * */
  GNOMON_READS_COMMAND,         /* a command for the shell, whose result is looked at */
  GNOMON_READS_FROM_NOW_ON = 16 /* beside: later, too, by ways that no call shows */
};

#ifdef __cplusplus
}
#endif
