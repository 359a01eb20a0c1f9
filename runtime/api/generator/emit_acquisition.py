# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the functions of the library that traces runs of a real MPI (acquisition/): PMPI_X with its other name MPI_X for
each function that this MPI has, recording what the entries of a simulated run tell a recording (emit_trace.py).

usage: emit_acquisition.py TABLES_DIR HEADER GENERATED_DIR
HEADER is that MPI's mpi.h, preprocessed with its macros kept (-E -dD).
"""

import pathlib
import re
import sys

import tables
from c_types import declare, parameters, prototype
from emit_entries import _Entry
from emit_headers import LICENCE
from emit_trace import _COMPLETED, Trace
from generate import write

# Chapters whose communication is recorded; that of others is left out, and said at the end of the run.
_RECORDED = {"PointToPoint", "Requests", "Collectives", "Communicators", "Topologies", "Windows", "Environment"}
# No wrapper: nothing to record, or an array that is not const in MPICH 4.0's mpi.h (Pready_list).
_PLAIN = {"Wtick", "Pcontrol", "Pready_list"}
# Numbers that each MPI has its own values for: the function that makes them the standard ABI's.
_STANDARD = {"required": "threadLevel", "color": "colorOf", "split_type": "splitType", "lock_type": "lockType", "assert": "assertions"}
_ENUMERATIONS = {"threadLevel": "MPI_THREAD_", "splitType": "MPI_COMM_TYPE_", "lockType": "MPI_LOCK_"}
# What the names of emit_entries.py's C++ are here.
_HERE = [
    (r"commObject->topology && commObject->topology->grid\(\) \? .*?: 0", "gridDimensions(comm)"),
    (r"mpi::find<mpi::Win>\(entry\.rank\(\), \*(\w+)\) \? .*?: 0\b", r"call.windowNumber(*\1)"),
    (r"mpi::find<mpi::Win>\(entry\.rank\(\), \*(\w+)\)", r"*\1"),
    (r"found \? found->number : 0", r"call.windowNumber(*win)"),
    (r"mpi::find<mpi::\w+>\(entry\.rank\(\), \*(\w+)\)", r"*\1"),
    (r"(\w+)Object->number", r"call.windowNumber(\1)"),
    (r"(\w+)Object->size\(\)", r"sizeOf(\1)"),
    (r"(\w+)Object->peers\(\)", r"peersOf(\1)"),
    (r"(\w+)Object->hasDisplacements\(\)", r"hasDisplacements(\1)"),
    (r"mpi::(source|destination)Count\(\*(\w+)Object\)", r"\1Count(\2)"),
    (r"(\w+)Object\b", r"\1"),
    (r"\bline\.", "call."),
]
# Where a call finds what its requests got: the status of request i, of those that it has completed.
_RESULTS = {
    "Wait": ("status", "1", "call.completed(0, *status);"),
    "Waitall": ("array_of_statuses", "count", "for (int i = 0; i < count; ++i)\n        call.completed(i, array_of_statuses[i]);"),
    "Waitany": ("status", "1", "if (*indx != MPI_UNDEFINED)\n        call.completed(*indx, *status);"),
    "Waitsome": ("array_of_statuses", "incount", "for (int i = 0; i < std::max(*outcount, 0); ++i)\n        call.completed(array_of_indices[i], array_of_statuses[i]);"),
}
_RESULTS["Test"] = ("status", "1", "if (*flag)\n        call.completed(0, *status);")
_RESULTS["Testall"] = ("array_of_statuses", "count", f"if (*flag)\n        {_RESULTS['Waitall'][2]}")
_RESULTS["Testany"] = ("status", "1", "if (*flag && *indx != MPI_UNDEFINED)\n        call.completed(*indx, *status);")
_RESULTS["Testsome"] = _RESULTS["Waitsome"]


def _here(text):
    for pattern, replacement in _HERE:
        text = re.sub(pattern, replacement, text)
    return text


class _Wrapper(Trace):
    """The body of one wrapper."""

    def __init__(self, row, suffix):
        self.entry = _Entry(row, bool(suffix))
        super().__init__(row, self.entry._condition, self.entry._length)
        self.suffix = suffix

    @property
    def is_recorded(self):
        return (self.traced or self.polls) and self.row.chapter in _RECORDED

    def _number(self, p):
        standard = _STANDARD.get(p.name)
        if standard and not p.array:
            return f'number("{p.name}", {standard}({p.name}))'
        return super()._number(p)

    def _argument(self, p):
        if p.kind.name == "string":
            return None
        if p.kind.name == "win" and p.direction == "inout":
            return f'number("{p.name}", call.windowNumber(*{p.name}))'
        return super()._argument(p)

    def _asks(self):
        """When the trace needs what a blocking receive or probe got: where its arguments leave that open, or the message has
        to be known later."""
        return "true" if self.row.name in ("Mprobe", "Improbe") else "call.isOpen()"

    def _before(self):
        row, out = self.row, []
        if self.entry.has_root_only:
            out.append("    const bool isRoot = atRoot(root, comm);")
        for p in row.parameters:
            told = self._argument(p)
            condition = self.condition(p) if told and (p.root_only or p.kind.category == "buffer") else ""
            if p.kind.name == "targetdisp":
                condition = "winObject->hasDisplacements()"  # else it is an address
            if told:
                condition = condition.replace("atRoot", "isRoot")
                out.append(f"    if ({condition})\n      line.{told};" if condition else f"    line.{told};")
        if self._blocking_status():
            out.append(f"    if ({self._asks()})\n      call.wantStatuses({self._blocking_status()}, 1);")
        if row.name in _RESULTS:
            status, count, _ = _RESULTS[row.name]
            out.append(f"    if (call.awaits())\n      call.wantStatuses({status}, {count});")
        if row.name == "Abort":
            out.append("    call.end(MPI_SUCCESS);")
        return [_here(line) for line in out]

    def _polled(self):
        row = self.row
        if row.name == "Win_test":
            return ["    if (code != MPI_SUCCESS || !(*flag))\n      call.nothing();"]
        if row.name in _COMPLETED:
            found, which = _COMPLETED[row.name]
            count = next((p.name for p in row.parameters if p.kind.name == "nonneg"), "1")
            told = f"completedRequests({which})" if which else f"completedAll({count})"
        else:
            found, told = "*flag", ""
        out = [f"    if (code == MPI_SUCCESS && {found}) {{"]
        out.append(f"      call.{told};" if told else f"      if ({self._asks()})\n        call.got(*{self._blocking_status()});")
        if row.name == "Improbe":
            out.append("      call.newMessage(*message, *status, comm);")
        return [*out, "    } else\n      call.nothing();"]

    def _after(self):
        row, out = self.row, []
        if row.name in _RESULTS:
            out += ["    if (code == MPI_SUCCESS && call.awaits()) {", f"      {_RESULTS[row.name][2]}", "    }"]
        if self.polls:
            return [*out, *self._polled()]
        for p in row.parameters:
            if p.direction != "out" or p.array:
                continue
            if p.kind.name == "comm" and row.name.startswith("Comm_idup"):
                out.append(f'    if (code == MPI_SUCCESS)\n      call.laterComm("{p.name}", {p.name}, comm);')
            elif p.kind.name == "comm":
                out.append(f'    call.newComm("{p.name}", code ? MPI_COMM_NULL : *{p.name});')
            elif p.kind.name == "win":
                out.append(f'    if (code == MPI_SUCCESS)\n      call.newWindow("{p.name}", *{p.name});')
            elif p.kind.name == "request":
                is_active = "false" if row.name.endswith("_init") else "true"
                out.append(f'    call.newRequest("{p.name}", code ? nullptr : {p.name}, {is_active});')
        if self._blocking_status():
            out.append(f"    if (code == MPI_SUCCESS && {self._asks()})\n      call.got(*{self._blocking_status()});")
        if row.name == "Mprobe":
            out.append("    if (code == MPI_SUCCESS)\n      call.newMessage(*message, *status, comm);")
        return out

    def _gone(self):
        """Handles that the call takes away are remembered before it, and forgotten after it."""
        if self.row.name in ("Comm_free", "Comm_disconnect"):
            return ["    gone = *comm;"], ["    if (code == MPI_SUCCESS)\n      Tracer::ofProcess().communicators().remove(gone);"], "  MPI_Comm gone = MPI_COMM_NULL;"
        if self.row.name == "Win_free":
            return ["    gone = *win;"], ["    if (code == MPI_SUCCESS)\n      Tracer::ofProcess().windows().remove(gone);"], "  MPI_Win gone = MPI_WIN_NULL;"
        return [], [], ""

    def _recorded(self, arguments):
        before, after, declared = self._gone()
        out = [f'  Call call("MPI_{self.row.name}");', *([declared] if declared else []), "  if (call) {", *self._before(), *before]
        if self.row.name == "Abort":
            return [*out, "    call.leave();", "    Tracer::ofProcess().finish(false);", "  }", f"  return real({arguments});"]
        out += ["    call.leave();", "  }", f"  const int code = real({arguments});", "  if (call) {", "    call.back();"]
        out += [*self._after(), *after, "    call.end(code);"]
        if self.row.name == "Finalize":
            out.append("    Tracer::ofProcess().finalized();")
        return [*out, "  }", "  return code;"]

    def _begins(self, arguments):
        """MPI_Init: the call itself is told when there is something to tell it to."""
        told = [_here(f"    line.{self._argument(p)};") for p in self.row.parameters if p.kind.category == "number" and p.direction == "in"]
        return [f"  const int code = begun([&] {{ return real({arguments}); }});", f'  Call call("MPI_{self.row.name}");', "  if (call) {", *told, "    call.end(code);", "  }", "  return code;"]

    def text(self):
        row, name = self.row, self.row.name + self.suffix
        arguments = ", ".join(p.name for p in row.parameters if p.kind.category != "varargs")
        result = row.result.c_type if row.result else "int"
        lines = [f'  static const auto real = reinterpret_cast<decltype(&PMPI_{name})>(realFunction("PMPI_{name}"));']
        if row.name in ("Init", "Init_thread"):
            lines += self._begins(arguments)
        elif row.name == "Wtime":
            lines += ["  const Aside aside;", "  if (aside)\n    Tracer::ofProcess().readClock();", f"  return real({arguments});"]
        elif self.is_recorded and not row.result:
            lines += self._recorded(arguments)
        else:
            lines.append("  const Aside aside;")
            if self.traced:
                lines.append(f'  if (aside)\n    Tracer::ofProcess().leftOut("MPI_{row.name}");')
            lines.append(f"  return real({arguments});")
        declared = prototype(row, "PMPI_", bool(self.suffix))
        body = "\n".join(lines)
        alias = prototype(row, "MPI_", bool(self.suffix)).replace("(", f'(', 1)
        return f'{declared} {{\n{body}\n}}\n__attribute__((alias("PMPI_{name}"))) {alias};\n'


def _wrapped(rows, names):
    """Rows and suffixes of what this MPI has, and is not its own tools' or of the user's functions."""
    for row in rows:
        if row.chapter in ("Tools", "Conversions", "Removed") or row.has("cast") or row.has("removed") or row.name in _PLAIN:
            continue
        if row.result and row.name != "Wtime":
            continue
        if any(p.kind.category in ("function", "varargs", "f08status", "fstatus") for p in row.parameters):
            continue
        if f"PMPI_{row.name}" in names:
            yield row, ""
        if row.large and f"PMPI_{row.name}_c" in names:
            yield row, "_c"


_SOURCE = """\
#include "Line.h"
#include "Standard.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

using namespace gnomon::acquisition;

extern "C" {
"""


def source(rows, names):
    wrappers = [_Wrapper(row, suffix).text() for row, suffix in _wrapped(rows, names)]
    return f"// {LICENCE}\n// What programs call instead of a real MPI's functions. Generated.\n{_SOURCE}" + "\n".join(wrappers) + '} // extern "C"\n'


def _cases(constants, names, prefix):
    found = [c for c in constants if c.name.startswith(prefix) and c.name in names and re.fullmatch(r"-?\d+", c.value)]
    return "".join(f"  if (value == {c.name})\n    return {c.value};\n" for c in found)


def standard(constants, names):
    """Standard.h: this MPI's numbers as the standard ABI's, which simulated recordings have."""
    out = [f"// {LICENCE}", "/// \\file", "/// This MPI's numbers as those of the standard ABI. Generated.", "#pragma once", "", "#include <cstdint>", "#include <mpi.h>", ""]
    out += ["namespace gnomon::acquisition {", ""]
    for function, prefix in _ENUMERATIONS.items():
        out.append(f"inline int64_t {function}(int value) {{\n{_cases(constants, names, prefix)}  return value;\n}}\n")
    out.append("inline int64_t colorOf(int value) {\n  return value == MPI_UNDEFINED ? -32766 : value;\n}\n")
    bits = [c for c in constants if c.name.startswith("MPI_MODE_NO") and c.name in names]
    out.append("inline int64_t assertions(int value) {\n  int64_t bits = 0;\n" + "".join(f"  if (value & {c.name})\n    bits |= {c.value};\n" for c in bits) + "  return bits;\n}\n")
    classes = [c for c in constants if c.group == tables.ERROR_CLASSES and c.name in names and c.name != "MPI_SUCCESS"]
    cases = "".join(f"  if (value == {c.name})\n    return {c.value};\n" for c in classes)
    out.append(f"inline int64_t standardError(int code) {{\n  int value = code;\n  PMPI_Error_class(code, &value);\n{cases}  return value;\n}}\n")
    return "\n".join([*out, "} // namespace gnomon::acquisition", ""])


def main(source_folder, header, generated):
    _, constants, rows = tables.load(source_folder)
    names = set(re.findall(r"\bP?MPI_\w+", pathlib.Path(header).read_text(errors="replace")))
    write(pathlib.Path(generated) / "Wrappers.cpp", source(rows, names))
    write(pathlib.Path(generated) / "Standard.h", standard(constants, names))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except tables.TableError as error:
        tables.fail(error)
