#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: what a table registers, some test mentions: options of the driver, subcommands, annotations, hooks.

The clang plugin checks its own diagnostics (test/lit/plugin/registry.test).

A test that mentions a name proves little; a name that no test mentions proves that nobody tried it.
"""

import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])

# Table, macro whose first or second argument is the registered name, which argument.
TABLES = [
    ("runtime/include/gnomon/Options.def", "GNOMON_OPTION", 1),
    ("driver/Subcommands.def", "GNOMON_SUBCOMMAND", 0),
    ("driver/Subcommands.def", "GNOMON_LATER", 0),
    ("driver/CheckOptions.def", "GNOMON_CHECK_OPTION", 0),
    ("driver/TraceOptions.def", "GNOMON_TRACE_COMMAND", 0),
    ("driver/TraceOptions.def", "GNOMON_TRACE_OPTION", 0),
    ("driver/CalibrateOptions.def", "GNOMON_CALIBRATE_COMMAND", 0),
    ("driver/CalibrateOptions.def", "GNOMON_CALIBRATE_OPTION", 0),
    ("driver/check/Lints.def", "GNOMON_LINT", 1),
    ("runtime/include/gnomon/Hooks.def", "GNOMON_HOOK", 1),
    ("runtime/include/gnomon/Annotations.def", "GNOMON_ANNOTATION", 1),
]


def registered(table, macro, position):
    text = re.sub(r"//[^\n]*", "", (SOURCE / table).read_text())
    for arguments in re.findall(rf"^\s*{macro}\((.*)$", text, re.MULTILINE):
        yield arguments.split(",")[position].strip(' ")=')


def test_text():
    folders = [SOURCE / "test", SOURCE / "examples", *SOURCE.glob("runtime/*/test"), *SOURCE.glob("*/test")]
    texts = []
    for folder in set(folders):
        for path in folder.rglob("*"):
            if path.is_file() and path.name != "registry.py":
                texts.append(path.read_text(errors="replace"))
    return "\n".join(texts)


def main():
    text = test_text()
    errors, names = [], 0
    for table, macro, position in TABLES:
        if not (SOURCE / table).exists():
            continue
        for name in registered(table, macro, position):
            names += 1
            if not re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", text):
                errors.append(f"{table}: no test mentions {name}")
    if names < 15:
        errors.append(f"only {names} registered names found: this test misreads the tables")
    print("\n".join(errors) or f"{names} registered names: each is mentioned by a test")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
