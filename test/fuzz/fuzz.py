#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a fuzzer finds nothing, starting from every platform, every bad input of the project, and some files of the others.

Arguments: name, program, folder for what it finds, options of libFuzzer.
"""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
HERE = SOURCE / "test/fuzz"


def seeds_of_platform():
    for path in [*SOURCE.glob("platforms/*/*.xml"), *SOURCE.glob("test/**/*.xml")]:
        yield path.read_bytes()


def seeds_of_lines():
    for path in SOURCE.glob("test/platform-inputs/hostfile/*.hosts"):
        yield b"@" + path.read_bytes()
    # Every one-line platform that the documentation or the examples write.
    for path in [*SOURCE.glob("docs/*.md"), *SOURCE.glob("platforms/generic/*.xml"),
                 *SOURCE.glob("test/platform-inputs/table.py")]:
        for line in re.findall(r"\b(?:cluster|torus|fattree|dragonfly):[\w=.,*-]*", path.read_text()):
            yield line.encode()


def seeds_of_decisions():
    head = "gnomon decisions 2\nprogram p\nbuild 0\narguments -n 1\nranks 9\n"
    point = "point dir/a.c:3 #1, 32 bits\n  function f(int)\n  what 'n'\n"
    for lists in ("  all: 1*574 0\n", "  0,4-7: 12 (13 14*2)*50\n    1 2 3\n  1: -9*150\n", "  8: (1 2)*2 3 (4 5 6)*3\n", ""):
        yield (head + point + lists).encode()
        yield (head + "input none\n" + point + lists).encode()
        yield (head + 2 * (point + lists).replace("32 bits", "64 bits")).encode()
    stretch = "stretch ef46db3751d8e999 0000000000000abc\n  first dir/a.c:3 #1\n  took 1.5e-4 320 1.4e-4 51200\n  ranks 0.9 0 1.1\n  varies 0.95 1.05\n  apart 0.9 1 1.1\n  apart-slow 1.02 0.99 1.01\n"
    yield (head + point + stretch + "stretch 00000000000001c0 0000000000000000\n  took 1e-5 1 0 50\n").encode()
    for line in ("input 734 ef46db3751d8e999 all a b.in", "input 7 - 0,4-7 x", "inputs 16 99 ef46db3751d8e999 0-8 in.[00-15].h5"):
        yield (head + line + "\n" + point).encode()


def seeds_of_effects():
    # Every line that the documentation or a test writes, and some of functions that the program calls.
    for path in (SOURCE / "docs/overrides.md", SOURCE / "test/lit/bursts/effects.c", *SOURCE.glob("test/bursts/*/libraries/smooth_*.c")):
        for line in re.findall(r"function [^\\\n]*: *[^\\\n]*", path.read_text()):
            yield line.encode()
    for line in ("norm: reads 0", "make: allocates, reads 1, returns new", "none: returns library", "work: reads 0-1, updates 2",
                 '"ns::sweep(double const*, double*)": reads-all 0, writes-all 1, copies', "report: outputs, reads 0 3", "make: calls 1, returns inside 1"):
        yield f"# mine\nfunction {line} # again\n\nfunction {line}\n".encode()


def seeds_of_cores():
    begin, code = "gnomon cores 6\nA Processor @ 3 GHz\n", "000000000000c0de\n"
    for text in (begin + code + "2.5 2e-6 0 0.5 1 c0de\n2.25 2.1e-6 1e-6 0.1 0.02 7\n", begin + code + "7.25 1e-5", begin + "1 3\n", begin,
                 begin + code + "three 4\n", begin + code + "3 1\n", begin + code + 40 * "3 2e-6 5e-7 2 9 c0de\n",
                 "gnomon cores 6\nAnother\n" + code + "3 2e-6 0 0.5 1 7\n", "gnomon cores 5\nA Processor @ 3 GHz\n" + code + "3\n",
                 "work 7 1 1e-9 2e-9\nwork 834 0 9.8e-11\n", "work 2048 0 1e-9\n", "work 7 33 1e-9\n",
                 "work 7 1" + 9 * " 1e-9" + "\n", "work 7 1\n", "burst 00c0dec0de 12 2 1e-9 1e-3\n", "burst x 1 1 1\n"):
        yield text.encode()


def varints(*numbers):
    out = b""
    for number in numbers:
        while number >= 0x80:
            out += bytes([number & 0x7F | 0x80])
            number >>= 7
        out += bytes([number])
    return out


def trace_block(items, nodes, values, shapes, codes, *streams):
    """A block of a trace (docs/trace-format.md); shapes are pairs of function and mask."""
    sizes = varints(len(codes), *map(len, streams))
    return varints(items, nodes, values, len(shapes), *(number for shape in shapes for number in shape)) + sizes + codes + b"".join(streams)


def trace_file(block, records, functions=b"\x00", paged=False, rank_count=2):
    """A file with one block that all ranks have, without checksums."""
    def section(kind, data, records=0):
        return struct.pack("<Q4sIIIQ", 0, kind, len(data), len(data), 0, records) + data
    def references(place, size):
        return varints(1, 2 * place, size, records)
    head = b"\x89GTRACE\n" + struct.pack("<II", 1, rank_count)
    file = head + section(b"BLCK", block, records)
    blocks = references(len(head), len(file) - len(head))
    index = varints(0) + blocks
    if paged:
        place = len(file)
        file += section(b"PAGE", blocks, records)
        index = references(place, len(file) - place) + varints(0)
    tables = len(file)
    facts = varints(rank_count, 1) + bytes(8) + b"\x05./app\x04test"
    groups = varints(3) + 4 * b"\x00" + varints(1, 0, 2, rank_count, 0) + varints(1, 1, 4, 6, 9)
    file += section(b"TABL", facts + functions + b"\x01\x03abc" + groups)
    places = struct.pack("<QQQ", tables, len(file), 0)
    file += section(b"INDX", varints(rank_count) + rank_count * index)
    return file + struct.pack("<Q", 0) + places[:16] + struct.pack("<Q", len(file) + 40) + b"GTRACE\x89\n"


def seeds_of_trace():
    send = b"\x01\x08MPI_Send\x02\x05count\x01\x04dest\x03"
    both = b"\x02" + send[1:] + b"\x07compute\x02\x05burst\x08\x07seconds\x19"
    twice = trace_block(1, 2, 2, [(0, 3)], varints(0, 1000, 1, 1), b"\x14", b"\x02")
    nested = trace_block(1, 5, 6, [(0, 3), (0, 1), (0, 0)], varints(0, 5, 2, 1, 0, 31, 2, 2, 3), varints(4, 900), b"\x02")
    for paged in (False, True):
        yield trace_file(twice, 1000, send, paged)
        yield trace_file(nested, 315, send, paged, 7)
        yield trace_file(trace_block(1, 1, 4, [(1, 2)], b"\x01", b"\x04" + varints(4 * 81240, 4 * 9000 + 1)), 1, both, paged)
        yield trace_file(trace_block(1, 1, 3, [(1, 2)], b"\x01", b"\x02" + varints(2) + bytes(range(8))), 1, both, paged)
    yield trace_file(trace_block(0, 0, 0, [], b""), 0)
    yield b"@" + twice
    yield b"@" + nested
    yield b"@" + trace_block(2, 2, 9, [(1, 7), (3, 0)], b"\x01\x02", varints(4 * 600), varints(12, 2, 2, 2, 4, 4, 4), b"\x0a")
    yield b"@" + trace_block(2, 3, 13, [(2, 3), (2, 2)], varints(0, 9, 1, 1, 2), varints(4, 8, 2) + bytes(8), varints(4, 4, 4, 2, 4, 4, 4))


def seeds_of_measurements():
    sizes = (1, 4, 16, 100, 500, 1000, 1500, 4000, 9000, 20000, 70000, 300000)
    head = "# gnomon-calibration: 1\nexperiment,ranks,node,bytes,repetition,count,seconds,rank\n"

    def rows(experiment, ranks, startup, rate, node="inter"):
        return "".join(f"{experiment},{ranks},{node},{size},0,1,{startup + size / rate:.9f},0\n" for size in sizes)
    ping_pong = rows("pingpong", 2, 2e-5, 1e9)
    yield (head + ping_pong).encode()
    yield (head + ping_pong + rows("stream", 2, 1e-6, 8e8) + rows("exchange", 4, 2e-5, 5e8) + "# complete\n").encode()
    yield (head + "# timer-cost: 1e-08\n" + ping_pong + "".join(rows(name, 2, 2e-6, 1e11) for name in ("os", "ois", "or"))).encode()
    yield (head + ping_pong + rows("eager-probe", 2, 1e-5, 1e6) + rows("eager-delay", 2, 0.05, 1e9)).encode()
    yield (head + ping_pong + rows("pingpong", 2, 1e-6, 5e9, "intra") + "# eager-limit-inter: 4096\n# hosts: a b c\n").encode()
    table = "".join(f"{size} {20 + size / 1000:.2f}\n" for size in sizes)
    yield ("# OSU MPI Latency Test v7.3\n# Size Latency (us)\n" + table + "\n# OSU MPI Bandwidth Test v7.3\n" + table).encode()
    yield ("# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec]\n" + table.replace(" ", " 1000 ")).encode()
    yield ('begin result "Pingpong_Send_Recv"\n' + "".join(f"count= 1 {line} 0.1 8\n" for line in table.splitlines()) + 'end result "x"\n').encode()
    yield table.encode()


def seeds_of_sweep():
    # The sweep that FuzzSweep.cpp goes on with.
    def row(platform, factor, seconds, code=0):
        known = seconds is not None
        return {"values": [platform, factor], "simulated_time": seconds, "ratio": 1.0 if known else None, "ranks": 64 if known else None,
                "messages": 8 if known else None, "bytes": 512 if known else None, "exit_code": code, "error": None if known else "no host"}

    def table(*rows):
        files = [{"name": "lu.gtr", "hash": "ef46db3751d8e999"}, {"name": "a.xml", "hash": "44bc2cf5ad770999"}]
        axes = [{"name": "platform", "values": ["a.xml", "default"]}, {"name": "link/bw", "values": ["1x", "2x"]}]
        return {"version": 1, "input": "lu.gtr", "kind": "trace", "origin": {"gnomon": "1.0", "options": ["-q"], "arguments": [], "files": files},
                "complete": False, "combinations": 4, "axes": axes, "rows": list(rows), "host": {"jobs": 2, "wall_seconds": 0.5}}
    first, second = row("a.xml", "1x", 1.5), row("default", "2x", 0.0)
    for rows in ((), (first,), (first, second), (second, first, first), (first, row("a.xml", "2x", None, 2), second),
                 (row("b.xml", "1x", 1.5),), (row("a.xml", "1x", -1.5),)):
        yield json.dumps(table(*rows)).encode()
    for key, value in (("kind", "program"), ("axes", []), ("rows", {}), ("origin", {"gnomon": "0.9"})):
        yield json.dumps({**table(first), key: value}).encode()
    yield json.dumps(table(first, second), indent=2).encode()[:-60]


def seeds_of_formats():
    # What the tests of the formats read.
    for name, letter, begin in (("SimgridReaderTest", "s", ""), ("SimgridWriterTest", "s", ""), ("GoalTest", "g", ""),
                                ("DimemasTest", "d", '#DIMEMAS:"a":0:4(1,1,1,1),2\nd:1:1:4:0:1:2:3\nd:1:2:2:3:0\n')):
        text = (SOURCE / f"runtime/trace-formats/test/{name}.cpp").read_text()
        for literals in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', text):
            joined = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', literals)).encode().decode("unicode_escape")
            if letter == "s" and joined.startswith("0 ") and "init" not in joined:
                joined = f"0 init\n1 init 1\n{joined}\n0 finalize\n1 finalize\n"
            elif letter == "g" and re.match(r"\w+: ", joined):
                joined = "num_ranks 2\nrank 0 {\n" + joined + "\n}\nrank 1 {\n}\n"
            elif letter == "d" and re.match(r"\d+:\d+:", joined):
                joined = begin + joined
            yield (letter + joined).encode("latin-1")


def main():
    name, program, folder, *options = sys.argv[1:]
    folder = pathlib.Path(folder)
    seeds, found = folder / "seeds" / name, folder / "found" / name
    shutil.rmtree(seeds, ignore_errors=True)
    for path in (seeds, found):
        path.mkdir(parents=True, exist_ok=True)
    count = 0
    for count, text in enumerate(globals()[f"seeds_of_{name}"](), 1):
        (seeds / f"seed{count}").write_bytes(text)
    if count < 5:
        sys.exit(f"only {count} seeds: this test looks in the wrong place")
    command = [program, "-seed=1", "-timeout=100", "-rss_limit_mb=2048", "-print_final_stats=1",
               f"-artifact_prefix={folder}/{name}-", f"-dict={HERE}/{name}.dict", *options, str(found), str(seeds)]
    result = subprocess.run(command, capture_output=True, text=True)
    output = result.stderr.splitlines()
    print("\n".join(output[-60 if result.returncode else -12:]))
    sys.exit(1 if result.returncode else 0)


if __name__ == "__main__":
    main()
