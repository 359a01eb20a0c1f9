# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes every generated file of the MPI interface from the tables of runtime/api.

usage: generate.py TABLES_DIR GENERATED_DIR PREFIX VERSION
A file is rewritten only when its text changes, so that a build repeats no work.
"""

import pathlib
import sys

import emit_entries
import emit_fortran_glue
import emit_headers
import tables


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(source, generated, prefix, version):
    _, constants, rows = tables.load(source)
    generated, include = pathlib.Path(generated), pathlib.Path(prefix) / "include" / "gnomon"
    write(include / "mpi.h", emit_headers.mpi_header(constants, rows, version))
    write(generated / "impl" / "Impl.h", emit_headers.impl_header(rows))
    write(generated / "api" / "Version.h", emit_headers.version_header(version))
    write(generated / "api" / "Entries.h", emit_entries.entries_header(rows))
    for chapter in sorted({row.chapter for row in rows}):
        write(generated / "api" / f"Entries{chapter}.cpp", emit_entries.entries_source(rows, chapter))
        write(generated / "api" / f"Fortran{chapter}.cpp", emit_fortran_glue.glue_source(rows, chapter))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except tables.TableError as error:
        tables.fail(error)
