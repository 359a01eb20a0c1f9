# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the C functions behind MPI's Fortran procedures: pmpi_x_ and its weak name mpi_x_, for mpif.h and `use mpi`;
for mpi_f08 pmpi_x_f08_ and mpi_x_f08_, which are the same functions, and pmpi_x_f08ts_ and mpi_x_f08ts_, whose choice
buffers are descriptors (api/Section.h)."""

from c_types import result_type
from emit_headers import LICENCE
from emit_large import in_fortran as has_large
from tables import NEIGHBORS

_EXPORT = '__attribute__((visibility("default")))'


def has_glue(row):
    """Whether the row is a Fortran procedure whose glue is generated."""
    return not (row.has("conly") or row.has("byhand"))


def visible(row):
    """The parameters that Fortran has."""
    return [p for p in row.parameters if p.kind.category not in ("argument", "varargs")]


def symbol(row):
    return f"mpi_{row.name.lower()}_"


def has_f08(row):
    """Whether mpi_f08 has the procedure: it has none that MPI removed or deprecated in favour of another."""
    return not (row.has("conly") or row.has("removed") or row.chapter == "Removed")


def has_choice(row):
    return any(p.kind.category == "buffer" for p in row.parameters)


def f08_suffix(row):
    """What follows MPI_X in the name of the procedure behind mpi_f08's generic MPI_X; "" when that is MPI_X itself."""
    if row.result is not None:
        return ""
    return "_f08ts" if has_choice(row) else "_f08"


def f08_symbol(row, large=False):
    """The symbol of the same, or of its form with large counts; "" when it is the older one, or mpi_f08 has no such procedure."""
    exists = has_f08(row) and f08_suffix(row) and (not large or has_large(row))
    return f"mpi_{row.name.lower()}{'_c' * large}{f08_suffix(row)}_" if exists else ""


def declaration(row, descriptors=False, large=False):
    parameters = [f"{_c_type(row, p, descriptors, large)} *{p.name}" for p in visible(row)]
    if row.result is None:
        parameters.append("MPI_Fint *ierror")
    parameters += [f"size_t {p.name}Length" for p in visible(row) if p.kind.fortran == "char"]
    return ", ".join(parameters)


def _narrow(row, parameter):
    """Whether the argument is a default INTEGER where C has an address, as in the calls that MPI removed."""
    return row.has("removed") and parameter.kind.c_type == "MPI_Aint"


def _c_type(row, parameter, descriptors=False, large=False):
    """What a Fortran argument's address points to."""
    if _narrow(row, parameter):
        return "MPI_Fint"
    category = parameter.kind.category
    if category == "buffer" and descriptors:
        return "const fortran::Descriptor"
    if category in ("buffer", "address", "function", "pointer"):
        return "void"
    if category in ("string", "strings", "stringlists"):
        return "char"
    if category in ("attribute", "state"):
        return "MPI_Aint"
    if large and parameter.kind.large_c_type != parameter.kind.c_type:
        return parameter.kind.large_c_type
    if category == "number" and parameter.kind.fortran != "int":
        return parameter.kind.c_type
    return "MPI_Fint"


# Calls whose memory the standard wants (simply) contiguous, for they act on it piecewise or for long.
_CONTIGUOUS = {"Win_create", "Win_attach", "Buffer_attach", "Comm_attach_buffer", "Session_attach_buffer", "Psend_init", "Precv_init"}


def _scalar_in(row, name):
    return any(p.name == name and p.direction == "in" and not p.array for p in row.parameters)


class _Glue:
    """The body for one implemented row: declarations before the call, arguments, and stores after it."""

    def __init__(self, row, descriptors=False, large=False):
        self.large = large
        self.row, self.before, self.arguments, self.after = row, [], [], []
        self.descriptors = descriptors
        # Counts and types that a section of an array may change: parameter → expression.
        self.of_section = {}
        self.staged = []
        if descriptors:
            for buffer in [p for p in row.parameters if p.kind.category == "buffer"]:
                self._descriptor(buffer)
        for parameter in row.parameters:
            self._convert(parameter)
        if self.staged:
            self._finish_staged()

    def _descriptor(self, buffer):
        """A choice buffer of mpi_f08: Section.h says which of its two ways a call goes."""
        row, name = self.row, buffer.name
        whole = buffer.datatype and _scalar_in(row, buffer.count) and _scalar_in(row, buffer.datatype)
        if row.chapter == "Collectives" or row.name in ("Pack", "Unpack", "Pack_external", "Unpack_external") and not whole:
            direction = "In" if buffer.direction == "in" else "Out"
            self.before.append(f"fortran::Staging {name}C({name}, fortran::Staging::Direction::{direction});")
            self.of_section[name] = f"{name}C.address()"
            self.staged.append(name)
        elif whole:
            self.before.append(f"fortran::Section {name}C({name}, *{buffer.count}, toHandle<MPI_Datatype>(*{buffer.datatype}));")
            self.of_section |= {name: f"{name}C.address()", buffer.count: f"{name}C.count()" if self.large else f"{name}C.smallCount()", buffer.datatype: f"{name}C.type()"}
        else:
            # One element, or memory that MPI is told about.
            self.of_section[name] = f"fortran::address({name}->base)"
            if row.name in _CONTIGUOUS:
                refusal = f'fortran::refuse("MPI_{row.name}", "{name}", __builtin_return_address(0))'
                self.before.append(f"if (!{name}->contiguous())\n    return fortran::setError(ierror, {refusal});")

    def _finish_staged(self):
        request = next((p.name for p in self.row.parameters if p.kind.name == "request" and p.direction == "out"), None)
        if request:
            copies = ", ".join(f"{name}C" for name in self.staged)
            self.after.append(f"if (code == MPI_SUCCESS)\n    fortran::Staging::hand({request}C, {copies});")
        else:
            self.after += [f"{name}C.finish();" for name in self.staged]

    def _length(self, parameter):
        if parameter.array in ("size", "peers"):
            return f"{'members' if parameter.array == 'size' else 'peers'}(toHandle<MPI_Comm>(*comm))"
        if parameter.array in NEIGHBORS:
            return f"{NEIGHBORS[parameter.array]}(toHandle<MPI_Comm>(*comm))"
        if parameter.root_only:
            return f"fortran::atRoot(root, comm) ? *{parameter.array} : 0"
        return f"*{parameter.array}"

    def _convert(self, parameter):
        category, name = parameter.kind.category, parameter.name
        if category == "varargs":
            return
        if name in self.of_section:
            self.arguments.append(self.of_section[name])
        elif category == "argument":
            self.arguments.append("nullptr" if "*" in parameter.kind.c_type else "0")
        elif category == "buffer":
            self.arguments.append(f"fortran::address({name})")
        elif category == "handle" or _narrow(self.row, parameter):
            self._element(parameter)
        elif category == "index":
            self._index(parameter)
        elif category == "string":
            self._text(parameter)
        elif category in ("strings", "stringlists"):
            self._texts(parameter)
        elif category == "status":
            self.arguments.append(f"fortran::status({name})")
        elif category == "function":
            self.arguments.append(f"reinterpret_cast<MPI_{parameter.function}_function *>({name})")
        elif category == "address":
            self.arguments.append(name)
        elif parameter.kind.name == "range":
            self.arguments.append(f"reinterpret_cast<int(*)[3]>({name})")
        elif parameter.array:
            special = "weights" in name or "errcodes" in name
            self.arguments.append(f"fortran::integers({name})" if special else name)
        elif category in ("fstatus", "f08status"):
            self.arguments.append(f"reinterpret_cast<MPI_F08_status *>({name})" if category == "f08status" else name)
        elif parameter.direction == "in":
            self.arguments.append(f"*{name}")
        else:
            self.arguments.append(name)

    def _element(self, parameter):
        """A handle or an address that is an INTEGER in Fortran and wider in C; or an array of them."""
        name, type_ = parameter.name, parameter.kind.c_type
        handle = parameter.kind.category == "handle"
        from_fortran = f"toHandle<{type_}>(*{name})" if handle else f"*{name}"
        to_fortran = f"toInteger<MPI_Fint>({name}C)" if handle else f"static_cast<MPI_Fint>({name}C)"
        if parameter.array:
            self.before.append(f"fortran::Array<{type_}> {name}C({name}, {self._length(parameter)});")
            self.arguments.append(f"{name}C.data()")
            if parameter.direction != "in":
                self.after.append(f"{name}C.store();")
        elif parameter.direction == "in":
            self.arguments.append(from_fortran)
        else:
            initial = from_fortran if parameter.direction == "inout" else ("nullptr" if handle else "0")
            self.before.append(f"{type_} {name}C = {initial};")
            self.arguments.append(f"&{name}C")
            condition = "" if parameter.direction == "inout" else "if (code == MPI_SUCCESS)\n    "
            self.after.append(f"{condition}*{name} = {to_fortran};")

    def _index(self, parameter):
        self.arguments.append(parameter.name)
        if parameter.array:
            self.after.append(f"fortran::toOneBased({parameter.name}, *outcount, code);")
        else:
            self.after.append(f"fortran::toOneBased({parameter.name}, code);")

    def _texts(self, parameter):
        """Arrays of CHARACTER: with a count, or up to a blank element. They count at the root only."""
        name = parameter.name
        root = "fortran::atRoot(root, comm)"
        if parameter.kind.category == "stringlists":
            self.before.append(f"fortran::TextLists {name}C({name}, {name}Length, {root} ? *count : 0);")
        else:
            counted = any(p.name == "count" for p in self.row.parameters)
            length = "*count" if counted else "fortran::UpToBlank"
            self.before.append(f"fortran::Texts {name}C({name}, {name}Length, {root} ? {length} : 0);")
        self.arguments.append(f"{name}C.data()")

    def _text(self, parameter):
        name = parameter.name
        if parameter.direction == "in":
            self.before.append(f"std::string {name}C = fortran::text({name}, {name}Length);")
            self.arguments.append(f"{name}C.c_str()")
            return
        self.before.append(f"fortran::TextOut {name}C({name}Length);")
        self.arguments.append(f"{name}C.data()")
        flag = next((p for p in self.row.parameters if p.kind.category == "logical" and p.direction == "out"), None)
        condition = "code == MPI_SUCCESS" + (f" && *{flag.name}" if flag else "")
        self.after.append(f"if ({condition})\n    {name}C.store({name}, {name}Length);")

    def text(self):
        call = f"gnomon::api::{self.row.name}{'_c' * self.large}({', '.join(['__builtin_return_address(0)', *self.arguments])})"
        if self.row.result is not None:
            return f"  return {call};\n"
        lines = [*self.before, f"const int code = {call};", *self.after, "fortran::setError(ierror, code);"]
        return "".join(f"  {line}\n" for line in lines)


def _unsupported(row):
    arguments = ", ".join(["__builtin_return_address(0)", *("{}" for p in row.parameters if p.kind.category != "varargs")])
    return f"  fortran::setError(ierror, gnomon::api::{row.name}({arguments}));\n"


def _weak(result, name, parameters, target=None):
    target = target or f"p{name}"
    return f'__attribute__((visibility("default"), weak, alias("{target}"))) {result} {name}({parameters});\n'


def _strong(result, name, parameters, target):
    return f'__attribute__((visibility("default"), alias("{target}"))) {result} {name}({parameters});\n'


def glue(row):
    result = result_type(row) if row.result is not None else "void"
    body = _Glue(row).text() if row.implemented else _unsupported(row)
    name, parameters = symbol(row), declaration(row)
    text = f"{_EXPORT} {result} p{name}({parameters}) {{\n{body}}}\n" + _weak(result, name, parameters)
    f08 = f08_symbol(row)
    if f08 and row.implemented and has_choice(row):
        parameters = declaration(row, descriptors=True)
        body = _Glue(row, descriptors=True).text()
        text += f"{_EXPORT} void p{f08}({parameters}) {{\n{body}}}\n" + _weak("void", f08, parameters)
    elif f08:
        text += _strong("void", f"p{f08}", parameters, f"p{name}") + _weak("void", f08, parameters)
    large = f08_symbol(row, large=True)
    if large:
        parameters = declaration(row, descriptors=True, large=True)
        body = _Glue(row, descriptors=True, large=True).text()
        text += f"{_EXPORT} void p{large}({parameters}) {{\n{body}}}\n" + _weak("void", large, parameters)
    return text


def glue_source(rows, chapter):
    out = [f"// {LICENCE}", f"// The Fortran entries of the chapter {chapter}. Generated.", '#include "api/Section.h"', ""]
    out += ["using namespace gnomon::api;", "", 'extern "C" {', ""]
    out += [glue(row) for row in rows if row.chapter == chapter and has_glue(row)]
    out += ['} // extern "C"', ""]
    return "\n".join(out)
