# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a parameter is declared in C: for mpi.h (user's view) and impl/Impl.h (implementation's view)."""


def base_type(parameter, large=False):
    if parameter.kind.category == "function":
        suffix = "_c" if large and parameter.function in ("User", "Datarep_conversion") else ""
        return f"MPI_{parameter.function}_function{suffix}"
    return parameter.kind.large_c_type if large else parameter.kind.c_type


def _join(type_, name):
    return f"{type_}{name}" if type_.endswith("*") else f"{type_} {name}"


def declare(parameter, large=False, arrays=True):
    """`const int displs[]`; with arrays=False `const int *displs`."""
    name, category = parameter.name, parameter.kind.category
    type_ = base_type(parameter, large)
    constant = "const " if parameter.direction == "in" else ""
    if category == "varargs":
        return "..."
    if parameter.kind.name == "range":
        return f"int {name}[][3]" if arrays else f"int (*{name})[3]"
    if category in ("buffer", "address", "pointer", "attribute", "state"):
        return f"{constant if category == 'buffer' else ''}void *{name}"
    if category == "string":
        return f"{constant}char *{name}"
    if category in ("strings", "stringlists"):
        stars = "char *" if category == "strings" else "char **"
        return f"{stars}{name}[]" if arrays else f"{stars}*{name}"
    if category == "argument":
        return f"{type_.rstrip('*')} {'*' * type_.count('*')}{name}"
    if category == "function":
        return f"{type_} *{name}"
    if parameter.array:
        return f"{constant}{_join(type_, name)}[]" if arrays else f"{constant}{type_} *{name}"
    if category in ("status", "fstatus", "f08status"):
        return f"{constant}{type_} *{name}"
    if parameter.direction == "in":
        return _join(type_, name)
    return f"{type_} *{name}"


def result_type(row):
    return row.result.c_type if row.result else "int"


def parameters(row, large=False, arrays=True):
    return ", ".join(declare(p, large, arrays) for p in row.parameters) or "void"


def prototype(row, prefix, large=False):
    """`int MPI_Send(const void *buf, …)` without the semicolon."""
    suffix = "_c" if large else ""
    return f"{_join(result_type(row), prefix + row.name + suffix)}({parameters(row, large)})"


def is_object(parameter):
    """Whether the implementation gets the object behind a handle instead of the handle."""
    return parameter.kind.category == "handle" and parameter.direction == "in" and not parameter.array


def widened(parameter):
    """Whether the large form's type is another than the plain form's to C++, and not just to the reader."""
    return parameter.kind.c_type == "int" and parameter.kind.large_c_type != "int"


def declare_impl(row, parameter):
    if is_object(parameter):
        return f"mpi::{parameter.kind.object} {'*' if parameter.nullable else '&'}{parameter.name}"
    if row.large and widened(parameter) and parameter.array and parameter.direction == "in":
        return f"mpi::Counts {parameter.name}"
    return declare(parameter, row.large and widened(parameter), arrays=False)


def impl_name(row):
    """The function of gnomon::impl that a row calls: its own, or that of the row it is another name of."""
    return row.attributes.get("alias", row.name)


def has_impl(row):
    return row.implemented and not row.has("cast") and not row.has("alias")
