#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pass costs a link grows as the program does: twice the functions, or twice the memory that copies of pointers may take them
from and to, at most 2.3 times the instructions. Nor does it grow with the phases that a program has (loops with MPI in main, one after
the other): each is looked at in the light of the next.

Valgrind counts the processor's instructions, so the verdict does not depend on what else the machine does. The programs are the worst
that is known: each function calls through a table of all functions, has loops whose bounds have no names, is changed by the pass,
and raises the counter. What is the same for each program (opt's start) is measured with a small one and taken off.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PREFIX, LLVM = (pathlib.Path(os.environ[name]) for name in ("PREFIX", "LLVM"))
SMALL, SIZE = 2, 80
MOST = 2.3  # times the cost for twice the functions; four times would be quadratic
OBJECTS, COPIES = 200, 30
FEW, MANY = 2, 18
MOST_PHASES = 1.2  # times the cost of few phases for many
BURSTS = "gnomon-keep-calls,gnomon-spin,gnomon-bursts"
STEPS = {
    "the passes": "gnomon-keep-calls,gnomon-spin,gnomon-bursts,gnomon-count,gnomon-hide-raises",
    "what the optimiser makes of them": "ipsccp,function(loop-mssa(licm))",
}


def program(functions, phases=0):
    calls = "\n".join(f"""
int f{i}(struct s *p, int k) {{
  double t = 0;
  for (int i = 0; i < p->n * p->next->m; i++) {{
    t += p->a[i] * {i};
    for (int j = 0; j < p->next->n; j++)
      p->a[j] = t;
  }}
  if (k > 0 && p->m == {i}) {{
    MPI_Barrier(MPI_COMM_WORLD);
    return table[p->m + k](p, k - 1);
  }}
  return (int)t;
}}""" for i in range(functions))
    loops = "\n".join("  for (int i = 0; i < argc; i++)\n    MPI_Barrier(MPI_COMM_WORLD);" for _ in range(phases))
    return f"""#include <mpi.h>
#include <stdlib.h>
struct s {{ int n, m; double *a; struct s *next; }};
typedef int (*function)(struct s *, int);
extern function table[];
{calls}
function table[] = {{{", ".join(f"f{i}" for i in range(functions))}}};
int main(int argc, char **argv) {{
  MPI_Init(&argc, &argv);
  struct s p = {{3, 1, calloc(10, sizeof(double)), &p}};
{loops}
  int result = table[argc](&p, argc);
  MPI_Finalize();
  return result > 1000000;
}}
"""


def copying_program(objects):
    """Each copy may read and write all of the objects, which hold nothing but pointers to each other."""
    names = [f"o{i}" for i in range(objects)]
    links = "\n".join(f"static struct s {name} = {{{{{', '.join('&' + names[(i + k) % objects] for k in range(1, 7))}}}}};"
                      for i, name in enumerate(names))
    copies = "\n".join(f"""void f{i}(struct s *to, struct s *from) {{
  *to->link[{i % 6}] = *from->link[{(i + 1) % 6}];
  if (to->link[{i % 6}] == from)
    MPI_Barrier(MPI_COMM_WORLD);
}}""" for i in range(COPIES))
    calls = "\n".join(f"  f{i}(table[argc], table[argc + 1]);" for i in range(COPIES))
    return f"""#include <mpi.h>
struct s {{ struct s *link[6]; }};
static struct s {', '.join(names)};
{links}
struct s *table[] = {{{', '.join('&' + name for name in names)}}};
double field[100];
{copies}
int main(int argc, char **argv) {{
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 100; i++)
    field[i] = field[i] * i + argc;
{calls}
  MPI_Finalize();
  return 0;
}}
"""


def succeeds(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stderr


def instructions(plugin, passes, source, result):
    told = succeeds("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", LLVM / "opt",
                    *(["-load-pass-plugin", plugin] if "gnomon" in passes else []), f"-passes={passes}", source, "-o", result)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", told).group(1).replace(",", ""))


def compiled(directory, source_text):
    source, module = directory / "program.c", directory / "program.bc"
    source.write_text(source_text)
    succeeds(LLVM / "clang", "--no-default-config", "-O2", f"-I{PREFIX}/include/gnomon", "-c", "-emit-llvm", source, "-o", module)
    succeeds(LLVM / "opt", "-passes=internalize,globaldce", "-internalize-public-api-list=main", module, "-o", module)
    return module


def grows(step, size, none, once, twice):
    """Whether twice the size takes too much more."""
    ratio = (twice - none) / (once - none)
    print(f"{step}: {(once - none) / 1e6:.0f} million instructions for {size}, {ratio:.2f} times as many for twice as many")
    return ratio > MOST


def main():
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch)
        plugin = directory / "GnomonPass.so"  # Debian 12's Valgrind cannot read the debug information of LLVM 22
        succeeds(LLVM / "llvm-objcopy", "--strip-debug", PREFIX / "lib/gnomon/GnomonPass.so", plugin)
        result = directory / "result.bc"
        costs = {step: [] for step in STEPS}
        for functions in (SMALL, SIZE, 2 * SIZE):
            module = compiled(directory, program(functions))
            for step, passes in STEPS.items():
                costs[step].append(instructions(plugin, passes, module, result))
                result.rename(module)
        start, few, many = (instructions(plugin, BURSTS, compiled(directory, program(functions, phases)), result)
                            for functions, phases in ((SMALL, FEW), (SIZE, FEW), (SIZE, MANY)))
        none, once, twice = (instructions(plugin, BURSTS, compiled(directory, copying_program(objects)), result)
                             for objects in (SMALL * 6, OBJECTS, 2 * OBJECTS))
    failed = grows("copies", f"{OBJECTS} objects", none, once, twice)
    for step, cost in costs.items():
        failed |= grows(step, f"{SIZE} functions", *cost)
    ratio = (many - start) / (few - start)
    print(f"bursts: {ratio:.2f} times as many instructions for {MANY} phases as for {FEW}")
    sys.exit("more than they should be" if failed or ratio > MOST_PHASES else 0)


if __name__ == "__main__":
    main()
