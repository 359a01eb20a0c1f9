# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes gnomon::api::X_c, the large-count forms, as the plain function with narrowed arguments."""

from c_types import declare
from tables import NEIGHBORS


def _differs(parameter):
    return parameter.kind.large_c_type != parameter.kind.c_type


def narrows(row):
    """Whether every wide argument of the large form can be narrowed (or widened back)."""
    if not (row.large and row.implemented) or any(p.function in ("User", "Datarep_conversion") for p in row.parameters):
        return False
    return all(not p.array or (p.direction == "in" and p.array != "*") for p in row.parameters if _differs(p))


def in_fortran(row):
    """Whether mpi_f08's generic MPI_X takes the large counts too: where the older counts are default INTEGERs."""
    return narrows(row) and not row.has("byhand") and any(_differs(p) and p.kind.fortran == "int" for p in row.parameters)


def _length(row, parameter):
    if parameter.array in ("size", "peers"):
        if parameter.array == "size":
            return "members(comm)"
        return "peersAtRoot(comm, root)" if parameter.root_only else "peers(comm)"
    if parameter.array in NEIGHBORS:
        return f"{NEIGHBORS[parameter.array]}(comm)"
    counter = next(p for p in row.parameters if p.name == parameter.array)
    return f"{counter.name}Small" if _differs(counter) else counter.name


def large_entry(row, site):
    """The text of gnomon::api::X_c."""
    parameters = ", ".join([site, *(declare(p, True) for p in row.parameters)])
    before, arguments, after = ["Narrowing narrow;"], [], []
    for parameter in row.parameters:
        name, small = parameter.name, parameter.kind.c_type
        if not _differs(parameter):
            arguments.append(name)
        elif parameter.array:
            before.append(f'auto {name}Small = narrow.array<{small}>("{name}", {name}, {_length(row, parameter)});')
            arguments.append(f"{name}Small.data()")
        elif parameter.direction == "in":
            before.append(f'const {small} {name}Small = narrow.value<{small}>("{name}", {name});')
            arguments.append(f"{name}Small")
        else:
            initial = f'narrow.value<{small}>("{name}", *{name})' if parameter.direction == "inout" else "0"
            before.append(f"{small} {name}Small = {initial};")
            arguments.append(f"&{name}Small")
            after.append(f"*{name} = {name}Small;")
    before.append(f'if (narrow.failed())\n    return narrow.finish("MPI_{row.name}_c", site);')
    call = f"{row.name}(site, {', '.join(arguments)})"
    if after:
        before.append(f"const int code = {call};\n  if (code == MPI_SUCCESS) {{\n    " + "\n    ".join(after) + "\n  }\n  return code;")
    else:
        before.append(f"return {call};")
    return f"int {row.name}_c({parameters}) {{\n" + "".join(f"  {line}\n" for line in before) + "}\n"
