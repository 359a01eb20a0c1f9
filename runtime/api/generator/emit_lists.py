# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes lists of names: what libgnomon exports for MPI, what it does not implement, and the table for readers."""

from c_types import prototype
from emit_fortran_glue import f08_symbol, symbol
from emit_large import has_entry
from emit_fortran_modules import HANDLES, SIZEOF, SENTINELS, SYNC_REG


def _c_names(row):
    for suffix in ("", "_c") if row.large else ("",):
        yield f"MPI_{row.name}{suffix}"
        yield f"PMPI_{row.name}{suffix}"


def _fortran_names(row):
    if row.has("conly"):
        return
    for name in (symbol(row), f08_symbol(row), f08_symbol(row, large=True)):
        if name:
            yield name
            yield "p" + name


def exports(constants, rows):
    """One symbol a line: for the version script of libgnomon.so."""
    names = [name for row in rows for name in (*_c_names(row), *_fortran_names(row))]
    names += [c.name.lower() + "_" for c in constants if c.fortran == "external"]
    names += [f"gnomon_{handle.lower()}_{operator}_" for handle in HANDLES for operator in ("eq", "ne")]
    names += [name for name, _ in SIZEOF] + SYNC_REG
    names += [f"gnomon_{name.lower()}_" for name, *_ in SENTINELS]
    return "".join(f"{name}\n" for name in sorted(names))


def unsupported(rows):
    """Symbol, tab, MPI name: what the pass warns of at the link and `gnomon doctor` lists."""
    pairs = []
    for row in rows:
        for name in _c_names(row):
            if not row.implemented or (name.endswith("_c") and row.large and not has_entry(row)):
                pairs.append((name, name.removeprefix("P")))
        if not row.implemented:
            pairs += [(name, f"MPI_{row.name}") for name in _fortran_names(row)]
    head = "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n# MPI functions that link and are not supported: symbol, tab, name.\n"
    return head + "".join(f"{symbol_}\t{name}\n" for symbol_, name in sorted(pairs))


def document(rows, version):
    """The table of all functions, for readers."""
    done = [row for row in rows if row.implemented]
    out = [f"# The MPI functions of Gnomon {version}", "", "Every function of MPI 3.1 (and most of MPI 4 and 5) is declared and links, in C and in Fortran. A call of one that is not"]
    out += ["implemented raises MPI_ERR_UNSUPPORTED_OPERATION with its name; the link warns of it.", ""]
    out += [f"Implemented: {len(done)} of {len(rows)}.", ""]
    for chapter in sorted({row.chapter for row in rows}):
        out += [f"## {chapter}", "", "| Function | Implemented | In MPI since |", "|---|---|---|"]
        for row in rows:
            if row.chapter == chapter:
                since = row.attributes.get("since", "3.1 or before")
                since = "removed by 3.0" if row.has("removed") else f"{since}.0" if since in ("4", "5") else since
                out.append(f"| `{prototype(row, 'MPI_')}` | {'yes' if row.implemented else 'no'} | {since} |")
        out.append("")
    return "\n".join(out)
