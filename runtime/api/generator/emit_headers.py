# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes mpi.h, for the user, and impl/Impl.h and impl/ErrorClasses.def, for the rooms that implement MPI."""

import tables
from c_types import declare_impl, has_impl, is_object, prototype, result_type

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

# The callbacks of MPI: name, result, parameters. X of MPI_X_function.
_ATTRIBUTE_COPY = "{0} object, int keyval, void *extra_state, void *value_in, void *value_out, int *flag"
_ATTRIBUTE_DELETE = "{0} object, int keyval, void *value, void *extra_state"
_CONVERSION = "void *userbuf, MPI_Datatype datatype, {0} count, void *filebuf, MPI_Offset position, void *extra_state"
_REDUCTION = "void *invec, void *inoutvec, {0} *len, MPI_Datatype *datatype"
_EVENT = "MPI_T_event_registration registration, {0}MPI_T_cb_safety safety, void *user_data"
CALLBACKS = [
    ("User", "void", _REDUCTION.format("int")),
    ("User_c", "void", _REDUCTION.format("MPI_Count")),
    ("Comm_copy_attr", "int", _ATTRIBUTE_COPY.format("MPI_Comm")),
    ("Comm_delete_attr", "int", _ATTRIBUTE_DELETE.format("MPI_Comm")),
    ("Type_copy_attr", "int", _ATTRIBUTE_COPY.format("MPI_Datatype")),
    ("Type_delete_attr", "int", _ATTRIBUTE_DELETE.format("MPI_Datatype")),
    ("Win_copy_attr", "int", _ATTRIBUTE_COPY.format("MPI_Win")),
    ("Win_delete_attr", "int", _ATTRIBUTE_DELETE.format("MPI_Win")),
    ("Comm_errhandler", "void", "MPI_Comm *comm, int *code, ..."),
    ("File_errhandler", "void", "MPI_File *file, int *code, ..."),
    ("Win_errhandler", "void", "MPI_Win *win, int *code, ..."),
    ("Session_errhandler", "void", "MPI_Session *session, int *code, ..."),
    ("Grequest_query", "int", "void *extra_state, MPI_Status *status"),
    ("Grequest_free", "int", "void *extra_state"),
    ("Grequest_cancel", "int", "void *extra_state, int complete"),
    ("Datarep_extent", "int", "MPI_Datatype datatype, MPI_Aint *extent, void *extra_state"),
    ("Datarep_conversion", "int", _CONVERSION.format("int")),
    ("Datarep_conversion_c", "int", _CONVERSION.format("MPI_Count")),
    ("T_event_cb", "void", "MPI_T_event_instance instance, " + _EVENT.format("")),
    ("T_event_free_cb", "void", _EVENT.format("")),
    ("T_event_dropped_cb", "void", "MPI_Count count, " + _EVENT.format("int source_index, ")),
]

_HANDLES = "Comm Datatype Errhandler File Group Info Message Op Request Session Win".split()
_TOOL_HANDLES = "enum cvar_handle pvar_handle pvar_session event_registration event_instance".split()

_TYPES = """\
/* The standard ABI's types on a 64-bit Linux (LP64): intptr_t and int64_t are long there, and this spelling
 * needs no header and no C99. */
typedef long MPI_Aint;
typedef long MPI_Offset;
typedef long MPI_Count;
typedef int MPI_Fint;

typedef struct MPI_Status {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;
typedef MPI_Status MPI_F08_status;
"""

_COMPATIBILITY = """\
/* Names outside the ABI that programs use. */
#define MPI_F_STATUS_IGNORE ((MPI_Fint *)0)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint *)0)
#define MPI_F08_STATUS_IGNORE ((MPI_F08_status *)0)
#define MPI_F08_STATUSES_IGNORE ((MPI_F08_status *)0)
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef MPI_Session_errhandler_function MPI_Session_errhandler_fn;
"""


def callback_type(name):
    """MPI_User_function; MPI_User_function_c for the large form `User_c`."""
    return f"MPI_{name[:-2]}_function_c" if name.endswith("_c") else f"MPI_{name}_function"


def _constant(constant):
    type_ = constant.type
    if type_ == "-":
        return None
    if type_ in ("int", "alias"):
        value = constant.value
        return f"#define {constant.name} {f'({value})' if value.startswith('-') else value}"
    if type_.startswith("fn("):
        type_ = callback_type(type_[3:-1]) + " *"
    elif type_.endswith("*"):
        type_ = type_.rstrip("*") + " " + "*" * type_.count("*")
    return f"#define {constant.name} (({type_}){constant.value})"


def _enum(name, constants):
    members = ",\n".join(f"  {c.name} = {c.value}" for c in constants)
    return f"typedef enum {name} {{\n{members}\n}} {name};\n"


def _constant_sections(constants):
    lines, group = [], None
    for constant in constants:
        text = None if constant.type.startswith("MPI_T_cb") or constant.type.startswith("MPI_T_source") else _constant(constant)
        if text is None:
            continue
        if constant.group != group:
            group = constant.group
            lines += ["", f"/* {group} */"]
        lines.append(text)
    return lines


def mpi_header(constants, rows, version):
    enums = [
        _enum(name, [c for c in constants if c.type == name]) for name in ("MPI_T_cb_safety", "MPI_T_source_order")
    ]
    out = [f"/* {LICENCE}", " *", f" * The C interface of MPI as Gnomon {version} simulates it, with the types and constants of the MPI 5.0"]
    out += [" * standard ABI. Generated from runtime/api; C89 to C++20. MPI_X and PMPI_X are the same function; MPI_X is weak,", " * so that a program or a tool may define its own. */"]
    out += ["#ifndef GNOMON_MPI_H", "#define GNOMON_MPI_H", "", "#define GNOMON_MPI 1", "", "#ifdef __cplusplus", 'extern "C" {', "#endif", "", _TYPES]
    out += [f"typedef struct MPI_ABI_{h} *MPI_{h};" for h in _HANDLES]
    out += [f"typedef struct MPI_ABI_T_{h} *MPI_T_{h};" for h in _TOOL_HANDLES]
    out += ["", *enums]
    out += [f"typedef {result} ({callback_type(name)})({parameters});" for name, result, parameters in CALLBACKS]
    out += ["", _COMPATIBILITY.rstrip(), *_constant_sections(constants)]
    # Two identical calls in one function keep their own lines in reports.
    out += ["#if defined(__clang__) && defined(__has_attribute)", "#if __has_attribute(nomerge)", "#pragma clang attribute push(__attribute__((nomerge)), apply_to = function)", "#define GNOMON_MPI_NOMERGE 1", "#endif", "#endif", ""]
    for prefix, title in (("MPI_", "functions"), ("PMPI_", "the same functions under their profiling names")):
        out += ["", f"/* {title} */"]
        for row in rows:
            out.append(prototype(row, prefix) + ";")
            if row.large:
                out.append(prototype(row, prefix, large=True) + ";")
    out += ["", "#ifdef GNOMON_MPI_NOMERGE", "#pragma clang attribute pop", "#undef GNOMON_MPI_NOMERGE", "#endif"]
    out += ["", "#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
    return "\n".join(out)


def wrap(text, width=100, indent="    "):
    """Breaks a long declaration after a comma."""
    lines = []
    while len(text) > width:
        cut = text.rfind(", ", 0, width) + 1
        if cut <= 0:
            break
        lines.append(text[:cut])
        text = indent + text[cut:].strip()
    return "\n".join([*lines, text])


def error_classes(constants):
    out = [f"// {LICENCE}", "// The error classes of MPI, and what MPI_Error_string says. Generated."]
    out += [f'GNOMON_ERROR({c.name}, "{c.text}")' for c in constants if c.group == tables.ERROR_CLASSES]
    return "\n".join([*out, ""])


def impl_header(rows):
    implemented = [row for row in rows if has_impl(row)]
    classes = sorted({p.kind.object for row in implemented for p in row.parameters if is_object(p)})
    out = [f"// {LICENCE}", "/// \\file"]
    out += ["/// What the rooms implement in their calls/: one function for each row of runtime/api/table that is marked +."]
    out += ["/// Generated. Arguments have been checked; handles that go in are the objects behind them (a pointer, possibly"]
    out += ["/// null, where the row says `?`); counts have the types of MPI_X_c. The result is an MPI error class; mpi::fail adds a detail to it."]
    out += ["#pragma once", "", '#include "mpi.h"', '#include "mpi/datatype/Counts.h"', "", "namespace gnomon::mpi {"]
    out += [f"class {c};" for c in classes]
    out += ["} // namespace gnomon::mpi", "", "namespace gnomon::impl {", ""]
    chapter = None
    for row in sorted(implemented, key=lambda r: (r.chapter, r.name)):
        if row.chapter != chapter:
            out += [f"// {row.chapter}"]
            chapter = row.chapter
        told = ["mpi::CountForm form = mpi::CountForm::Plain"] if row.has("form") else []
        parameters = ", ".join([*(declare_impl(row, p) for p in row.parameters if p.kind.category != "varargs"), *told])
        out.append(wrap(f"{result_type(row)} {row.name}({parameters});"))
    out += ["", "} // namespace gnomon::impl", ""]
    return "\n".join(out)


def version_header(version):
    return f"""\
// {LICENCE}
/// \\file
/// The version that messages and MPI_Get_library_version state. Generated.
#pragma once

namespace gnomon::api {{
inline constexpr char Version[] = "{version}";
}} // namespace gnomon::api
"""
