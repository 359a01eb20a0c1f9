# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions have a large-count form MPI_X_c, and how both forms reach one implementation: it takes the types of
the large form, and mpi::Counts where a program gives an array (runtime/mpi/datatype/Counts.h)."""

from c_types import widened


def has_entry(row):
    """Whether gnomon::api::X_c exists: the implementation serves both forms. Functions of the user's that get a count are
    not called with another type of it."""
    return row.large and row.implemented and not any(p.function in ("User", "Datarep_conversion") for p in row.parameters)


def in_fortran(row):
    """Whether mpi_f08's generic MPI_X takes the large counts too: where the older counts are default INTEGERs."""
    return has_entry(row) and not row.has("byhand") and any(_differs(p) and p.kind.fortran == "int" for p in row.parameters)


def _differs(parameter):
    return parameter.kind.large_c_type != parameter.kind.c_type


def narrowed(row):
    """What the plain form gets in 64 bits and hands on as int."""
    return [p for p in row.parameters if has_entry(row) and widened(p) and p.direction != "in"]


def widening(row):
    """Statements of the plain form before the implementation's call."""
    return [f"  {p.kind.large_c_type} {p.name}Large = {f'*{p.name}' if p.direction == 'inout' else '0'};" for p in narrowed(row)]


def narrowing(row):
    """Statements of the plain form after it."""
    stores = [f"    *{p.name} = narrow({p.name}Large);" for p in narrowed(row)]
    return ["  if (code == MPI_SUCCESS) {", *stores, "  }"] if stores else []
