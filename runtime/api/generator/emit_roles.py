# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes MpiRoles.inc, what the compiler's half knows of MPI: what each argument of each function is for, in C and in
Fortran, and what a call does. llvm-pass/facts/MpiRoles.h says what the words mean; no LLVM here, only its text."""

from effects import effect, timing
from emit_fortran_glue import f08_symbol, symbol, visible
from emit_fortran_modules import HANDLES, SIZEOF, SYNC_REG
from emit_headers import LICENCE

def _buffer(row, parameter):
    if parameter.kind.name == "memory":
        return "Control" if row.name == "Free_mem" else "Memory"
    # What is received where MPI_IN_PLACE may stand for what is sent is read as well.
    others = any(p.kind.name == "inplace" for p in row.parameters if p is not parameter)
    if parameter.direction == "in":
        return "SendBuffer"
    return "SendReceiveBuffer" if parameter.direction == "inout" or others else "ReceiveBuffer"


def _role(row, parameter, fortran):
    category, direction = parameter.kind.category, parameter.direction
    if category == "buffer":
        return _buffer(row, parameter)
    if category == "function":
        return "Callback"
    if category == "argument":
        return "InOut"
    if category == "address" and row.chapter == "Windows":
        return "WindowMemory"
    if direction != "in":
        return "InOut" if direction == "inout" else "Output"
    if category in ("string", "strings", "stringlists"):
        return "Text"
    if category in ("attribute", "state", "pointer"):
        return "Control" if fortran and category != "pointer" else "Memory"
    whole = parameter.array or parameter.kind.name == "range" or category in ("status", "fstatus", "f08status")
    return "ControlArray" if whole else "Control"


def _bytes(parameter, fortran, large=False):
    """Bytes of one value behind an address; 0 for arrays, texts and what else has no fixed size."""
    kind, category = parameter.kind, parameter.kind.category
    if parameter.array or kind.name == "range":
        return 0
    if category in ("status", "fstatus", "f08status"):
        return 32
    if category in ("handle", "number", "logical", "index"):
        if large and kind.large_c_type != kind.c_type:
            return 8
        wide = kind.fortran in ("aint", "offset", "count", "double") if fortran else kind.large_c_type != "int"
        return 8 if wide else 4
    return 8 if category in ("address", "attribute") else 0


_LENGTHS = {"peers": "Peers", "size": "Members", "inneighbors": "Sources", "outneighbors": "Destinations"}


def _length(parameter, fortran, large):
    """MpiLength of an array of numbers that goes in, of a length that the communicator tells, and bytes of one of them."""
    kind = parameter.kind
    if kind.category != "number" or parameter.direction != "in" or parameter.array not in _LENGTHS:
        return ""
    length = "PeersAtRoot" if parameter.root_only else _LENGTHS[parameter.array]
    grows = large and kind.large_c_type != kind.c_type
    plain = kind.fortran == "int" if fortran else kind.c_type == "int"
    return f", -1, -1, 0, false, MpiLength::{length}, {4 if plain and not grows else 8}"


def _arguments(row, fortran, descriptors, large):
    """The arguments of the symbol, as initialisers of MpiArgument; choice buffers are `descriptors` in mpi_f08."""
    parameters = visible(row) if fortran else [p for p in row.parameters if p.kind.category != "varargs"]
    index = {p.name: i for i, p in enumerate(parameters)}
    out = []
    for p in parameters:
        role = _role(row, p, fortran)
        reference = fortran and role == "Control" and p.kind.category != "buffer"
        counted = f", {index[p.count]}" if p.count else ", -1"
        typed = f", {index[p.datatype]}" if p.datatype else ", -1"
        size = _bytes(p, fortran, fortran and large) if reference or role in ("Output", "InOut", "WindowMemory") else 0
        tail = f", -1, -1, {size}" if size else ""
        if p.kind.category == "buffer" and (p.count or p.datatype):
            tail = counted + typed
        if p.kind.category == "buffer" and descriptors:
            tail = f"{tail or ', -1, -1'}, 0, true"
        tail = tail or _length(p, fortran, large)
        out.append(f"{{MpiRole::{role}, {'true' if reference else 'false'}{tail}}}")
    if fortran and row.result is None:
        out.append("{MpiRole::Output, false, -1, -1, 4}")
    if fortran:
        out += ["{MpiRole::Control, false}" for p in parameters if p.kind.fortran == "char"]
    return out


def _first(parameters, kinds):
    for index, p in enumerate(parameters):
        if p.kind.name in kinds and p.direction == "in" and not p.array:
            return index
    return -1


class _Table:
    """The arrays of arguments, shared by functions of the same shape, and the rows that name them."""

    def __init__(self):
        self.arrays, self.rows = {}, []

    def add(self, key, name, fortran, facts, arguments):
        text = ", ".join(arguments)
        array = "{}"
        if arguments:
            array = self.arrays.setdefault(text, f"arguments{len(self.arrays)}")
        self.rows.append((key, f'{{"{key}", {{"{name}", {fortran}, {facts}, {array}}}}},'))

    def add_row(self, row, fortran):
        parameters = visible(row) if fortran else [p for p in row.parameters if p.kind.category != "varargs"]
        buffers = any(p.kind.name in ("buffer", "inplace") for p in parameters)
        op = _first(parameters, ("op",))
        request = any(p.kind.name == "request" and p.direction == "out" for p in parameters)
        flags = [buffers and op >= 0, not request, timing(row), row.name == "Abort"]
        facts = [f"MpiEffect::{effect(row)}", *("true" if flag else "false" for flag in flags)]
        facts += [str(_first(parameters, kinds)) for kinds in (("dest", "source", "target", "root"), ("tag", "anytag"), ("comm",))]
        facts.append(str(op if buffers else -1))
        if fortran:
            symbols = (symbol(row), f08_symbol(row), f08_symbol(row, large=True))
            keys = [name.rstrip("_") for name in symbols if name]
        else:
            keys = [f"MPI_{row.name}"] + [f"MPI_{row.name}_c"] * row.large
        for key in keys:
            large = key == f08_symbol(row, large=True).rstrip("_") if fortran else key.endswith("_c")
            arguments = _arguments(row, fortran, key.endswith("_f08ts"), large)
            self.add(key, f"MPI_{row.name}{'_c' * large}" if fortran else key, "true" if fortran else "false", ", ".join(facts), arguments)

    def add_helper(self, helper, roles):
        """What Fortran's modules call beside MPI's procedures."""
        key = helper.removesuffix("_")
        facts = "MpiEffect::Local, false, true, false, false, -1, -1, -1, -1"
        by_reference = ((role, "true" if role == "Control" else "false") for role in roles)
        self.add(key, key, "true", facts, [f"{{MpiRole::{role}, {reference}}}" for role, reference in by_reference])


def _kind_of_type(name):
    """MpiData of a predefined datatype, from its name."""
    name = name.removeprefix("MPI_")
    if name in ("BYTE", "PACKED", "CHARACTER", "CHAR", "SIGNED_CHAR", "UNSIGNED_CHAR", "WCHAR"):
        return "Bytes"
    if name in ("DATATYPE_NULL", "LB", "UB") or name.startswith("2") or name in (
        "FLOAT_INT", "DOUBLE_INT", "LONG_INT", "SHORT_INT", "LONG_DOUBLE_INT"
    ):
        return "Other"
    return "Floating" if any(word in name for word in ("FLOAT", "DOUBLE", "REAL", "COMPLEX")) else "Integer"


def roles(constants, rows):
    """The text of MpiRoles.inc: `functions`, sorted by symbol without trailing underscores, and `datatypes`."""
    table = _Table()
    for row in rows:
        table.add_row(row, fortran=False)
        if not row.has("conly"):
            table.add_row(row, fortran=True)
    for handle in HANDLES:
        for operator in ("eq", "ne"):
            table.add_helper(f"gnomon_{handle.lower()}_{operator}_", ["Control", "Control"])
    for symbol, _ in SIZEOF:
        table.add_helper(symbol, ["Ignored", "Output", "Output"])
    for name in SYNC_REG:
        if not name.startswith("p"):
            table.add_helper(name, ["Ignored"])
    out = [f"// {LICENCE}", "// What each argument of each MPI function is for (llvm-pass/facts/MpiRoles.h). Generated.", ""]
    out += [f"constexpr MpiArgument {name}[] = {{{text}}};" for text, name in table.arrays.items()]
    out += ["", "constexpr Entry functions[] = {", *(f"    {text}" for _, text in sorted(table.rows)), "};", ""]
    types = sorted((int(c.value, 0), c.name) for c in constants if c.type == "MPI_Datatype")
    out += ["constexpr Type datatypes[] = {", *(f"    {{{value}, MpiData::{_kind_of_type(name)}}}, // {name}" for value, name in types), "};", ""]
    return "\n".join(out)
