# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes mpif.h and the Fortran modules: mpi_constants, mpi, mpi_f08_types, mpi_f08_callbacks, mpi_f08.

The modules hold constants, types and interfaces only, so that a program that uses them needs no object file.
Names: in mpi_f08 MPI_X is a generic name. Behind it stands MPI_X_f08ts where X has choice buffers, TYPE(*),
DIMENSION(..), which are passed as descriptors; and MPI_X_f08 where it has none (MPI 3.1, section 17.1.5, methods 1B
and 1A). Functions with a result have one name. MPI_X_c_f08ts and MPI_X_c_f08
have the counts of kind MPI_COUNT_KIND, and belong to the same generic name. The older interfaces have the one symbol mpi_x_.

What flang 22 wants, tried:
- A choice buffer of `use mpi` is a scalar TYPE(*) with IGNORE_TKR: it takes any type and rank and elements of
  assumed-shape arrays, and discontiguous arrays are copied. An assumed-size dummy refuses those elements.
- Other array arguments of `use mpi` are scalars with IGNORE_TKR(R), for programs pass arrays of any rank there. Numbers
  and handles beside choice buffers too: real MPIs have no interfaces for such procedures in that module, and programs
  pass arrays there.
- Kinds are explicit, so that -fdefault-real-8 and -fdefault-integer-8 change nothing.
- External ELEMENTAL functions serve as the comparison operators of handles.
"""

from emit_fortran_glue import declaration, f08_suffix, f08_symbol, has_choice, has_f08, symbol, visible
from emit_headers import LICENCE

_KINDS = {
    "int": "integer(4)",
    "logical": "logical(4)",
    "aint": "integer(8)",
    "offset": "integer(8)",
    "count": "integer(8)",
    "char": "character(*)",
    "MPI_ADDRESS": "integer(8)",
    "double": "real(8)",
}

# COMMON blocks of the constants that are compared by address: name, type in mpif.h, type in mpi_f08.
SENTINELS = [
    ("MPI_BOTTOM", "integer(4)", "", None),
    ("MPI_IN_PLACE", "integer(4)", "", None),
    ("MPI_BUFFER_AUTOMATIC", "integer(4)", "", None),
    ("MPI_STATUS_IGNORE", "integer(4)", "(8)", "type(MPI_Status)"),
    ("MPI_STATUSES_IGNORE", "integer(4)", "(8,1)", "type(MPI_Status)"),
    ("MPI_ERRCODES_IGNORE", "integer(4)", "(1)", None),
    ("MPI_UNWEIGHTED", "integer(4)", "(1)", None),
    ("MPI_WEIGHTS_EMPTY", "integer(4)", "(1)", None),
    ("MPI_ARGV_NULL", "character(1)", "(1)", None),
    ("MPI_ARGVS_NULL", "character(1)", "(1,1)", None),
]

HANDLES = "Comm Datatype Errhandler File Group Info Message Op Request Session Win".split()


def fortran_value(constant, constants):
    """The value of a constant as a Fortran literal; "" when Fortran does not have it."""
    if constant.fortran in ("", "sentinel", "external"):
        return ""
    if constant.fortran in ("logical", "true08"):
        return constant.value
    value = constant.value
    if constant.type == "alias":
        return fortran_value(constants[value], constants)
    number = int(value, 0)
    return str(number - 1 if constant.fortran == "less1" else number)


def _handle(constant, constants):
    """The handle type of a constant, following aliases; "" for plain numbers."""
    if constant.type == "alias":
        return _handle(constants[constant.value], constants)
    return constant.type if constant.type[4:] in HANDLES else ""


def _declared_type(constant):
    if constant.fortran in ("logical", "true08"):
        return "logical(4)"
    return "integer(8)" if constant.type == "MPI_Offset" else "integer(4)"


def _externals(constants):
    return [c.name for c in constants if c.fortran == "external"]


def mpif_header(constants, rows):
    """Lines fit in columns 7 to 72 and none is continued: valid in fixed and in free form."""
    by_name = {c.name: c for c in constants}
    out = [f"! {LICENCE}", "! The Fortran interface of MPI, for fixed and free form. Generated."]
    for constant in constants:
        value = fortran_value(constant, by_name)
        if value:
            out += [f"      {_declared_type(constant)} {constant.name}", f"      parameter ({constant.name}={value})"]
    for name, type_, shape, _ in SENTINELS:
        out += [f"      {type_} {name}{shape}", f"      common /gnomon_{name.lower()}/ {name}"]
    for name in _externals(constants):
        out.append(f"      external {name}")
    for row in rows:
        if row.result is not None and not row.has("conly"):
            for prefix in ("MPI_", "PMPI_"):
                out += [f"      {_KINDS[row.result.fortran]} {prefix}{row.name}", f"      external {prefix}{row.name}"]
    too_long = [line for line in out if len(line) > 72 and not line.startswith("!")]
    assert not too_long, too_long
    return "\n".join([*out, ""])


def _module(name, body, about):
    return "\n".join([f"! {LICENCE}", f"! {about} Generated.", f"module {name}", *body, f"end module {name}", ""])


def constants_module(constants):
    """What `mpi` and `mpi_f08` share: every constant that is no handle and has one value in both."""
    by_name = {c.name: c for c in constants}
    body = ["  implicit none", "  public"]
    for constant in constants:
        value = fortran_value(constant, by_name)
        if value and not _handle(constant, by_name) and constant.fortran != "true08":
            kind = "_8" if _declared_type(constant) == "integer(8)" else ""
            body.append(f"  {_declared_type(constant)}, parameter :: {constant.name} = {value}{kind}")
    for name, type_, shape, f08 in SENTINELS:
        if not f08:
            body += [f"  {type_} :: {name}{shape}", f"  common /gnomon_{name.lower()}/ {name}"]
    return _module("mpi_constants", body, "Constants of MPI that are no handles.")


def types_module(constants):
    by_name = {c.name: c for c in constants}
    body = ["  use mpi_constants", "  implicit none", "  public"]
    for handle in HANDLES:
        body += [f"  type, bind(C) :: MPI_{handle}", "    integer(4) :: MPI_VAL", f"  end type MPI_{handle}"]
    body += ["  type, bind(C) :: MPI_Status", "    integer(4) :: MPI_SOURCE", "    integer(4) :: MPI_TAG", "    integer(4) :: MPI_ERROR"]
    body += ["    integer(4), private :: internal(5)", "  end type MPI_Status"]
    for constant in constants:
        handle = _handle(constant, by_name)
        value = fortran_value(constant, by_name)
        if constant.fortran == "true08":
            body.append(f"  logical(4), parameter :: {constant.name} = .true.")
        if handle and value:
            body.append(f"  type({handle}), parameter :: {constant.name} = {handle}({value})")
    for name, _, shape, f08 in SENTINELS:
        if f08:
            f08_shape = "(1)" if "," in shape else ""
            body += [f"  {f08} :: {name}{f08_shape}", f"  common /gnomon_{name.lower()}/ {name}"]
    for operator, symbol in (("==", "eq"), ("/=", "ne")):
        body.append(f"  interface operator({operator})")
        for handle in HANDLES:
            name = f"gnomon_{handle.lower()}_{symbol}"
            body += [f"    elemental logical(4) function {name}(a, b)", f"      import :: MPI_{handle}", f"      type(MPI_{handle}), intent(in) :: a, b", f"    end function {name}"]
        body.append("  end interface")
    return _module("mpi_f08_types", body, "Types, handles and their comparison for mpi_f08.")


_COPY = "object, keyval, extra_state, value_in, value_out, flag, ierror"
_DELETE = "object, keyval, value, extra_state, ierror"


def _callbacks():
    """Abstract interfaces of mpi_f08: name, arguments, declarations."""
    yield "MPI_User_function", "invec, inoutvec, len, datatype", [
        "type(c_ptr), value :: invec, inoutvec", "integer(4) :: len", "type(MPI_Datatype) :: datatype"]
    for name, type_ in (("Comm", "MPI_Comm"), ("Type", "MPI_Datatype"), ("Win", "MPI_Win")):
        yield f"MPI_{name}_copy_attr_function", _COPY, [
            f"type({type_}) :: object", "integer(4) :: keyval, ierror",
            "integer(8) :: extra_state, value_in, value_out", "logical(4) :: flag"]
        yield f"MPI_{name}_delete_attr_function", _DELETE, [
            f"type({type_}) :: object", "integer(4) :: keyval, ierror", "integer(8) :: value, extra_state"]
    for name in ("Comm", "File", "Win", "Session"):
        yield f"MPI_{name}_errhandler_function", "object, error_code", [
            f"type(MPI_{name}) :: object", "integer(4) :: error_code"]
    yield "MPI_Grequest_query_function", "extra_state, status, ierror", [
        "integer(8) :: extra_state", "type(MPI_Status) :: status", "integer(4) :: ierror"]
    yield "MPI_Grequest_free_function", "extra_state, ierror", ["integer(8) :: extra_state", "integer(4) :: ierror"]
    yield "MPI_Grequest_cancel_function", "extra_state, complete, ierror", [
        "integer(8) :: extra_state", "logical(4) :: complete", "integer(4) :: ierror"]
    yield "MPI_Datarep_extent_function", "datatype, extent, extra_state, ierror", [
        "type(MPI_Datatype) :: datatype", "integer(8) :: extent, extra_state", "integer(4) :: ierror"]
    yield "MPI_Datarep_conversion_function", "userbuf, datatype, count, filebuf, position, extra_state, ierror", [
        "type(c_ptr), value :: userbuf, filebuf", "type(MPI_Datatype) :: datatype", "integer(4) :: count, ierror",
        "integer(8) :: position, extra_state"]


def callbacks_module(constants):
    body = ["  use mpi_f08_types", "  use, intrinsic :: iso_c_binding, only: c_ptr", "  implicit none", "  public", "  private :: c_ptr", "  abstract interface"]
    for name, arguments, declarations in _callbacks():
        body += [f"    subroutine {name}({arguments})", "      import", "      implicit none", *(f"      {d}" for d in declarations), f"    end subroutine {name}"]
    body.append("  end interface")
    for constant in constants:
        if constant.fortran == "external" and not constant.name.startswith(("MPI_NULL", "MPI_DUP")):
            body.append(f"  procedure(MPI_{constant.type[3:-1]}_function) :: {constant.name}")
    return _module("mpi_f08_callbacks", body, "Callbacks of mpi_f08.")


# Procedures whose mpi_f08 form does more than their other forms: their symbol X_f08 is written by hand too.
OWN_F08_SYMBOL = {"Buffer_detach", "Comm_detach_buffer", "Session_detach_buffer"}


class _Interface:
    """One procedure's interface body, for `mpi` (f08=False) or `mpi_f08`."""

    def __init__(self, row, prefix, f08, name=None, large=False):
        self.row, self.f08, self.large = row, f08, large
        self.name = name or f"{prefix}{row.name}"
        self.declarations, self.imports = [], set()
        for parameter in visible(row):
            self._declare(parameter)

    def _type(self, parameter):
        fortran = parameter.kind.fortran
        if self.large and parameter.kind.large_c_type != parameter.kind.c_type:
            return "integer(8)"
        if self.row.has("removed") and parameter.kind.c_type == "MPI_Aint":
            return "integer(4)"
        if parameter.kind.category == "attribute" and self.row.name.startswith("Attr_") or (
            parameter.kind.category == "state" and self.row.name == "Keyval_create"
        ):
            return "integer(4)"
        if fortran.startswith("MPI_") and fortran != "MPI_ADDRESS":
            if not self.f08:
                return "integer(4)"
            self.imports.add(fortran)
            return f"type({fortran})"
        if fortran in ("status", "fstatus"):
            if self.f08 and (fortran == "status"):
                self.imports.add("MPI_Status")
                return "type(MPI_Status)"
            return "integer(4)"
        if fortran == "MPI_ADDRESS" and self.f08:
            self.imports.add("c_ptr")
            return "type(c_ptr)"
        return _KINDS[fortran]

    def _declare(self, parameter):
        name, category = parameter.name, parameter.kind.category
        intent = ", intent(in)" if parameter.direction == "in" else ""
        asynchronous = ", asynchronous" if self._nonblocking() else ""
        if category == "buffer" and self.f08:
            self.declarations.append(f"type(*), dimension(..){intent}{asynchronous} :: {name}")
        elif category == "buffer" or (category == "address" and not self.f08):
            # An address that comes back may be an INTEGER(MPI_ADDRESS_KIND) or a TYPE(C_PTR) in `use mpi`.
            self.declarations += [f"type(*){intent}{asynchronous} :: {name}", f"!dir$ ignore_tkr(tkr) {name}"]
        elif category == "function":
            if self.f08:
                callback = f"MPI_{parameter.function}_function"
                self.imports.add(callback)
                self.declarations.append(f"procedure({callback}) :: {name}")
            else:
                self.declarations.append(f"external :: {name}")
        elif category in ("strings", "stringlists"):
            self.declarations.append(f"character(*){intent} :: {name}({'*' if category == 'strings' else 'count, *'})")
        else:
            array = parameter.array or parameter.kind.name == "fstatus" or (category == "status" and not self.f08)
            self._number(parameter, f"{self._type(parameter)}{intent}", array)

    def _number(self, parameter, type_, array):
        name = parameter.name
        if parameter.kind.name == "range":
            self.declarations.append(f"{type_} :: {name}(3, *)" if self.f08 else f"{type_} :: {name}")
        elif array and self.f08:
            length = "8" if parameter.kind.name == "fstatus" else "*"
            self.declarations.append(f"{type_} :: {name}({length})")
        else:
            self.declarations.append(f"{type_} :: {name}")
        if not self.f08 and (array or has_choice(self.row)):
            self.declarations.append(f"!dir$ ignore_tkr(r) {name}")

    def _nonblocking(self):
        """Whether MPI may touch a buffer after the call: it is ASYNCHRONOUS then."""
        row = self.row
        if row.chapter == "Windows" or row.name.endswith(("_begin", "_end")):
            return True
        return any(p.kind.name == "memory" or p.kind.name == "request" and p.direction == "out" for p in row.parameters)

    def lines(self, indent="    "):
        row = self.row
        arguments = [p.name for p in visible(row)]
        if row.result is None:
            arguments.append("ierror")
            head = f"subroutine {self.name}"
            self.declarations.append("integer(4), optional, intent(out) :: ierror")
        else:
            head = f"{_KINDS[row.result.fortran]} function {self.name}"
        out = [_wrap(f"{indent}{head}({', '.join(arguments)})", indent)]
        if self.imports:
            out.append(f"{indent}  import :: {', '.join(sorted(self.imports))}")
        out.append(f"{indent}  implicit none")
        out += [d if d.startswith("!dir$") else f"{indent}  {d}" for d in self.declarations]
        out.append(f"{indent}end {'function' if row.result is not None else 'subroutine'} {self.name}")
        return out


def _wrap(text, indent, width=100):
    lines = []
    while len(text) > width:
        cut = text.rfind(", ", 0, width) + 1
        lines.append(text[:cut] + " &")
        text = f"{indent}    " + text[cut:].strip()
    return "\n".join([*lines, text])


def _sizeof():
    """MPI_Sizeof for every intrinsic type and kind; the size comes back in bytes."""
    types = [(f"integer({k})", f"i{k}", k) for k in (1, 2, 4, 8, 16)]
    types += [(f"logical({k})", f"l{k}", k) for k in (1, 2, 4, 8)]
    types += [(f"real({k})", f"r{k}", {10: 16}.get(k, k)) for k in (2, 4, 8, 10)]
    types += [(f"complex({k})", f"c{k}", {10: 32}.get(k, 2 * k)) for k in (2, 4, 8, 10)]
    types += [("character(1)", "a1", 1)]
    return types


SIZEOF = [(f"gnomon_sizeof_{suffix}_", bytes_) for _, suffix, bytes_ in _sizeof()]


def _sizeof_interface():
    out = ["  interface MPI_Sizeof"]
    for type_, suffix, _ in _sizeof():
        name = f"gnomon_sizeof_{suffix}"
        out += [f"    subroutine {name}(x, size, ierror)", f"      {type_} :: x", "!dir$ ignore_tkr(r) x", "      integer(4), intent(out) :: size", "      integer(4), optional, intent(out) :: ierror", f"    end subroutine {name}"]
    return [*out, "  end interface MPI_Sizeof"]


SYNC_REG = [f"{prefix}mpi_f_sync_reg_{suffix}" for suffix in ("", "f08ts_") for prefix in ("", "p")]


def _sync_reg_interface(f08):
    """MPI_F_sync_reg, which Fortran alone has and which does nothing: the compiler must take it that the buffer changes."""
    out = []
    for prefix in ("MPI_", "PMPI_"):
        generic = f"{prefix}F_sync_reg"
        name = generic + "_f08ts" * f08
        buffer = ["      type(*), dimension(..), asynchronous :: buf"] if f08 else ["      type(*), asynchronous :: buf", "!dir$ ignore_tkr(tkr) buf"]
        out += [f"  interface {generic}" if f08 else "  interface", f"    subroutine {name}(buf)", *buffer, f"    end subroutine {name}", "  end interface"]
    return out


def in_fortran(row, f08):
    """Whether mpi_f08, or the older module, has the procedure."""
    if f08:
        return has_f08(row)
    return not row.has("conly") and not any(p.kind.name == "f08status" for p in row.parameters)


def interface_module(rows, f08):
    if f08:
        body = ["  use mpi_f08_types", "  use mpi_f08_callbacks", "  use, intrinsic :: iso_c_binding, only: c_ptr"]
    else:
        body = ["  use mpi_constants"]
    body += ["  implicit none", "  public"]
    if f08:
        body.append("  private :: c_ptr")
    body += ["  interface"]
    for prefix in ("MPI_", "PMPI_"):
        for row in rows:
            if in_fortran(row, f08) and not (f08 and f08_suffix(row)):
                body += _Interface(row, prefix, f08).lines()
    body.append("  end interface")
    for row in rows:
        for prefix in ("MPI_", "PMPI_"):
            if f08 and in_fortran(row, True) and f08_suffix(row):
                name = f"{prefix}{row.name}"
                body += [f"  interface {name}", *_Interface(row, prefix, True, name + f08_suffix(row)).lines()]
                if f08_symbol(row, large=True):
                    body += _Interface(row, prefix, True, f"{name}_c{f08_suffix(row)}", large=True).lines()
                body.append(f"  end interface {name}")
    body += _sizeof_interface()
    body += _sync_reg_interface(f08)
    return body


def mpi_module(constants, rows):
    by_name = {c.name: c for c in constants}
    body = interface_module(rows, f08=False)
    at = body.index("  interface")
    handles = [
        f"  integer(4), parameter :: {c.name} = {fortran_value(c, by_name)}" for c in constants if _handle(c, by_name) and fortran_value(c, by_name)
    ]
    for sentinel, type_, shape, f08 in SENTINELS:
        if f08:
            handles += [f"  {type_} :: {sentinel}{shape}", f"  common /gnomon_{sentinel.lower()}/ {sentinel}"]
    handles += [f"  logical(4), parameter :: {c.name} = {c.value}" for c in constants if c.fortran == "true08"]
    handles += [f"  external :: {external}" for external in _externals(constants)]
    return _module("mpi", body[:at] + handles + body[at:], "`use mpi`.")


def f08_module(rows):
    return _module("mpi_f08", interface_module(rows, f08=True), "`use mpi_f08`.")


def _forwarder(row):
    """The mpi_f08 names of a procedure whose older form is written by hand: a jump there, which keeps the caller's address."""
    f08, parameters = f08_symbol(row), declaration(row)
    arguments = [p.split("*")[-1].split()[-1] for p in parameters.split(", ")]
    buffers = {p.name for p in visible(row) if p.kind.category == "buffer"}
    passed = ", ".join(f"static_cast<const gnomon::api::fortran::Descriptor *>({a})->base" if a in buffers else a for a in arguments)
    exported = '__attribute__((visibility("default")'
    return [f"void p{symbol(row)}({parameters});", f"{exported})) void p{f08}({parameters}) {{ [[clang::musttail]] return p{symbol(row)}({passed}); }}",
            f'{exported}, weak, alias("p{f08}"))) void {f08}({parameters});']


def operators_source(rows):
    """The C functions behind the operators of handles and MPI_Sizeof, and mpi_f08's names of what is written by hand."""
    out = [f"// {LICENCE}", "// What the Fortran modules' operators and MPI_Sizeof call; names of mpi_f08. Generated.", '#include "api/Section.h"', "", "namespace {"]
    out += ["int equal(const MPI_Fint *a, const MPI_Fint *b) { return *a == *b; }", "int different(const MPI_Fint *a, const MPI_Fint *b) { return *a != *b; }"]
    out += ["void sizeOf(MPI_Fint *size, MPI_Fint bytes, MPI_Fint *ierror) {", "  *size = bytes;", "  gnomon::api::fortran::setError(ierror, MPI_SUCCESS);", "}", "} // namespace", "", 'extern "C" {']
    for handle in HANDLES:
        for symbol, function in (("eq", "equal"), ("ne", "different")):
            out.append(f'__attribute__((visibility("default"))) int gnomon_{handle.lower()}_{symbol}_(const MPI_Fint *a, const MPI_Fint *b) {{ return {function}(a, b); }}')
    for name, bytes_ in SIZEOF:
        out.append(f'__attribute__((visibility("default"))) void {name}(void *, MPI_Fint *size, MPI_Fint *ierror) {{ sizeOf(size, {bytes_}, ierror); }}')
    out += [f'__attribute__((visibility("default"))) void {name}(void *) {{}}' for name in SYNC_REG if name.startswith("p")]
    out += [f'__attribute__((visibility("default"), weak, alias("p{name}"))) void {name}(void *);' for name in SYNC_REG if not name.startswith("p")]
    for row in rows:
        if row.has("byhand") and f08_symbol(row) and row.name not in OWN_F08_SYMBOL:
            out += _forwarder(row)
    return "\n".join([*out, '} // extern "C"', ""])
