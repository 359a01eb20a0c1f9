# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the C side of every MPI function: gnomon::api::X (checks, implementation, errors), and PMPI_X with its
weak name MPI_X, which hand the caller's address to it."""

from c_types import declare, declare_impl, impl_name, is_object, parameters, result_type
from emit_collectives import agreement, aliases
from emit_trace import Trace
from emit_headers import LICENCE
from emit_large import has_entry, narrowed, narrowing, widening
from tables import NEIGHBORS

_SITE = "const void *site"
_EXPORT = '__attribute__((visibility("default")))'


def _arguments(row):
    return ", ".join(p.name for p in row.parameters if p.kind.category != "varargs")


def _fixed(row, large=False):
    """Parameters of gnomon::api::X: those of MPI_X without the ellipsis, after the call's address."""
    return ", ".join([_SITE, *(declare(p, large) for p in row.parameters if p.kind.category != "varargs")])


def entries_header(rows):
    out = [f"// {LICENCE}", "/// \\file", "/// Each MPI function below its names in C and Fortran; `site` is the return address in the caller's code. Generated."]
    out += ["#pragma once", "", '#include "mpi.h"', "", "namespace gnomon::api {", ""]
    for row in rows:
        if row.has("cast"):
            continue
        out.append(f"{result_type(row)} {row.name}({_fixed(row)});")
        if has_entry(row):
            out.append(f"int {row.name}_c({_fixed(row, large=True)});")
    out += ["", "} // namespace gnomon::api", ""]
    return "\n".join(out)


class _Entry:
    """The body of gnomon::api::X, or of gnomon::api::X_c, for one implemented row."""

    def __init__(self, row, number, large=False):
        self.row, self.large = row, large
        self.number = number  # among all entries
        self.lines = []
        inputs = [p for p in row.parameters if p.direction == "in"]
        comms = [p for p in inputs if p.kind.name == "comm" and not p.array]
        self.comms = comms
        self.comm = f"{comms[0].name}Object" if comms else "nullptr"
        self.home = self.comm  # whose error handler is called
        self.early_home = self.comm  # the same before other arguments than communicators are looked at
        if row.chapter == "Files" or row.name.startswith("File_"):
            files = [p for p in inputs if p.kind.name == "file"]
            self.early_home = "NoFile"
            self.home = f"{files[0].name}Object" if files else "NoFile"
        self.rooted = any(p.kind.check == "root" for p in row.parameters)
        self.has_root_only = any(p.root_only for p in row.parameters)
        self.in_place = {p.name: p for p in row.parameters if p.kind.name == "inplace"}

    def _owner_in_place(self, parameter):
        """The MPI_IN_PLACE buffer that makes this count or type insignificant: one that no other buffer shares."""
        users = [b for b in self.row.parameters if parameter.name in (b.count, b.datatype)]
        if len(users) == 1 and users[0].name in self.in_place:
            return users[0].name
        if parameter.kind.name == "displ" and self.in_place:
            # Displacements belong to the buffer whose counts stand just before them.
            index = self.row.parameters.index(parameter)
            return self._owner_in_place(self.row.parameters[index - 1])
        return None

    def _condition(self, parameter):
        """When the parameter is significant; "" for always."""
        conditions = []
        if parameter.root_only:
            conditions.append("atRoot")
        elif self.rooted and self._belongs_to_message(parameter):
            conditions.append(self._where_not_at_root(parameter))
        if self.row.chapter == "Windows" and parameter.name.startswith("origin_") and any(p.name == "result_addr" for p in self.row.parameters):
            if any(p.kind.name == "op" for p in self.row.parameters):
                conditions.append("op != MPI_NO_OP")  # which only reads the target
        owner = self._owner_in_place(parameter)
        if owner:
            conditions.append(f"!{owner}InPlace")
        return " && ".join(conditions)

    def _belongs_to_message(self, parameter):
        buffers = [b for b in self.row.parameters if b.kind.category == "buffer"]
        return parameter in buffers or parameter.kind.name == "op" or any(parameter.name in (b.count, b.datatype) for b in buffers)

    def _where_not_at_root(self, parameter):
        """Which values of root make a parameter that is not @root significant. All do but on an intercommunicator: what
        the root shares with the others counts for all but MPI_PROC_NULL, the rest for the group that names the root."""
        users = [b for b in self.row.parameters if parameter.name in (b.name, b.count, b.datatype) and b.kind.category == "buffer"]
        shared = not self.has_root_only or parameter.kind.name == "op" or any(b.root_only for b in users)
        return "root != MPI_PROC_NULL" if shared else "root >= 0"

    def _length(self, parameter):
        if parameter.array in ("size", "peers"):
            return f"{self.comm}->{'size' if parameter.array == 'size' else 'peers'}()"
        if parameter.array in NEIGHBORS:
            return f"mpi::{NEIGHBORS[parameter.array]}(*{self.comm})"
        return "" if parameter.array == "*" else parameter.array

    def _object(self, parameter):
        name, check = parameter.name, parameter.kind.check
        nullable = ", true" if parameter.nullable else ""
        call = f'entry.{check}("{name}", {name}{nullable})'
        stand_in = {"Datatype": "insignificantType", "Op": "insignificantOp"}.get(parameter.kind.object)
        condition = self._condition(parameter) if stand_in else ""
        if condition:
            call = f"{condition} ? {call} : Entry::{stand_in}()"
        elif parameter.root_only and parameter.nullable:
            call = f"atRoot ? {call} : nullptr"
        self.lines.append(f"  mpi::{parameter.kind.object} *const {name}Object = {call};")

    def _check(self, parameter):
        name, check = parameter.name, parameter.kind.check
        if parameter.kind.category == "buffer":
            counted = next((p for p in self.row.parameters if p.name == parameter.count), None)
            if not counted or counted.array:
                return
            method = "bufferOrInPlace" if parameter.kind.name == "inplace" else "buffer"
            statement = f'entry.{method}("{name}", {name}, {parameter.count}, {parameter.datatype}Object);'
            if self.large and counted.kind.c_type != counted.kind.large_c_type:
                statement += f' entry.fits("{counted.name}", {counted.name}, {parameter.datatype}Object);'
        elif parameter.array:
            length = self._length(parameter)
            if not length:
                return
            if parameter.direction == "in" and check in ("count", "datatype", "anytype"):
                statement = f'entry.{check}s("{name}", {name}, {length});'
            elif parameter.kind.category in ("handle", "number", "logical"):
                statement = f'entry.array("{name}", {name}, {length});'
            else:
                return
        elif parameter.direction != "in":
            if parameter.kind.category not in ("handle", "number", "logical", "index", "string"):
                return
            if parameter.nullable and parameter.kind.category == "string":
                return  # no room for text is no error, the call tells its length
            statement = f'entry.result("{name}", {name});'
        elif check in ("dest", "source", "rank", "root"):
            statement = f'entry.{check}("{name}", {name}, *{self.comm});'
        elif check and parameter.kind.category in ("number", "string"):
            statement = f'entry.{check}("{name}", {name});'
        else:
            return
        condition = self._condition(parameter)
        self.lines.append(f"  if ({condition}) {{\n    {statement}\n  }}" if condition else f"  {statement}")

    def _call(self, call):
        """The implementation's call, with the lines of --comm-trace around it when the call communicates."""
        trace = Trace(self.row, self._condition, self._length)
        agreed = agreement(self.row)
        before, after = ([], []) if self.large else (widening(self.row), narrowing(self.row))
        behind = self._agreement_end() if agreed else []
        plain = [] if after else trace.plain(call, self.home, 2 * self.number, behind)
        self.lines += [*agreed, *before, *plain, *trace.before()]
        told = trace.traced or trace.polls
        if not told and not agreed and not after:
            self.lines.append(f"  return entry.finish({call}, {self.home});")
            return
        self.lines.append(f"  const int code = {call};")
        self.lines += [*after, *(trace.after() if told else [])]
        self.lines += behind
        self.lines.append(f"  return entry.finish(code, {self.home});")

    def _agreement_end(self):
        """After a collective's call: a request takes over, or what differs is the call's error."""
        if any(p.kind.name == "request" for p in self.row.parameters) and not self.row.name.endswith("_init"):
            return ["  if (code == MPI_SUCCESS)\n    agreement.handOver(*mpi::find<mpi::Request>(entry.rank(), *request));"]
        return [f"  if (agreement.differs()) [[unlikely]]\n    return entry.disagree(agreement.difference(), *{self.comm});"]

    def text(self):
        row, suffix = self.row, "_c" * self.large
        when = ", Entry::When::Anytime" if row.has("anytime") else ""
        self.lines.append(f'  Entry entry("MPI_{row.name}{suffix}", site{when});')
        for parameter in self.comms:
            self._object(parameter)
        if self.comms or not row.has("anytime"):
            self.lines.append(f"  if (entry.failed())\n    return entry.finish({self.early_home});")
        for parameter in row.parameters:
            if parameter.kind.check == "root":
                self._check(parameter)
        if self.has_root_only:
            self.lines.append(f"  const bool atRoot = Entry::atRoot(root, *{self.comm});")
        for name in self.in_place:
            if any(self._owner_in_place(p) == name for p in row.parameters):
                self.lines.append(f"  const bool {name}InPlace = inPlace({name});")
        for parameter in row.parameters:
            if is_object(parameter) and parameter not in self.comms:
                self._object(parameter)
        for parameter in row.parameters:
            if not is_object(parameter) and parameter.kind.check != "root":
                self._check(parameter)
        self.lines += aliases(row, self._condition, self._length)
        self.lines.append(f"  if (entry.failed())\n    return entry.finish({self.home});")
        arguments = [self._argument(p) for p in row.parameters if p.kind.category != "varargs"]
        if row.has("form"):
            arguments.append(f"mpi::CountForm::{'Large' if self.large else 'Plain'}")
        self._call(f"impl::{impl_name(row)}({', '.join(arguments)})")
        return f"int {row.name}{suffix}({_fixed(row, self.large)}) {{\n" + "\n".join(self.lines) + "\n}\n"

    def _argument(self, parameter):
        """What the implementation gets."""
        if is_object(parameter):
            return f"{'' if parameter.nullable else '*'}{parameter.name}Object"
        return f"&{parameter.name}Large" if not self.large and parameter in narrowed(self.row) else parameter.name


def _unsupported(row, large=False):
    """A row without an implementation still raises on the right communicator."""
    comm = next((p for p in row.parameters if p.kind.name == "comm" and p.direction == "in" and not p.array), None)
    suffix = "_c" if large else ""
    lines = [f'  Entry entry("MPI_{row.name}{suffix}", site, Entry::When::Anytime);']
    argument = f'entry.comm("{comm.name}", {comm.name})' if comm else "nullptr"
    lines.append(f"  return entry.unsupported({argument});")
    return f"int {row.name}{suffix}({_fixed(row, large)}) {{\n" + "\n".join(lines) + "\n}\n"


def _tool(row):
    """A function of the tools interface: the implementation checks its arguments, and no error handler is called."""
    lines = [f'  Entry entry("MPI_{row.name}", site, Entry::When::Anytime);']
    arguments = []
    for parameter in row.parameters:
        if is_object(parameter):
            name, kind = parameter.name, parameter.kind
            lines.append(f'  mpi::{kind.object} *const {name}Object = entry.{kind.check}("{name}", {name}, true);')
            arguments.append(f"{name}Object")
        else:
            arguments.append(parameter.name)
    lines.append(f"  return impl::{impl_name(row)}({', '.join(arguments)});")
    return f"int {row.name}({_fixed(row)}) {{\n" + "\n".join(lines) + "\n}\n"


def _with_result(row):
    """A function whose result is no error code (MPI_Wtime): nothing to check."""
    arguments = _arguments(row)
    return (
        f"{result_type(row)} {row.name}({_fixed(row)}) {{\n"
        f'  Entry entry("MPI_{row.name}", site, Entry::When::Anytime);\n'
        f"  return impl::{impl_name(row)}({arguments});\n}}\n"
    )


def _names(row, large=False):
    """PMPI_X and its weak alias MPI_X."""
    suffix = "_c" if large else ""
    result, name = result_type(row), row.name + suffix
    arguments = _arguments(row)
    if row.has("cast"):
        source = row.parameters[0].name
        cast = "toHandle" if row.result.category == "handle" else "toInteger"
        body = f"return gnomon::api::{cast}<{result}>({source});"
    else:
        call = ", ".join(["__builtin_return_address(0)", *([arguments] if arguments else [])])
        body = f"return gnomon::api::{name}({call});"
    declaration = parameters(row, large)
    return (
        f"{_EXPORT} {result} PMPI_{name}({declaration}) {{ {body} }}\n"
        f'__attribute__((visibility("default"), weak, alias("PMPI_{name}"))) {result} MPI_{name}({declaration});\n'
    )


_PREAMBLE = """\
#include "api/Casts.h"
#include "api/CommTrace.h"
#include "api/Entries.h"
#include "api/Entry.h"
#include "api/Large.h"
#include "api/PlainCall.h"
#include "api/Recorder.h"
#include "impl/Impl.h"
#include "mpi/comm/CollectiveLedger.h"
#include "mpi/request/Message.h"

#include <array>
#include <numeric>
#include <span>
"""


def entries_source(rows, chapter):
    numbers = {row.name: 2 * number for number, row in enumerate(rows)}
    rows = [row for row in rows if row.chapter == chapter]
    windows = '#include "rma/Window.h"\n' if any(p.kind.name == "win" for row in rows for p in row.parameters) else ""
    out = [f"// {LICENCE}", f"// The C entries of the chapter {chapter}. Generated.", _PREAMBLE + windows, "namespace gnomon::api {", ""]
    for row in rows:
        if not row.has("cast"):
            implemented = _tool if chapter == "Tools" else lambda row: _Entry(row, numbers[row.name]).text()
            out.append(_with_result(row) if row.result else implemented(row) if row.implemented else _unsupported(row))
        if row.large:
            out.append(_Entry(row, numbers[row.name] + 1, large=True).text() if has_entry(row) else "static " + _unsupported(row, large=True))
    out += ["} // namespace gnomon::api", "", 'extern "C" {']
    for row in rows:
        out.append(_names(row))
        if row.large:
            out.append(_names(row, large=True))
    out += ['} // extern "C"', ""]
    return "\n".join(out)
