# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the implementations of collectives, impl::X, impl::IX and impl::X_init, from the rows with @collective: what is
checked, the arguments that the operation runs on, and what must live as long as it does."""

from c_types import declare_impl, is_object
from emit_headers import LICENCE, wrap
from tables import forms


class _Call:
    """One collective: a function that makes its arguments, and its three forms."""

    def __init__(self, row):
        self.row, self.collective = row, row.collective
        self.named = {p.name: p for p in row.parameters}
        self.maker = self.collective.arguments[0].lower() + self.collective.arguments[1:]
        if row.name.startswith("Neighbor_"):  # they share a struct
            self.maker = "neighbor" + row.name.removeprefix("Neighbor_").capitalize() + "Args"
        # Whether the arguments point into what is kept.
        self.points = any(not f.function and self._is_list(f) for f in self.collective.fields)

    def _is_list(self, field):
        return self.named[field.parameters[0]].kind.object == "Datatype" and self.named[field.parameters[0]].array

    def _field(self, field):
        if field.function:
            return f"  {field.function}({', '.join([f'args.{field.name}', *field.parameters])});"
        parameter = self.named[field.parameters[0]]
        if self._is_list(field):
            return f"  args.{field.name} = kept.{field.name}.data();"
        return f"  args.{field.name} = {'&' if is_object(parameter) else ''}{parameter.name};"

    def _declared(self, row):
        return [declare_impl(row, p) for p in row.parameters]

    def arguments(self):
        """The function that makes the arguments, which the forms share."""
        declared = ", ".join([*self._declared(self.row), *(["const Kept &kept"] if self.points else [])])
        name = self.collective.arguments
        fields = [self._field(f) for f in self.collective.fields]
        body = [f"  auto args = argumentsOn<{name}>(comm);", *fields, "  return args;"] if fields else [f"  return argumentsOn<{name}>(comm);"]
        return "\n".join([wrap(f"static {name} {self.maker}({declared}) {{"), *body, "}"])

    def _checks(self):
        if self.collective.topology:
            yield "  if (int error = checkTopology(comm))\n    return error;"
        if "op" in self.named:
            # Of an intercommunicator's group that only looks on, the type and the op say nothing.
            checked = "checkOp(op, datatype, comm)"
            checked = f"root == MPI_PROC_NULL ? MPI_SUCCESS : {checked}" if "root" in self.named else checked
            yield f"  if (int error = {checked})\n    return error;"

    def _kept(self):
        """What an operation under way must keep alive, as an initialiser."""
        types = [p.name for p in self.row.parameters if p.kind.object == "Datatype" and is_object(p)]
        keeps = [f"{{{', '.join(types)}}}"] if types else []
        return f"{{{', '.join([*keeps, *(['&op'] if 'op' in self.named else [])])}}}"

    def _form(self, row, run, blocking):
        kept = self.collective.kept
        args = ", ".join([*(p.name for p in self.row.parameters), *(["kept"] if self.points else [])])
        args = f"{self.maker}({args})"
        lines = [wrap(f"int {row.name}({', '.join(self._declared(row))}) {{"), *self._checks()]
        if kept and (self.points or not blocking):
            lines.append(f"  Kept kept = {kept.function}(comm, {', '.join(kept.parameters)});")
        if blocking:
            lines.append(wrap(f"  return {run}({args});"))
        elif kept:
            lines.append(wrap(f"  const auto args = {args};"))
            lines.append(f'  return {run}("MPI_{row.name}", args, std::move(kept), request);')
        else:
            lines.append(wrap(f'  return {run}("MPI_{row.name}", {args}, {self._kept()}, request);'))
        return "\n".join([*lines, "}"])

    def text(self, kinds):
        blocking, nonblocking, persistent = forms(self.row, kinds)
        functions = [self._form(blocking, "perform", True), self._form(nonblocking, "start", False)]
        return "\n".join([self.arguments(), *functions, self._form(persistent, "prepare", False), ""])


def calls_source(rows, kinds):
    out = [f"// {LICENCE}", "/// \\file", "/// The implementations of MPI's collectives: checks, arguments, and how an operation runs. Generated."]
    out += ['#include "coll/Timed.h"', '#include "coll/calls/Collectives.h"', '#include "coll/calls/Neighbors.h"', '#include "impl/Impl.h"']
    out += ["", "#include <utility>", "", "namespace gnomon::impl {", "", "using namespace coll;", ""]
    out += [_Call(row).text(kinds) for row in rows if row.collective and row.implemented]
    out += ["} // namespace gnomon::impl", ""]
    return "\n".join(out)
