# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes every generated file of the MPI interface from the tables of runtime/api.

usage: generate.py TABLES_DIR GENERATED_DIR PREFIX VERSION
A file is rewritten only when its text changes, so that a build repeats no work.
"""

import pathlib
import sys

import emit_calls
import emit_entries
import emit_fortran_glue
import emit_fortran_modules
import emit_headers
import emit_lists
import emit_replay
import emit_roles
import tables


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(source, generated, prefix, version):
    kinds, constants, rows = tables.load(source)
    generated, prefix = pathlib.Path(generated), pathlib.Path(prefix)
    include, share = prefix / "include" / "gnomon", prefix / "share" / "gnomon"
    write(include / "mpi.h", emit_headers.mpi_header(constants, rows, version))
    write(include / "mpif.h", emit_fortran_modules.mpif_header(constants, rows))
    write(generated / "fortran" / "mpi_constants.f90", emit_fortran_modules.constants_module(constants))
    write(generated / "fortran" / "mpi.f90", emit_fortran_modules.mpi_module(constants, rows))
    write(generated / "fortran" / "mpi_f08_types.f90", emit_fortran_modules.types_module(constants))
    write(generated / "fortran" / "mpi_f08_callbacks.f90", emit_fortran_modules.callbacks_module(constants))
    write(generated / "fortran" / "mpi_f08.f90", emit_fortran_modules.f08_module(rows))
    write(generated / "api" / "FortranOperators.cpp", emit_fortran_modules.operators_source(rows))
    write(generated / "llvm-pass" / "MpiRoles.inc", emit_roles.roles(constants, rows))
    write(generated / "mpi.exports", emit_lists.exports(constants, rows))
    write(share / "mpi-unsupported.txt", emit_lists.unsupported(rows))
    write(share / "mpi-functions.md", emit_lists.document(rows, version))
    write(generated / "impl" / "Impl.h", emit_headers.impl_header(rows))
    write(generated / "impl" / "ErrorClasses.def", emit_headers.error_classes(constants))
    write(generated / "api" / "Version.h", emit_headers.version_header(version))
    write(generated / "api" / "Entries.h", emit_entries.entries_header(rows))
    write(generated / "replay" / "Handlers.cpp", emit_replay.replay_source(rows))
    write(generated / "coll" / "Calls.cpp", emit_calls.calls_source(rows, kinds))
    for chapter in sorted({row.chapter for row in rows}):
        write(generated / "api" / f"Entries{chapter}.cpp", emit_entries.entries_source(rows, chapter))
        write(generated / "api" / f"Fortran{chapter}.cpp", emit_fortran_glue.glue_source(rows, chapter))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except tables.TableError as error:
        tables.fail(error)
