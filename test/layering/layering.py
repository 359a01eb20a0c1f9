#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a room of runtime/ includes only rooms below it, and third-party libraries stay where they belong.

ALLOWED is the one list of who may include whom. The design's order is
  support < kernel, solver, platform < models < process < p2p < mpi < coll < rma, io < api < launch, and output beside launch.
"""

import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])

ORDER = ["support", ("kernel", "solver", "platform"), "models", "process", "p2p", "mpi", "coll", ("rma", "io"), "api", "launch"]


def allowed_rooms():
    below, allowed = [], {}
    for floor in ORDER:
        rooms = [floor] if isinstance(floor, str) else list(floor)
        for room in rooms:
            allowed[room] = {room, *below}
        below += rooms
    # output implements the observers of every room, and only launch knows it.
    allowed["output"] = {"output", *below} - {"launch"}
    allowed["launch"].add("output")
    # Prototypes that the generator makes from the API tables; whoever implements a function includes them.
    for room in ("mpi", "coll", "rma", "io", "api", "launch"):
        allowed[room].add("impl")
    # The driver is a program of its own.
    allowed["draw"] = {"draw", "platform", "support"}
    allowed["check"] = {"check", "draw", "models", "platform", "support"}
    allowed["driver"] = {"driver", "check", "support"}
    for room in allowed:
        allowed[room].add("gnomon")
    return allowed


# Third-party headers and the only folders that may include them.
LIBRARIES = {
    r"boost/": {"kernel"},
    r"pugixml": {"platform"},
    r"nlohmann/": {"driver", "check", "output"},
    r"fmt/": {"driver", "check", "draw", "output", "launch", "support", "kernel", "platform", "models"},
    r"(llvm|clang|lld|mlir)(-c)?/": set(),
}


def includes_of(path):
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if found:
            yield number, found.group(1), found.group(2)


def check_file(path, room, allowed):
    for number, quote, name in includes_of(path):
        where = f"{path.relative_to(SOURCE)}:{number}"
        first = name.split("/")[0]
        if quote == '"' and "/" in name and first not in allowed[room] and not (path.parent / name).exists():
            yield f"{where}: {room} may not include \"{name}\""
        for library, rooms in LIBRARIES.items():
            if re.match(library, name) and room not in rooms:
                yield f"{where}: {room} may not include <{name}>"


def main():
    allowed = allowed_rooms()
    errors, files = [], 0
    for folder in [*sorted((SOURCE / "runtime").iterdir()), SOURCE / "driver"]:
        if not folder.is_dir() or folder.name == "include":
            continue
        if folder.name not in allowed:
            errors.append(f"runtime/{folder.name}: no such room in test/layering/layering.py")
            continue
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder).parts
            if path.suffix in (".h", ".cpp", ".c") and "test" not in inside and "bench" not in inside:
                files += 1
                # driver/ has rooms of its own.
                room = inside[0] if folder.name == "driver" and len(inside) > 1 else folder.name
                errors += check_file(path, room, allowed)
    if files < 10:
        errors.append(f"only {files} files found under {SOURCE}: this test looks in the wrong place")
    print("\n".join(errors) or f"{files} files: every include is allowed")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
