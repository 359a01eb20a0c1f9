# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes how records of a trace are played (runtime/replay/Call.h): for each function of MPI that communicates, a
function that takes its arguments from a record's fields, named as emit_trace.py tells them, and calls the
implementation. Functions with arguments that a record cannot give are left out: replay refuses them by name."""

from c_types import impl_name
from effects import effect, timing
from emit_headers import LICENCE
from tables import NEIGHBORS

_CHAPTERS = {"PointToPoint", "Requests", "Collectives", "Communicators", "Topologies", "Windows", "Partitioned", "Files", "Processes"}
_NUMBERS = {"int", "nonneg", "ndims", "rank", "logical"}
_LONG_NUMBERS = {"size", "dispunit", "targetdisp", "largecount", "offset"}
# Arrays of weights, of which only is told whether there are any, and the arrays that are as long.
_WEIGHTS = {"weights": "destinations", "sourceweights": "sources", "destweights": "destinations"}


class _Unplayable(Exception):
    """A parameter that a record does not give."""


class _Handler:
    def __init__(self, row):
        self.row = row
        self.fields = []
        self.lines, self.after = [], []
        self.buffers = [p for p in row.parameters if p.kind.name in ("buffer", "inplace")]
        self.requests = [p for p in row.parameters if p.kind.name == "request" and p.direction == "out"]
        self.counts_at_target = any(p.name == "target_count" for p in row.parameters)

    def _field(self, *names):
        self.fields += names
        return len(self.fields) - len(names)

    def _comm(self):
        return next(f"{p.name}" for p in self.row.parameters if p.kind.name == "comm" and p.direction == "in")

    def _length(self, parameter):
        if parameter.array in ("size", "peers"):
            return f"{self._comm()}.{parameter.array}()"
        if parameter.array in NEIGHBORS:
            return f"mpi::{NEIGHBORS[parameter.array]}({self._comm()})"
        return "0" if parameter.array == "*" else parameter.array

    def _pieces(self, name):
        """The buffers that a count or type belongs to; the record gives it with each that is no MPI_IN_PLACE."""
        pieces = [p.name for p in self.buffers if name in (p.count, p.datatype)]
        if not pieces:
            raise _Unplayable
        return pieces[0] if len(pieces) == 1 else f"({pieces[0]}.given ? {pieces[0]} : {pieces[1]})"

    def _slot(self):
        return "slot" if self.requests else "0"

    def _array(self, p):
        """What counts, displacements and other arrays are."""
        if p.name in _WEIGHTS:
            return f"player.weights(call.number({self._field(p.name)}), call.list({self.fields.index(_WEIGHTS[p.name])}).size())"
        if p.kind.name in ("count", "elements"):
            piece = self._pieces(p.name)
            return f"player.counts({piece}, {piece}.given ? {self._length(p)} : 0, {self._slot()})"
        if p.kind.name in ("displ", "bytedispl", "aint"):
            return f"player.zeros({self._length(p)}, {self._slot()})"
        if p.kind.name == "datatype":
            piece = self._pieces(p.name)
            return f"player.types({piece}, {piece}.given ? {self._length(p)} : 0, {self._slot()})"
        if p.kind.name in _NUMBERS and p.kind.c_type == "int":
            return f"player.ints(call.list({self._field(p.name)}), {self._length(p)})"
        raise _Unplayable

    def _request(self, p):
        field = self._field(p.name)
        if p.direction == "out":
            self.lines.append(f"  MPI_Request {p.name} = MPI_REQUEST_NULL;")
            self.after.append(f"  player.keepRequest(call.number({field}), {p.name});")
            return f"&{p.name}"
        if p.array:
            self.after.append(f"  player.takeBack(call.list({field}));")
            return f"player.requests(call.list({field}))"
        return f"{'player.requestObject' if p.direction == 'in' else 'player.request'}(call.number({field}))"

    def _comm_argument(self, p):
        if p.direction == "out":
            self.lines.append(f"  MPI_Comm {p.name} = MPI_COMM_NULL;")
            self.after.append(f"  player.keepComm(call.number({self._field(p.name)}), {p.name});")
            return f"&{p.name}"
        if p.direction == "inout":
            return f"player.commHandle(call.number({self._field(p.name)}))"
        return p.name

    def _win(self, p):
        field = self._field(p.name)
        if p.direction == "out":
            self.lines.append(f"  MPI_Win {p.name} = MPI_WIN_NULL;")
            self.after.append(f"  player.keepWin(call.number({field}), {p.name});")
            return f"&{p.name}"
        return f"player.winHandle(call.number({field}))" if p.direction == "inout" else p.name

    def _file(self, p):
        if p.direction == "out":
            raise _Unplayable  # MPI_File_open
        return f"player.fileHandle(call.number({self._field(p.name)}))" if p.direction == "inout" else p.name

    def _argument(self, p):
        name, kind = p.name, p.kind.name
        if kind == "file":
            return self._file(p)
        if self.row.chapter == "Files" and kind == "info" and p.direction == "in":
            return f"player.hints(call.list({self._field(name)}))"
        if self.counts_at_target and name in ("target_count", "target_datatype"):
            return "target.count" if name == "target_count" else "player.type(target)"
        if kind == "comm" and not p.array:
            return self._comm_argument(p)
        if kind == "request":
            return self._request(p)
        if kind == "win":
            return self._win(p)
        if kind == "memory":
            return "process::fold::nowhere()"
        if kind == "address" and p.direction == "out":
            self.lines.append(f"  void *{name} = nullptr;")
            return f"&{name}"
        if p in self.buffers:
            return f"Player::address({name})"
        if kind == "status":
            return "MPI_STATUSES_IGNORE" if p.array else "MPI_STATUS_IGNORE"
        if p.direction != "in":
            raise _Unplayable
        if p.array:
            return self._array(p)
        if kind == "datatype":
            if not any(name == b.datatype for b in self.buffers):
                return f"player.replay().type(call.number({self._field(name + '.size')}))"
            return f"player.type({self._pieces(name)})"
        if kind == "size" and self.row.chapter == "Windows":
            return f"player.replay().windowBytes(call.number({self._field(name)}))"
        if kind in _LONG_NUMBERS and not any(name == b.count for b in self.buffers):
            return f"call.number({self._field(name)})"
        if kind == "target":
            return f"player.peer(call.number({self._field(name)}), win.comm())"
        if kind in ("count", "largecount", "elements"):
            return f"{self._pieces(name)}.count" if any(name == b.count for b in self.buffers) else f"static_cast<int>(call.number({self._field(name)}))"
        if kind == "op":
            return f"player.op(call.number({self._field(name)}))"
        if kind == "group":
            return f"const_cast<mpi::Group &>(player.group(call.number({self._field(name)})))"
        if kind == "string" and name == "stringtag":
            return f"player.replay().text(call.number({self._field(name)})).c_str()"
        if kind == "errhandler":
            return "mpi::predefinedErrhandler(mpi::Errhandler::Action::Return)"
        if kind == "info" and p.nullable:
            return "nullptr"
        if kind in ("dest", "source"):
            return f"player.peer(call.number({self._field(name)}), {self._comm()})"
        if kind == "root":
            return f"player.root(call.number({self._field(name)}), {self._comm()})"
        if kind in ("tag", "anytag"):
            return f"Player::{'tag' if kind == 'tag' else 'receivedTag'}(call.number({self._field(name)}))"
        if kind in _NUMBERS:
            return name
        raise _Unplayable

    def _takes_whatever_comes(self, p):
        """A receive from another rank, whose call may have another name than the send's."""
        return self.row.chapter == "PointToPoint" and p.direction == "out"

    def _locals(self):
        """What several arguments ask for: communicators, buffers, numbers, and the new request's slot."""
        for p in self.row.parameters:
            if p.kind.name == "comm" and p.direction == "in" and not p.array:
                field = self._field(p.name)
                found = f"player.commOrNull(call.number({field}))" if p.nullable else f"player.comm(call.number({field}))"
                self.lines.append(f"  mpi::Comm {'*' if p.nullable else '&'}{p.name} = {found};")
            elif p.kind.name == "win" and p.direction == "in":
                self.lines.append(f"  mpi::Win &{p.name} = player.win(call.number({self._field(p.name)}));")
            elif p.kind.name == "file" and p.direction == "in":
                self.lines.append(f"  mpi::File &{p.name} = player.file(call.number({self._field(p.name)}));")
            elif p in self.buffers and not p.count:
                self.lines.append(f"  const Piece {p.name} = {{}};")
            elif p in self.buffers:
                piece = "receivedPiece" if self._takes_whatever_comes(p) else "piece"
                self.lines.append(f"  const Piece {p.name} = call.{piece}({self._field(p.name + '.count', p.name + '.size')});")
            elif p.name == "target_count":
                self.lines.append(f"  const Piece target = call.piece({self._field('target_count', 'target_datatype.size')});")
            elif p.kind.name in _NUMBERS and p.direction == "in" and not p.array:
                self.lines.append(f"  const auto {p.name} = static_cast<int>(call.number({self._field(p.name)}));")
        if self.requests and any(p.array for p in self.row.parameters):
            self.lines.append(f"  const int64_t slot = call.number({self._field(self.requests[0].name)});")
            self.lines.append("  player.reuse(slot);")

    def text(self):
        name = self.row.name
        self._locals()
        arguments = [self._argument(p) for p in self.row.parameters]
        unused = "[[maybe_unused]] " if not self.fields else ""
        out = []
        if self.fields:
            out = [f"constexpr const char *{name}Fields[] = {{{', '.join(f'{chr(34)}{f}{chr(34)}' for f in self.fields)}}};"]
        out.append(f"int play{name}(Player &player, {unused}const Call &call) {{")
        call = f"impl::{impl_name(self.row)}({', '.join(arguments)})"
        self.names = f"{name}Fields" if self.fields else "{}"
        if not self.after:
            return "\n".join([*out, *self.lines, f"  return {call};", "}", ""])
        kept = ["  if (code != MPI_SUCCESS)", "    return code;", *self.after, "  return MPI_SUCCESS;"]
        return "\n".join([*out, *self.lines, f"  const int code = {call};", *kept, "}", ""])


def _played(rows):
    for row in rows:
        if (row.chapter in _CHAPTERS or row.name == "Comm_create_from_group") and row.implemented and not row.result and effect(row) != "Local" and not timing(row):
            try:
                handler = _Handler(row)
                yield handler, handler.text()
            except _Unplayable:
                pass


_PREAMBLE = """\
// How records of each function of MPI are played. Generated.
#include "impl/Impl.h"
#include "io/File.h"
#include "mpi/Error.h"
#include "mpi/comm/Topology.h"
#include "process/fold/Nowhere.h"
#include "replay/Player.h"
#include "rma/Window.h"

namespace gnomon::replay {

namespace {
"""


def replay_source(rows):
    played = list(_played(rows))
    out = [f"// {LICENCE}", _PREAMBLE]
    out += [text for _, text in played]
    out += ["} // namespace", "", "std::span<const Handler> generatedHandlers() {", "  static const Handler handlers[] = {"]
    for handler, _ in played:
        kind = {"Files": ", Handler::Kind::File", "Windows": ", Handler::Kind::Window"}.get(handler.row.chapter, "")
        out.append(f'      {{"MPI_{handler.row.name}", play{handler.row.name}, {handler.names}{kind}}},')
    out += ["  };", "  return handlers;", "}", "", "} // namespace gnomon::replay", ""]
    return "\n".join(out)
