# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what an entry tells the trace of communication (runtime/api/CommTrace.h): its arguments before the
implementation runs, its results after."""

from effects import effect, timing

# What a wait completes depends on what was polled before: the requests are not told.
_WAITS = {"Wait", "Waitall"}


class Trace:
    """The statements of one row around its call. `condition` gives when a parameter is significant, `length` how many
    elements an array has, both as C++ text."""

    def __init__(self, row, condition, length):
        self.row, self.condition, self.length = row, condition, length
        self.traced = effect(row) != "Local" and not timing(row)
        self.counts = {name for p in row.parameters for name in (p.count, p.datatype) if name}
        self.statuses = [p for p in row.parameters if p.kind.name == "status" and p.direction == "out"]
        self.messages = [p for p in row.parameters if p.kind.name == "message" and p.direction == "inout"]

    def _named(self, name):
        return next((p for p in self.row.parameters if p.name == name), None)

    def _payload(self, p):
        count, datatype = self._named(p.count), self._named(p.datatype)
        if not count or not datatype:
            return None
        if not count.array:
            return f'payload("{p.name}", {p.name}, {count.name}, {datatype.name}Object)'
        length = self.length(count)
        types = datatype.name if datatype.array else f"{datatype.name}Object"
        return length and f'payloads("{p.name}", {p.name}, {count.name}, {types}, {length})'

    def _requests(self, p):
        if self.row.name in _WAITS:
            return None
        array = p.array and self.length(p)
        address = p.name if array or p.direction == "inout" else f"&{p.name}"
        return f'requests("{p.name}", {address}, {array or 1})'

    def _number(self, p):
        if p.kind.name in ("displ", "bytedispl", "range") or p.kind.c_type == "MPI_Offset":
            return None
        if not p.array:
            return f'number("{p.name}", {p.name})'
        length = self.length(p)
        return length and p.kind.c_type == "int" and f'numbers("{p.name}", {p.name}, {length})'

    def _argument(self, p):
        """The call that tells one argument; nothing for what decides nothing."""
        name, kind, category = p.name, p.kind.name, p.kind.category
        if kind == "request" and p.direction != "out":
            return self._requests(p)
        if category == "buffer":
            return self._payload(p)
        if kind == "win" and p.direction == "inout":
            found = f"mpi::find<mpi::Win>(entry.rank(), *{name})"
            return f'number("{name}", {found} ? {found}->number : 0)'
        if p.direction != "in" or name in self.counts:
            return "comm" == kind and p.direction == "inout" and f'comm("{name}", mpi::find<mpi::Comm>(entry.rank(), *{name}))'
        if kind in ("dest", "source", "target", "root"):
            return f'peer("{name}", {name})'
        if kind in ("tag", "anytag"):
            return f'tag("{name}", {name})'
        if kind == "win":
            return f'number("{name}", {name}Object->number)'
        if kind in ("comm", "op") and not p.array:
            return f'{kind}("{name}", {name}Object)'
        return self._number(p) if category in ("number", "logical") else None

    def _blocking_status(self):
        """The status of a blocking receive or probe: its caller may not ask for it, the trace does."""
        return self.statuses[0].name if self.row.chapter == "PointToPoint" and self.statuses else None

    def before(self):
        if not self.traced:
            return []
        out = ["  CallLine line(entry.rank());"]
        status = self._blocking_status()
        if status:
            out.append("  MPI_Status traced;")
        out.append("  if (line) [[unlikely]] {")
        for p in self.row.parameters:
            told = self._argument(p)
            condition = self.condition(p) if told and (p.root_only or p.kind.category == "buffer") else ""
            if p.kind.name == "targetdisp":
                condition = "winObject->hasDisplacements()"  # else it is an address
            if told:
                out.append(f"    if ({condition})\n      line.{told};" if condition else f"    line.{told};")
        if status:
            out.append(f"    if (!{status})\n      {status} = &traced;")
        if self.row.name == "Abort":
            out.append("    line.end(MPI_SUCCESS);")
        return [*out, "  }"]

    def after(self):
        out = ["  if (line) [[unlikely]] {"]
        for p in self.row.parameters:
            if p.direction != "out" or p.array:
                continue
            if p.kind.name == "comm":
                out.append(f'    line.newComm("{p.name}", code ? MPI_COMM_NULL : *{p.name});')
            elif p.kind.name == "win":
                out.append(f"    if (code == MPI_SUCCESS)\n      line.number(\"{p.name}\", entry.win(\"{p.name}\", *{p.name})->number);")
            elif p.kind.name == "request":
                matched = "true" if self.messages else "false"
                out.append(f'    line.newRequest("{p.name}", code ? MPI_REQUEST_NULL : *{p.name}, {matched});')
        if self.row.name == "Start":
            out.append("    line.started({request, 1});")
        elif self.row.name == "Startall":
            out.append("    line.started({array_of_requests, static_cast<size_t>(count)});")
        status = self._blocking_status()
        if status:
            out.append(f"    if (code == MPI_SUCCESS)\n      line.got(*{status}, {'true' if self.messages else 'false'});")
        return [*out, "    line.end(code);", "  }"]
