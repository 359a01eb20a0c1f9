# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""agree.py ANALYZE DIRECTORY: compares the verdicts of `gnomon analyze` with what clang's code generation makes of the same
variables, for every C and C++ file of DIRECTORY/compile_commands.json. A constant in the IR must be called shared, or
privatised for an address that it holds; a variable in the IR must not be called constant."""
import json
import os
import re
import shlex
import subprocess
import sys

analyze, directory = sys.argv[1:3]
DEFINITION = re.compile(r'^@"?([^" =]+)"? = (.*?)\b(global|constant)\b', re.M)
HOLDS = ("const, but holds", "a reference to")
ALLOWED = {
    "variable": lambda v: v["fate"] in ("privatised", "shared-by-request", "shared-by-need"),
    "constant": lambda v: v["fate"] != "privatised" or v["reason"].startswith(HOLDS),
    "thread-local": lambda v: v["fate"] == "thread-local",
    "declaration": lambda v: v["fate"] != "privatised",
}


def ir_of(entry):
    words = entry.get("arguments") or shlex.split(entry["command"])
    kept = [w for before, w in zip([""] + words, words) if w not in ("-c", "-o", "-MD", "-MF") and before not in ("-o", "-MF")]
    kept[0] = "clang++" if "++" in words[0] else "clang"
    command = kept + ["--no-default-config", "-w", "-O0", "-S", "-emit-llvm", "-o", "-"]
    return subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=True).stdout


def kind(prefix, word):
    if "thread_local" in prefix:
        return "thread-local"
    if "external" in prefix.split():
        return "declaration"
    return "constant" if word == "constant" else "variable"


compared = wrong = 0
for entry in json.load(open(os.path.join(directory, "compile_commands.json"))):
    if not entry["file"].endswith((".c", ".cc", ".cpp")):
        continue
    made = {name: kind(prefix, word) for name, prefix, word in DEFINITION.findall(ir_of(entry))}
    file = os.path.join(entry["directory"], entry["file"])
    report = subprocess.run([analyze, "-p", directory, "--json", "--system-headers", file], capture_output=True, text=True, check=True)
    for variable in json.loads(report.stdout)["variables"]:
        if variable["symbol"] not in made:
            continue  # not emitted, or renamed by the compiler (a static of a C function)
        compared += 1
        if not ALLOWED[made[variable["symbol"]]](variable):
            wrong += 1
            print(f"{entry['file']}: {variable['name']}: {variable['fate']} ({variable['reason']}), in the IR {made[variable['symbol']]}")
print(f"{compared} compared, {wrong} wrong")
sys.exit(wrong != 0 or compared == 0)
