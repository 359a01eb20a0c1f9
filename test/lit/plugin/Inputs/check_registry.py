# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when a diagnostic or a limit of the plugin is mentioned by no test: check_registry.py SOURCE_DIR."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
tests = "\n".join(p.read_text() for p in (source / "test/lit/plugin").glob("*.*") if p.is_file())
missing = []
for table, pattern in [("Diagnostics.def", r"^GNOMON_DIAGNOSTIC\((\w+)"), ("Limits.def", r"^GNOMON_LIMIT\((\w+)")]:
    text = (source / "clang-plugin" / table).read_text()
    missing += [f"{table}: {name}" for name in re.findall(pattern, text, re.M) if not re.search(rf"\b{name}\b", tests)]
if missing:
    sys.exit("mentioned by no test of test/lit/plugin: " + ", ".join(missing))
