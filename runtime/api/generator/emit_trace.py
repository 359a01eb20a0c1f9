# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what an entry tells those who record a run (runtime/api/CommTrace.h, CallLine): its arguments before the
implementation runs, its results after."""

from effects import effect, timing

# What a wait completes depends on what was polled before: the trace of communication does not tell the requests.
_WAITS = {"Wait", "Waitall"}
# Polls, and waits for some of several: which requests a call has completed, as C++ spans of indices, when it has completed any.
_COMPLETED = {
    "Test": ("*flag", "std::array{0}"),
    "Testall": ("*flag", None),
    "Testany": ("*flag && *indx != MPI_UNDEFINED", "std::array{*indx}"),
    "Waitany": ("*indx != MPI_UNDEFINED", "std::array{*indx}"),
    "Testsome": ("*outcount > 0", "std::span(array_of_indices, static_cast<size_t>(*outcount))"),
    "Waitsome": ("*outcount > 0", "std::span(array_of_indices, static_cast<size_t>(*outcount))"),
}
# Probes, and when they have found a message.
_PROBES = {"Iprobe": "*flag", "Improbe": "*flag"}
# Other polls, told when they have found what they asked for.
_FOUND = {"Win_test": "*flag"}
# Calls that start ranks: the info of each command.
_SPAWNED = {
    "Comm_spawn": "{&info, 1}",
    "Comm_spawn_multiple": "{array_of_info, static_cast<size_t>(count)}",
}
# Arrays of weights: whether there are any.
_WEIGHTS = {"weights", "sourceweights", "destweights"}
# Lengths of arrays that no parameter gives.
_LENGTHS = {
    ("Cart_sub", "remain_dims"): "commObject->topology && commObject->topology->grid() ? commObject->topology->grid()->dimensions() : 0",
    ("Graph_create", "edges"): "nnodes > 0 ? indx[nnodes - 1] : 0",
    ("Dist_graph_create", "destinations"): "std::accumulate(degrees, degrees + n, 0)",
}


def _plain_if(conditions):
    """A recorder that alone listens, where the conditions hold."""
    asked = f"; recorder && {' && '.join(conditions)}" if conditions else ""
    return f"  if (Recorder *const recorder = CallLine::plainRecorder(){asked}) [[unlikely]] {{"


def _holds(condition, conditions):
    """Whether what makes a parameter significant follows from the conditions."""
    return all(part in conditions or (part == "root != MPI_PROC_NULL" and "root >= 0" in conditions) for part in condition.split(" && ") if part)


class Trace:
    """The statements of one row around its call. `condition` gives when a parameter is significant, `length` how many
    elements an array has, both as C++ text."""

    def __init__(self, row, condition, length):
        self.row, self.condition, self.length = row, condition, length
        self.traced = effect(row) != "Local" and not timing(row)
        self.counts = {name for p in row.parameters for name in (p.count, p.datatype) if name}
        self.statuses = [p for p in row.parameters if p.kind.name == "status" and p.direction == "out"]
        self.messages = [p for p in row.parameters if p.kind.name == "message" and p.direction == "inout"]
        # Told to a recording only: what the call found, when it found something.
        self.polls = row.name in _COMPLETED or row.name in _PROBES or row.name in _FOUND

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
        array = p.array and self.length(p)
        address = p.name if array or p.direction == "inout" else f"&{p.name}"
        if self.row.name in _COMPLETED:
            return f"waitsForSome({address}, {array or 1})"
        told = "waitsFor" if self.row.name in _WAITS else "requests" if array else "request"
        return f'{told}("{p.name}", {address}, {array})' if array else f'{told}("{p.name}", {address})'

    def _number(self, p):
        if p.kind.name in ("displ", "bytedispl", "range") or p.kind.c_type == "MPI_Offset":
            return None
        if not p.array:
            return f'number("{p.name}", {p.name})'
        length = self.length(p)
        if p.name in _WEIGHTS:
            return f'flag("{p.name}", {p.name} != MPI_UNWEIGHTED)'
        if (self.row.name, p.name) in _LENGTHS:
            return f'more("{p.name}", {p.name}, {_LENGTHS[self.row.name, p.name]})'
        return length and p.kind.c_type == "int" and f'numbers("{p.name}", {p.name}, {length})'

    def _file_argument(self, p):
        """The same of what only calls on files have."""
        name, kind = p.name, p.kind.name
        if kind == "file" and p.direction != "out":
            found = f"{name}Object" if p.direction == "in" else f"mpi::find<mpi::File>(entry.rank(), *{name})"
            return f'file("{name}", {found})'
        if kind == "offset" and p.direction == "in":
            return f'place("{name}", {name})'
        if kind == "string" and name == "filename":
            return f'path("{name}", {name})'
        if kind == "info" and p.direction == "in":
            return f'hints("{name}", {name}Object)'
        if self.row.name == "File_set_view" and name == "filetype":
            return "view(fhObject, etypeObject, filetypeObject, datarep)"
        return None

    def _argument(self, p):
        """The call that tells one argument; nothing for what decides nothing."""
        name, kind, category = p.name, p.kind.name, p.kind.category
        if kind == "string" and name == "stringtag":
            return f'text("{name}", {name})'
        if kind == "string" and self.row.name in ("Comm_accept", "Comm_connect"):
            return f'text("{name}", commObject->rank() == root ? {name} : "")'
        if self.row.chapter == "Files":
            told = self._file_argument(p)
            if told or self.row.name == "File_set_view":
                return told
        if kind == "request" and p.direction != "out":
            return self._requests(p)
        if category == "buffer":
            return self._payload(p)
        if kind == "win" and p.direction == "inout":
            found = f"mpi::find<mpi::Win>(entry.rank(), *{name})"
            return f'number("{name}", {found} ? {found}->number : 0)'
        if kind == "datatype" and not p.array and not any(name == b.datatype for b in self.row.parameters):
            return f'element("{name}", {name}Object)'
        if kind == "message" and p.direction == "inout":
            return f'message("{name}", mpi::find<mpi::Message>(entry.rank(), *{name}))'
        if kind == "group" and p.direction == "in" and not p.array:
            return f'group("{name}", {name}Object)'
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

    def _plain_fields(self, conditions):
        """What a call tells whose records have the same fields whenever \p conditions hold, as (name, kind, C++ text of the value);
        None of other calls, and of those whose arguments depend on others."""
        fields = []
        for p in self.row.parameters:
            told = self._argument(p)
            if not told or not self._is_told(p, conditions):
                continue
            if p.kind.category == "buffer" and not self._named(p.count).array:
                type_ = f"{p.datatype}Object"
                fields += [(p.name, "Count", f"countOf({p.name}, {p.count})"), (p.name, "Size", f"sizeOf({p.name}, {type_})")]
            elif p.kind.name in ("dest", "source", "root"):
                fields.append((p.name, "Peer", f"peerOf({p.name})"))
            elif p.kind.name in ("tag", "anytag"):
                fields.append((p.name, "Tag", f"tagOf({p.name})"))
            elif p.kind.name == "comm":
                fields.append((p.name, "Comm", f"recorder->rowOf({p.name}Object)"))
            elif p.kind.name == "op":
                fields.append((p.name, "Text", f"recorder->textOf(*{p.name}Object)"))
            else:
                return None
        return fields

    def _is_told(self, p, conditions):
        return p.kind.category != "buffer" or _holds(self.condition(p), conditions)

    def _plain_conditions(self):
        """Under which conditions, each a tuple of C++ texts, the call has a plain form; none for most calls. A rooted collective has
        one at its root and one at the others; ranks of an intercommunicator that have neither are told as any call is."""
        makes = any(p.kind.name in ("comm", "file", "win") and p.direction == "out" for p in self.row.parameters)
        if not self.traced or self.messages or makes:
            return []
        if self.row.chapter == "Collectives" and any(p.kind.name == "comm" for p in self.row.parameters):
            buffers = [self.condition(p) for p in self.row.parameters if p.kind.category == "buffer"]
            rooted = any(p.kind.name == "root" for p in self.row.parameters)
            found = [()] if not rooted else [("root >= 0", "atRoot"), ("root >= 0", "!atRoot")] if "atRoot" in buffers else [("root >= 0",)]
        else:
            found = [()] if not any(self.condition(p) for p in self.row.parameters) else []
            found = [each for each in found if any(kind == "Peer" for _, kind, _ in self._plain_fields(each) or [])]
        return [each for each in found if self._plain_fields(each)]

    def plain(self, call, home, place, behind):
        """The calls of an entry that has PlainForms, where the Recorder alone listens. `place` is the first one's place among all
        forms; `behind` are statements between the call and the entry's end."""
        waits = self.row.name in _WAITS
        if not waits:
            return [line for i, conditions in enumerate(self._plain_conditions())
                    for line in self._plain_call(call, home, place + i, behind, conditions)]
        few = ["count <= MostPlainRequests"] if self.row.name == "Waitall" else []
        told = self._plain_wait(place) if self.row.name == "Wait" else self._plain_waitall(place)
        return [_plain_if(few), *told, f"    const int code = {call};", *self._plain_end(), f"    return entry.finish(code, {home});", "  }"]

    def _plain_call(self, call, home, place, behind, conditions):
        made = [p for p in self.row.parameters if p.kind.name == "request" and p.direction == "out"]
        asked = [f"{p.name} != MPI_ANY_{'SOURCE' if p.kind.name == 'source' else 'TAG'}"
                 for p in self.row.parameters if p.kind.name in ("source", "anytag")]
        fields = [*self._plain_fields(conditions), *((p.name, "Request", "0") for p in made)]
        out = [_plain_if([*conditions, *asked]), self._plain_form([(name, kind, False) for name, kind, _ in fields], place),
               f"    {'' if made else 'const '}std::array<int64_t, {len(fields)}> told{{{', '.join(value for _, _, value in fields)}}};",
               f"    const int code = {call};"]
        if made:
            out.append(f"    told.back() = recorder->takeSlot(entry.rank(), code ? MPI_REQUEST_NULL : *{made[0].name});")
        return [*out, "    recorder->tell(entry.rank(), form, told, code);", *("  " + line.replace("\n", "\n  ") for line in behind),
                f"    return entry.finish(code, {home});", "  }"]

    def _plain_form(self, fields, place):
        told = ", ".join(f'{{"{name}", trace::Kind::{kind}{", true" if is_list else ""}}}' for name, kind, is_list in fields)
        return (f"    static constexpr PlainField fields[] = {{{told}}};\n"
                f'    static constexpr PlainForm form{{"MPI_{self.row.name}", fields, {place}}};')

    def _plain_wait(self, place):
        return [self._plain_form([("request", "Request", False)], place),
                "    const std::array told{Recorder::slotOf(entry.rank(), *request)};"]

    def _plain_waitall(self, place):
        return [self._plain_form([("count", "Number", False), ("array_of_requests", "Request", True)], place),
                "    std::array<int64_t, MostPlainRequests + 2> told;",
                "    told[0] = told[1] = count;",
                "    for (int i = 0; i < count; ++i)",
                "      told[i + 2] = Recorder::slotOf(entry.rank(), array_of_requests[i]);"]

    def _plain_end(self):
        if self.row.name == "Wait":
            return ["    recorder->releaseEnded(entry.rank(), request, told);", "    recorder->tell(entry.rank(), form, told, code);"]
        return ["    const std::span values(told.data(), static_cast<size_t>(count) + 2);",
                "    recorder->releaseEnded(entry.rank(), array_of_requests, values.subspan(2));",
                "    recorder->tell(entry.rank(), form, values, code);"]

    def before(self):
        if not self.traced and not self.polls:
            return []
        out = ["  CallLine line(entry.rank());" if self.traced else "  CallLine line(entry.rank(), CallLine::Told::Polls);"]
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

    def _found(self):
        """What a poll tells after its call."""
        out = ["  if (line) [[unlikely]] {"]
        if self.row.name in _FOUND:
            return [*out, f"    if (code != MPI_SUCCESS || !({_FOUND[self.row.name]}))", "      line.nothing();", "    line.end(code);", "  }"]
        if self.row.name in _PROBES:
            out += [f"    if (code == MPI_SUCCESS && {_PROBES[self.row.name]})", f"      line.got(*{self._blocking_status()}, true);"]
        else:
            found, which = _COMPLETED[self.row.name]
            count = next((p.name for p in self.row.parameters if p.kind.name == "nonneg"), "1")
            out += [f"    if (code == MPI_SUCCESS && {found})", f"      line.completed({which});" if which else f"      line.completedAll({count});"]
        return [*out, "    else", "      line.nothing();", "    line.end(code);", "  }"]

    def after(self):
        if self.polls:
            return self._found()
        out = ["  if (line) [[unlikely]] {"]
        for p in self.row.parameters:
            if p.kind.name == "file" and p.direction == "inout":
                out.append(f"    line.closed(*{p.name} == MPI_FILE_NULL);")
            if p.direction != "out" or p.array:
                continue
            if p.kind.name == "file":
                out.append(f'    line.newFile("{p.name}", code ? MPI_FILE_NULL : *{p.name});')
            elif p.kind.name == "comm":
                out.append(f'    line.newComm("{p.name}", code ? MPI_COMM_NULL : *{p.name});')
            elif p.kind.name == "win":
                out.append(f"    if (code == MPI_SUCCESS)\n      line.number(\"{p.name}\", entry.win(\"{p.name}\", *{p.name})->number);")
            elif p.kind.name == "request":
                matched = "true" if self.messages else "false"
                out.append(f'    line.newRequest("{p.name}", code ? MPI_REQUEST_NULL : *{p.name}, {matched});')
        if self.row.name in _SPAWNED:
            out.append(f"    if (code == MPI_SUCCESS && atRoot)\n      line.spawned(*intercomm, {_SPAWNED[self.row.name]});")
        if self.row.name == "Start":
            out.append("    line.started({request, 1});")
        elif self.row.name == "Startall":
            out.append("    line.started({array_of_requests, static_cast<size_t>(count)});")
        status = self._blocking_status()
        if status:
            out.append(f"    if (code == MPI_SUCCESS)\n      line.got(*{status}, {'true' if self.messages else 'false'});")
        return [*out, "    line.end(code);", "  }"]
