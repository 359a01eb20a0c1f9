#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: no load of a running program sees a store with which the points-to analysis says it shares no memory.

Runs random programs (csmith) and those of the directory cases/ at -O0 and -O2, as whole programs. Environment:
PREFIX (the staged prefix), LLVM (the directory of LLVM's tools), COUNT and SEED of the random programs. And whatever the analysis
says of two accesses when it has all the steps that it wants, it says too when it has few (BUDGETS): then it tells less apart.
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PASS = pathlib.Path(os.environ["PREFIX"]) / "lib/gnomon/GnomonPass.so"
LLVM = pathlib.Path(os.environ.get("LLVM", "/usr/lib/llvm-22/bin"))
COUNT = int(os.environ.get("COUNT", "5"))
SEED = int(os.environ.get("SEED", "1"))
BUDGETS = (0, 1, 500, 5000)  # steps of the solver until objects are pooled
COMPILERS = {".c": "clang", ".cpp": "clang++", ".f90": "flang"}


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(str(word) for word in command)}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def read_table(text):
    cells, texts = {}, {}
    for line in text.splitlines():
        head, tab, instruction = line.partition("\t")
        if tab:
            number, *listed = head.split()
            cells[int(number)] = frozenset(int(cell) for cell in listed)
            texts[int(number)] = instruction
    return cells, texts


def lost_by_pooling(plain, exact, passes):
    """Pairs of a store and another access that may meet by the exact table, and not by one of few steps; and how many were asked
    about."""
    cells, texts = exact
    stores = [number for number, text in texts.items() if " = load " not in text]
    lost, asked = [], 0
    for budget in BUDGETS:
        coarse, _ = read_table(run(LLVM / "opt", "-load-pass-plugin", PASS, f"-passes={passes}", "-disable-output", plain,
                                   env={**os.environ, "GNOMON_POINTS_TO_BUDGET": str(budget)}))
        for store in stores:
            for other in cells:
                if cells[store] & cells[other]:
                    asked += 1
                    if not coarse[store] & coarse[other]:
                        lost.append(f"  {budget} steps:\n  {texts[store]}\n  {texts[other]}")
    return asked, lost


def stop_endless_loops():
    """Ends a random program that loops without memory; one that touches memory ends by trace.c's budget long before."""
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def check(source, level, directory, options=()):
    """Gives the pairs seen at run time, those asked about with few steps, and the wrong ones as text."""
    compiler = COMPILERS[source.suffix]
    start = "_QQmain" if compiler == "flang" else "main"
    plain, traced, program = directory / "plain.ll", directory / "traced.bc", directory / "program"
    run(LLVM / compiler, "--no-default-config", level, "-g1", "-S", "-emit-llvm", *options, source, "-o", plain,
        cwd=directory)
    passes = f"internalize<preserve-gv=main;preserve-gv={start}>,function(sroa),gnomon-trace-points-to"
    table = read_table(run(LLVM / "opt", "-load-pass-plugin", PASS, f"-passes={passes}", plain, "-o", traced))
    asked, wrong = lost_by_pooling(plain, table, passes)
    link = ["-fno-lto", traced, directory / "trace.o", "-lm", "-o", program]
    run(LLVM / compiler, "--no-default-config", "-O1", *link)
    pairs = directory / "pairs"
    pairs.unlink(missing_ok=True)
    ended = subprocess.run([program], env={**os.environ, "POINTS_TO_PAIRS": str(pairs)}, cwd=directory, check=False,
                           preexec_fn=stop_endless_loops, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    if ended.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return 0, asked, wrong
    if not pairs.exists():
        raise RuntimeError(f"{source} {level}: the program ended without its pairs")
    cells, texts = table
    seen = 0
    for line in pairs.read_text().splitlines():
        store, load = map(int, line.split())
        seen += 1
        if not cells[store] & cells[load]:
            wrong.append(f"  {texts[store]}\n  {texts[load]}")
    return seen, asked, wrong


def random_program(seed, directory):
    source = directory / f"random{seed}.c"
    source.write_text(run("csmith", "--seed", seed, "--no-argc", "--max-funcs", 6, cwd=directory))
    return source


def main():
    failures, total, compared = [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        run(LLVM / "clang", "--no-default-config", "-O2", "-c", HERE / "trace.c", "-o", directory / "trace.o")
        sources = sorted((HERE / "cases").iterdir())
        sources += [random_program(SEED + index, directory) for index in range(COUNT)]
        for source in sources:
            options = ["-w", "-I/usr/include/csmith"] if source.name.startswith("random") else []
            for level in ("-O0", "-O2"):
                seen, asked, wrong = check(source, level, directory, options)
                total += seen
                compared += asked
                failures += [f"{source.name} {level}:\n{text}" for text in wrong[:5]]
    print("\n".join(failures) or f"{total} pairs of stores and loads, all foreseen; {compared} more with few steps")
    sys.exit(1 if failures or total < 100 or compared < 1000 else 0)


if __name__ == "__main__":
    main()
