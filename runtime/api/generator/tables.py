# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the tables of runtime/api: kinds.txt, constants.txt and table/<Chapter>.txt.

A table that does not parse ends the build with `file:line: what is wrong`.
"""

import dataclasses
import pathlib
import re
import sys


class TableError(Exception):
    """A line of a table that does not parse; the message starts with file:line."""


# Lengths of arrays that the communicator's topology gives, and the functions of Topology.h and Peers.h that tell them.
NEIGHBORS = {"inneighbors": "sourceCount", "outneighbors": "destinationCount"}

# The group of constants.txt whose lines have a text.
ERROR_CLASSES = "error classes"


@dataclasses.dataclass(frozen=True)
class Kind:
    name: str
    category: str
    c_type: str
    large_c_type: str
    fortran: str
    object: str
    check: str


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str
    kind: Kind
    direction: str  # "in", "out", "inout"
    nullable: bool  # a handle that may be the null handle
    array: str  # "" for a scalar; else the length: a parameter, "size", "peers", "inneighbors", "outneighbors", "*"
    count: str  # of a buffer: the parameter that counts its elements ("" when unchecked)
    datatype: str  # of a buffer: the parameter that is their type
    function: str  # of a function: "User" for MPI_User_function
    root_only: bool  # significant only at the root


@dataclasses.dataclass(frozen=True)
class Field:
    """What a field of a collective's arguments is: a parameter, or what `function` makes of some."""

    name: str
    function: str  # "" when the field is the parameter
    parameters: tuple  # their names


@dataclasses.dataclass(frozen=True)
class Collective:
    """How the implementations of X, IX and X_init run (emit_calls.py writes them)."""

    arguments: str  # struct of coll/Arguments.h
    fields: tuple
    topology: bool  # the communicator must have one
    kept: Field | None  # what makes the objects of arrays of datatypes, and keeps them alive; None: there are none


@dataclasses.dataclass(frozen=True)
class Row:
    chapter: str
    name: str  # without MPI_
    implemented: bool
    parameters: tuple
    result: Kind | None  # None: int, an error code
    attributes: dict
    line: str  # file:line
    collective: Collective | None = None
    base: str = ""  # X, of the IX and X_init that a collective X has beside it

    def has(self, attribute):
        return attribute in self.attributes

    @property
    def large(self):
        """Whether the row has an MPI_X_c form."""
        if self.has("conly") or self.has("removed") or self.has("small"):
            return False
        return any(
            p.kind.large_c_type != p.kind.c_type or p.function in ("User", "Datarep_conversion")
            for p in self.parameters
        )


@dataclasses.dataclass(frozen=True)
class Constant:
    name: str
    group: str
    type: str  # C type, "int" for plain integers
    value: str
    fortran: str  # "" when Fortran does not have it; else its Fortran value or "same"
    text: str  # of an error class: what MPI_Error_string says


def _lines(path):
    """Logical lines: comments dropped, an indented line continues the one before."""
    logical, number = None, 0
    for index, text in enumerate(path.read_text().splitlines(), 1):
        text = text.split("#")[0].rstrip() if text.lstrip().startswith("#") else text.rstrip()
        if not text:
            continue
        if text[0] == " " and logical is not None:
            logical += " " + text.strip()
            continue
        if logical is not None:
            yield f"{path.name}:{number}", logical
        logical, number = text, index
    if logical is not None:
        yield f"{path.name}:{number}", logical


def read_kinds(path):
    kinds = {}
    for where, text in _lines(path):
        fields = text.split()
        if len(fields) != 7:
            raise TableError(f"{where}: a kind has 7 columns, this line has {len(fields)}")
        name, category, c_type, large, fortran, object_, check = fields
        large = c_type if large == "=" else large
        kinds[name] = Kind(name, category, c_type, large, fortran, object_.strip("-"), check.strip("-"))
    return kinds


_PARAMETER = re.compile(r"(\w+):(<>|>)?(\w+)(?:\((\w+)\))?(\?)?(?:\[([\w*]+)(?:,(\w+))?\])?(@root)?$")
_ATTRIBUTE = re.compile(r"@(\w+)(?:\((\w+)\))?$")
_FIELD = re.compile(r"(\w+)(?:=(\w+)(?:\(([\w,]+)\))?)?$")
_KEPT = re.compile(r"@kept\((\w+),([\w,]+)\)$")
# What the other forms of a collective add to its parameters and attributes.
_NONBLOCKING = "request:>request", {}
_PERSISTENT = "info:info? request:>request", {"since": "4"}


def _parameter(where, text, kinds):
    match = _PARAMETER.match(text)
    if not match:
        raise TableError(f"{where}: `{text}` is not of the form name:kind")
    name, direction, kind, argument, nullable, first, second, root = match.groups()
    if kind not in kinds:
        raise TableError(f"{where}: no kind `{kind}` in kinds.txt")
    kind = kinds[kind]
    buffer = kind.category == "buffer"
    return Parameter(
        name=name,
        kind=kind,
        direction={None: "in", ">": "out", "<>": "inout"}[direction],
        nullable=bool(nullable),
        array="" if buffer else first or "",
        count=first or "" if buffer else "",
        datatype=second or "" if buffer else "",
        function=argument or "",
        root_only=bool(root),
    )


def _field(where, text):
    match = _FIELD.match(text)
    if not match:
        raise TableError(f"{where}: `{text}` is not of the form field, field=parameter or field=function(parameter,…)")
    name, value, arguments = match.groups()
    if arguments:
        return Field(name, value, tuple(arguments.split(",")))
    return Field(name, "", (value or name,))


def _collective(where, text):
    arguments, *words = text.split()
    kept = next((match for match in map(_KEPT.match, words) if match), None)
    return Collective(
        arguments,
        tuple(_field(where, word) for word in words if not word.startswith("@")),
        "@topology" in words,
        Field("kept", kept[1], tuple(kept[2].split(","))) if kept else None,
    )


def forms(row, kinds):
    """The functions of a row: itself and, of a collective, the nonblocking and the persistent one."""
    yield row
    if row.collective:
        for name, (added, attributes) in (
            ("I" + row.name[0].lower() + row.name[1:], _NONBLOCKING),
            (row.name + "_init", _PERSISTENT),
        ):
            more = tuple(_parameter(row.line, text, kinds) for text in added.split())
            attributes = {**row.attributes, **attributes}
            yield dataclasses.replace(
                row, name=name, parameters=row.parameters + more, attributes=attributes, collective=None, base=row.name
            )


def _row(where, chapter, text, kinds):
    text, _, collective = text.partition(" @collective ")
    fields = text.split()
    if fields[0] not in "+-" or len(fields) < 2:
        raise TableError(f"{where}: a row starts with + (implemented) or - and the function's name")
    parameters, attributes, result = [], {}, None
    rest = iter(fields[2:])
    for field in rest:
        if field == "->":
            name = next(rest)
            if name not in kinds:
                raise TableError(f"{where}: no kind `{name}` in kinds.txt")
            result = kinds[name]
        elif field.startswith("@"):
            match = _ATTRIBUTE.match(field)
            if not match:
                raise TableError(f"{where}: `{field}` is not an attribute")
            attributes[match[1]] = match[2] or True
        else:
            parameters.append(_parameter(where, field, kinds))
    row = Row(
        chapter,
        fields[1],
        fields[0] == "+",
        tuple(parameters),
        result,
        attributes,
        where,
        _collective(where, collective) if collective else None,
    )
    _check_references(row)
    return row


def _check_references(row):
    names = {p.name for p in row.parameters}
    for parameter in row.parameters:
        for other in (parameter.count, parameter.datatype):
            if other and other not in names:
                raise TableError(f"{row.line}: {row.name} has no parameter `{other}`")
        if parameter.array and not (parameter.array in ("*", "size", "peers", *NEIGHBORS) or parameter.array in names):
            raise TableError(f"{row.line}: {row.name} has no parameter `{parameter.array}`")
    if row.collective:
        _check_fields(row, names)


def _check_fields(row, names):
    """Each parameter goes into one field, but the communicator, which each operation has."""
    used = [name for field in row.collective.fields for name in field.parameters if name != "comm"]
    for name in [*used, *(row.collective.kept.parameters if row.collective.kept else ())]:
        if name not in names:
            raise TableError(f"{row.line}: {row.name} has no parameter `{name}`")
    for name in sorted(names - {"comm"}):
        if used.count(name) != 1:
            raise TableError(f"{row.line}: {used.count(name)} fields of {row.collective.arguments} take `{name}` of {row.name}")


def read_rows(folder, kinds):
    rows = []
    for path in sorted(folder.glob("*.txt")):
        for where, text in _lines(path):
            rows += forms(_row(where, path.stem, text, kinds), kinds)
    seen = {}
    for row in rows:
        if row.name in seen:
            raise TableError(f"{row.line}: {row.name} is also at {seen[row.name]}")
        seen[row.name] = row.line
    return sorted(rows, key=lambda row: row.name)


def read_constants(path):
    """Lines `[group: comment]`, then `NAME type value fortran`, and a text in the group of error classes alone."""
    constants, group = [], ""
    for where, line in _lines(path):
        if line.startswith("["):
            group = line.strip("[]")
            continue
        fields = line.split(None, 4)
        if len(fields) != (5 if group == ERROR_CLASSES else 4):
            raise TableError(f"{where}: a constant is NAME type value fortran, and a text for an error class")
        name, c_type, value, fortran, *text = fields
        constants.append(Constant(name, group, c_type, value, fortran.strip("-"), "".join(text)))
    return constants


def load(folder):
    """All tables of the folder runtime/api: (kinds, constants, rows)."""
    folder = pathlib.Path(folder)
    kinds = read_kinds(folder / "kinds.txt")
    return kinds, read_constants(folder / "constants.txt"), read_rows(folder / "table", kinds)


def fail(error):
    print(error, file=sys.stderr)
    sys.exit(1)
