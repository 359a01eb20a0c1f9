# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the JSON of `gnomon analyze` on Inputs/project: schema, order, and one variable of each kind."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "support"))
import json_schema  # noqa: E402

report = json_schema.validate(open(sys.argv[1]).read(), "analyze", sys.argv[2])
variables = report["variables"]
keys = ["name", "symbol", "file", "line", "column", "type", "bytes", "storage", "thread_local", "fate", "reason"]
assert all(list(variable) == keys for variable in variables)
order = [(v["file"], v["line"], v["column"], v["name"]) for v in variables]
assert order == sorted(order) and len(set(order)) == len(order)

expected = {  # name: (storage, thread_local, fate)
    "counter": ("global", False, "privatised"),
    "fileStatic": ("file static", False, "privatised"),
    "answer": ("global", False, "shared-const"),
    "next::calls": ("function static", False, "privatised"),
    "Counter::instances": ("class static", False, "privatised"),
    "Pool<int>::first": ("template static", False, "privatised"),
    "local<int>::value": ("template static", False, "privatised"),
    "perThread": ("global", True, "thread-local"),
    "requested": ("global", False, "shared-by-request"),
    "inAssembly": ("global", False, "shared-by-need"),
    "elsewhere": ("global", False, "external"),
}
found = {v["name"]: (v["storage"], v["thread_local"], v["fate"]) for v in variables}
for name, what in expected.items():
    assert found[name] == what, (name, found[name], what)
assert sum(v["bytes"] for v in variables if v["fate"] in ("privatised", "thread-local")) == report["totals"]["privatised_bytes"]
