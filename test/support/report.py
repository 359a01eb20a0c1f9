#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""report.py RESULTS [LIST]: what a run of ctest says, in a few lines; the last counts the tests.

RESULTS is the JUnit file of `ctest --output-junit`. A test that was not run proves nothing: unless LIST (skipped.txt) names it
with its reason, it counts against the run as a failed one does. That holds as well for a script or a lit suite that passed, but
skipped some of its own cases. LIST may not name what is no test. The exit code is 0 when all is as it must be.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree

LIST = pathlib.Path(__file__).resolve().parent / "skipped.txt"
# How unittest, lit and GoogleTest say at their end that some cases were not run.
PARTLY = re.compile(r"^(?:OK|FAILED) \(.*skipped=\d+|^\s*(?:Unsupported|Skipped)\s*:\s*\d+|^\[  SKIPPED \] \d+ tests?", re.MULTILINE)


def read_list(path):
    """Name of a test → why it may be skipped."""
    lines = (line.strip() for line in path.read_text().splitlines())
    entries = [line.split(" : ", 1) for line in lines if line and not line.startswith("#")]
    for entry in entries:
        if len(entry) != 2 or not all(entry):
            sys.exit(f"{path.name}: '{' : '.join(entry)}' is no line 'test : reason'")
    return dict(entries)


def sort(results):
    """The names of the tests by what became of them."""
    kinds = {"passed": [], "failed": [], "skipped": [], "skipped in part": []}
    for case in results.iter("testcase"):
        name = case.get("name")
        if case.find("failure") is not None or case.find("error") is not None:
            kinds["failed"].append(name)
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            kinds["skipped"].append(name)
        else:
            kinds["passed"].append(name)
            if PARTLY.search(case.findtext("system-out") or ""):
                kinds["skipped in part"].append(name)
    return {kind: sorted(names) for kind, names in kinds.items()}


def judge(kinds, allowed):
    """Lines about all tests that did not simply pass, and whether the run is good."""
    lines = [f"failed: {name}" for name in kinds["failed"]]
    unlisted = 0
    for kind in ("skipped", "skipped in part"):
        for name in kinds[kind]:
            unlisted += name not in allowed
            lines.append(f"{kind}: {name}: {allowed.get(name, 'NOT ALLOWED, ' + LIST.name + ' does not name it')}")
    known = {name for names in kinds.values() for name in names}
    stale = sorted(set(allowed) - known)
    lines += [f"no such test: {name} (of {LIST.name})" for name in stale]
    good = bool(kinds["passed"]) and not (kinds["failed"] or unlisted or stale)
    return lines, good


def main():
    results = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    kinds = sort(results)
    lines, good = judge(kinds, read_list(pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else LIST))
    print("\n".join([*lines, ", ".join(f"{len(kinds[kind])} {kind}" for kind in ("passed", "failed", "skipped"))]))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
