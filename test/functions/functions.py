#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: every MPI function that the table says is implemented is called by a test, in C and, if Fortran has it, in Fortran.

A call is the name before a parenthesis, outside comments and strings: in C and C++ MPI_X, PMPI_X, its large form MPI_X_c or
the implementation impl::X, or one of these as an argument; in Fortran MPI_X in any case, or the procedure mpi_x_ in a unit test."""

import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
sys.path.insert(0, str(SOURCE / "runtime/api/generator"))
sys.dont_write_bytecode = True
import tables  # noqa: E402

C = {".c", ".cpp", ".h"}
FORTRAN = {".f", ".F", ".f90", ".F90"}
# A comment or a string; a string that is not closed ends with its line.
_C_QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"?', re.DOTALL)
_FORTRAN_QUIET = re.compile(r"""^[cC*][^\n]*|![^\n]*|'[^'\n]*'?|"[^"\n]*"?""", re.MULTILINE)
_FREE_QUIET = re.compile(r"""![^\n]*|'[^'\n]*'?|"[^"\n]*"?""")


def sources(root, suffixes):
    """The texts of the tests and examples, without comments and strings."""
    folders = [root / "test", root / "examples", *root.glob("runtime/*/test")]
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in suffixes and path.is_file():
                quiet = _C_QUIET if path.suffix in C else _FREE_QUIET if path.suffix.lower() == ".f90" else _FORTRAN_QUIET
                yield quiet.sub(" ", path.read_text(errors="replace"))


def called(texts, pattern):
    return {name for text in texts for name in re.findall(pattern, text)}


def called_in_c(root):
    names = called(sources(root, C), r"\b(?:P?MPI_|impl::)(\w+)\s*[(,)]")
    return names | {name.removesuffix("_c") for name in names}


def called_in_fortran(root):
    names = called(sources(root, FORTRAN), r"(?i)\bp?mpi_(\w+)\s*\(")
    names |= called(sources(root, C), r"\bp?mpi_(\w+)_\s*\(")
    return {re.sub(r"_f08(ts)?$", "", name.lower()) for name in names}


def untested(root, rows):
    """What no test calls: (names in C, names in Fortran)."""
    c, fortran = called_in_c(root), called_in_fortran(root)
    done = [row for row in rows if row.implemented]
    in_fortran = [row for row in done if not row.has("conly")]
    return [r.name for r in done if r.name not in c], [r.name for r in in_fortran if r.name.lower() not in fortran]


def main():
    _, _, rows = tables.load(SOURCE / "runtime/api")
    in_c, in_fortran = untested(SOURCE, rows)
    for language, names in (("C", in_c), ("Fortran", in_fortran)):
        for name in names:
            print(f"MPI_{name} is implemented, and no test calls it in {language}")
    if len(rows) < 400:
        sys.exit(f"only {len(rows)} rows found: this test misreads the tables")
    print(f"{sum(row.implemented for row in rows)} functions are implemented; {len(in_c)} are called by no test in C, {len(in_fortran)} by none in Fortran")
    sys.exit(1 if in_c or in_fortran else 0)


if __name__ == "__main__":
    main()
