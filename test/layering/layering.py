#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a room of runtime/, driver/ and llvm-pass/ includes only rooms below it, no two files include each other in
a circle, a room's calls/ is included by nobody else, and third-party libraries stay where they belong.

ORDER, INSIDE, PASS_ORDER and allowed_rooms() are the one list of who may include whom. The design's order is
  support < kernel, solver, platform, trace < models < process < p2p < mpi < coll < rma, io < api < replay < launch, and output beside launch;
of the passes
  names < facts < link, mark, points-to, overrides, work < privatise, entry, fibers, slice, count < fold < partitions, bursts, real-mpi < Plugin.cpp.
"""

import graphlib
import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])

ORDER = ["support", ("kernel", "solver", "platform", "trace"), "trace-formats", "models", "process", "p2p", "mpi", "coll", ("rma", "io"), "api", "replay", "launch"]

# Rooms that are divided, and the order inside: rooms above include all of it. A tuple is a floor of rooms that do not see
# each other, a list a floor of rooms that do. "" are the files of the divided room itself.
INSIDE = {"mpi": ["datatype", ["", "comm", "request"], "calls"], "process": ["image", "files", "ranks", "fold", "merge", ("burst", "libc")]}

PASS_ORDER = ["names", "facts", ("link", "mark", "points-to", "overrides", "work"),
              ("privatise", "entry", "fibers", "slice", "count"), "fold", ("partitions", "bursts", "real-mpi")]


def room_of(parts):
    """The room of a file or an include, by the parts of its path below runtime/: "kernel", "mpi", "mpi/calls"."""
    return "/".join(parts[:2]) if len(parts) > 2 and parts[0] in INSIDE else parts[0]


def rooms_of(floor, inside=None):
    names = [floor] if isinstance(floor, str) else list(floor)
    return names if inside is None else [f"{inside}/{name}".rstrip("/") for name in names]


def undivided(order):
    """The floors of `order` as (rooms, whether they see each other); a divided room becomes the floors inside it."""
    for floor in order:
        for room in rooms_of(floor):
            for part in INSIDE.get(room, []):
                yield rooms_of(part, room), isinstance(part, list)
        rooms = [room for room in rooms_of(floor) if room not in INSIDE]
        if rooms:
            yield rooms, False


def floors(order):
    """All rooms of `order`, and for each the set of those that it may include."""
    below, allowed = [], {}
    for rooms, together in undivided(order):
        for room in rooms:
            allowed[room] = {room, *below, *(rooms if together else [])}
        below += rooms
    return below, allowed


def allowed_rooms():
    below, allowed = floors(ORDER)
    # output implements the observers of every room, and only launch knows it.
    allowed["output"] = {"output", *below} - {"launch"}
    allowed["launch"].add("output")
    # Prototypes that the generator makes from the API tables; whoever implements a function includes them.
    for room in allowed:
        if room.split("/")[0] in ("mpi", "coll", "rma", "io", "api", "replay", "launch"):
            allowed[room].add("impl")
    # The driver is a program of its own.
    allowed["draw"] = {"draw", "platform", "support"}
    allowed["check"] = {"check", "draw", "models", "platform", "support"}
    allowed["traces"] = {"traces", "trace", "trace-formats", "support"}
    allowed["slices"] = {"slices", "trace", "trace-formats", "support"}
    allowed["patterns"] = {"patterns", "slices", "trace", "trace-formats", "support"}
    allowed["extrapolation"] = {"extrapolation", "patterns", "slices", "trace", "trace-formats", "support"}
    allowed["cpu"] = {"cpu", "support"}
    allowed["sweep"] = {"sweep", "draw", "platform", "support"}
    allowed["measurements"] = {"measurements", "platform", "support"}
    allowed["segments"] = {"segments"}
    allowed["calibration"] = {"calibration", "measurements", "segments", "draw", "models", "support"}
    allowed["driver"] = {"driver", "calibration", "check", "cpu", "extrapolation", "measurements", "patterns", "segments", "slices", "sweep", "traces", "platform", "trace", "trace-formats", "support"}
    for room in allowed:
        allowed[room].add("gnomon")
    return allowed


def allowed_passes():
    rooms, allowed = floors(PASS_ORDER)
    # Plugin.cpp, which registers the passes, stands at the root.
    allowed["llvm-pass"] = set(rooms)
    for room in allowed:
        allowed[room].add("gnomon")
    return allowed


# Third-party headers and the only folders that may include them.
LIBRARIES = {
    r"boost/": {"kernel"},
    r"pugixml": {"platform", "draw", "sweep"},
    r"xxhash": {"support"},
    r"nlohmann/": {"driver", "calibration", "check", "cpu", "output", "sweep", "traces"},
    r"fmt/": {"api", "calibration", "check", "coll", "cpu", "draw", "driver", "extrapolation", "io", "kernel", "launch", "measurements", "models", "mpi", "output", "p2p", "patterns", "platform",
             "process", "replay", "rma", "slices", "support", "sweep", "trace", "trace-formats", "traces"},
    r"llvm(-c)?/": {"llvm-pass", "clang-plugin"},
    r"clang(-c)?/": {"clang-plugin"},
    r"(lld|mlir)(-c)?/": set(),
}


def includes_of(path):
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if found:
            yield number, found.group(1), found.group(2)


def check_file(path, room, allowed, tree=None):
    """Of one file; tree is the folder that its libraries are listed for, where that is not the room."""
    for number, quote, name in includes_of(path):
        where = f"{path.relative_to(SOURCE)}:{number}"
        included = room_of(name.split("/"))
        # The functions of MPI: named by rows of room api's tables, and by nothing else.
        if re.match(r"\w+/calls/", name) and path.parent.name != "calls":
            yield f"{where}: only a folder calls/ may include \"{name}\""
        library = next((rooms for library, rooms in LIBRARIES.items() if re.match(library, name)), None)
        if library is not None:
            if (tree or room.split("/")[0]) not in library:
                yield f"{where}: {room} may not include <{name}>"
        elif quote == '"' and "/" in name and included not in allowed[room] and not (path.parent / name).exists():
            yield f"{where}: {room} may not include \"{name}\""
        elif tree == "llvm-pass" and quote == '"' and "/" not in name and not name.endswith(".inc"):
            yield f"{where}: \"{name}\" lacks its room"


def sources_of(folder):
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        if path.suffix in (".h", ".cpp", ".c") and "test" not in inside and "bench" not in inside:
            yield path, inside


def check_runtime():
    allowed = allowed_rooms()
    for folder in [*sorted((SOURCE / "runtime").iterdir()), SOURCE / "driver"]:
        if not folder.is_dir() or folder.name == "include":
            continue
        if folder.name not in allowed and folder.name not in INSIDE:
            yield None, [f"runtime/{folder.name}: no such room in test/layering/layering.py"]
            continue
        for path, inside in sources_of(folder):
            # driver/ has rooms of its own.
            room = inside[0] if folder.name == "driver" and len(inside) > 1 else room_of((folder.name, *inside))
            if room in allowed:
                yield path, check_file(path, room, allowed)
            else:
                yield path, [f"runtime/{room}: no such room in test/layering/layering.py"]


def check_compiler_side():
    allowed = allowed_passes()
    for path, inside in sources_of(SOURCE / "llvm-pass"):
        room = inside[0] if len(inside) > 1 else "llvm-pass"
        if room in allowed:
            yield path, check_file(path, room, allowed, "llvm-pass")
        else:
            yield path, [f"llvm-pass/{room}: no such room in test/layering/layering.py"]
    for path, _ in sources_of(SOURCE / "clang-plugin"):
        yield path, check_file(path, "clang-plugin", {"clang-plugin": {"gnomon"}})


def circle(tree, files):
    """Headers of a tree that include each other, as a sentence; None where there is no such circle."""
    headers = {path for path in files if path.suffix == ".h"}
    graph = {}
    for path in headers:
        names = [name for _, quote, name in includes_of(path) if quote == '"']
        graph[path] = {found for name in names for found in (SOURCE / tree / name, path.parent / name) if found in headers}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return " -> ".join(str(path.relative_to(SOURCE)) for path in error.args[1]) + ": a circle of includes"
    return None


def main():
    errors, files = [], []
    for path, found in [*check_runtime(), *check_compiler_side()]:
        files += [path] if path else []
        errors += found
    for tree in ("runtime", "driver", "llvm-pass", "clang-plugin"):
        inside = [path for path in files if path.relative_to(SOURCE).parts[0] == tree]
        errors += filter(None, [circle(tree, inside)])
        if len(inside) < 10:
            errors.append(f"only {len(inside)} files found in {SOURCE / tree}: this test looks in the wrong place")
    print("\n".join(errors) or f"{len(files)} files: every include is allowed")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
