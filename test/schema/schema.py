#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: the schemas explain every key in one naming and allow no other, the validator finds what does not fit them, and
every test that has a JSON written has it validated."""

import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
sys.path.insert(0, str(SOURCE / "test/support"))

import json_schema  # noqa: E402

SCHEMAS = sorted((PREFIX / "share/gnomon/schema").glob("*.json"))
# Scripts that name the options and have nothing written: the validator, this one, and a test of refused options; `gnomon
# analyze --json` is the plugin's (lit: plugin/analyze-json.test validates it).
WRITE_NONE = {"test/support/json_schema.py", "test/schema/schema.py", "test/spawn/spawn.py", "test/lit/plugin/Inputs/agree.py"}


def parts(schema, place="$"):
    """All schemas inside `schema`, itself included, with their places."""
    yield place, schema
    for key, member in schema.get("properties", {}).items():
        yield from parts(member, f"{place}.{key}")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from parts(schema[key], f"{place}.{key}")


class Schemas(unittest.TestCase):
    def test_all_are_there(self):
        self.assertEqual([path.stem for path in SCHEMAS], ["analyze", "calibrate-cpu", "calibrate-fit", "check", "doctor", "profile", "run", "sweep", "trace"])

    def test_each_key_is_explained_and_in_snake_case(self):
        for path in SCHEMAS:
            schema = json.loads(path.read_text())
            self.assertTrue(schema["description"].endswith((".", "not known.")), path)
            for place, part in parts(schema):
                where = f"{path.name}: {place}"
                self.assertEqual(set(part) - json_schema.KNOWN, set(), where)
                self.assertTrue(place == "$" or len(part["description"]) > 2, where)
                self.assertTrue("type" in part or "const" in part or "enum" in part, where)
                for key in part.get("properties", {}):
                    self.assertRegex(key, r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", where)

    def test_no_other_key_is_allowed_and_none_may_be_missing(self):
        for path in SCHEMAS:
            for place, part in parts(json.loads(path.read_text())):
                if "properties" in part:
                    self.assertIs(part["additionalProperties"], False, f"{path.name}: {place}")
                    self.assertEqual(part["required"], list(part["properties"]), f"{path.name}: {place}")


class Validator(unittest.TestCase):
    SCHEMA = {"type": "object", "additionalProperties": False, "required": ["count"], "properties": {
        "count": {"type": "integer", "minimum": 0, "maximum": 9}, "word": {"enum": ["a", "b"]}, "one": {"const": 1},
        "list": {"type": "array", "items": {"type": ["string", "null"]}}}}

    def test_what_fits(self):
        value = {"count": 9, "word": "b", "one": 1, "list": ["x", None]}
        self.assertEqual(list(json_schema.errors(value, self.SCHEMA)), [])

    def test_what_does_not(self):
        for value, error in (({}, "$: 'count' is missing"), ({"count": 1, "cuont": 1}, "$: 'cuont' is not in the schema"),
                             ({"count": -1}, "$.count: -1 is out of range"), ({"count": 10}, "$.count: 10 is out of range"),
                             ({"count": 1.5}, "$.count: 1.5 is no integer"), ({"count": True}, "$.count: True is no integer"),
                             ({"count": 1, "word": "c"}, "$.word: 'c' is none of ['a', 'b']"),
                             ({"count": 1, "one": True}, "$.one: True is not 1"), ({"count": 1, "one": 2}, "$.one: 2 is not 1"),
                             ({"count": 1, "list": ["x", 2]}, "$.list[1]: 2 is no string or null"), ([], "$: [] is no object")):
            self.assertEqual(list(json_schema.errors(value, self.SCHEMA)), [error])

    def test_unknown_keywords_are_refused(self):
        for schema in ({"pattern": "x"}, {"type": "object", "properties": {"a": {"anyOf": []}}}, {"type": "text"}):
            with self.assertRaises(json_schema.BadSchema):
                list(json_schema.errors({"a": 1}, schema))

    def test_a_number_that_is_none_is_refused(self):
        with self.assertRaises(json_schema.Invalid):
            json_schema.validate('{"version": NaN}', "run")


class Run(unittest.TestCase):
    """A run's JSON, and the same with one mistake."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as scratch:
            directory = pathlib.Path(scratch)
            source = directory / "program.c"
            source.write_text("#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n")
            subprocess.run([PREFIX / "bin/gnomon", "cc", source, "-o", directory / "program"], check=True)
            subprocess.run([PREFIX / "bin/gnomon", "run", "-q", "-n", "2", "--json", directory / "run.json", directory / "program"],
                           check=True)
            cls.text = (directory / "run.json").read_text()

    def refused(self, change, fragment):
        value = copy.deepcopy(json.loads(self.text))
        change(value)
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch, "run.json")
            path.write_text(json.dumps(value))
            for command in (["gnomon", "run", "--json", path, "./a"], ["gnomon", "run", f"--json={path}", "./a"],
                            ["gnomon", "run", "--json", "run.json", "./a"]):
                with self.assertRaisesRegex(json_schema.Invalid, re.escape(fragment)):
                    json_schema.written(command, scratch)

    def test_a_runs_json_validates(self):
        self.assertEqual(json_schema.validate(self.text, "run")["host"].keys(), {"wall_seconds", "cpu_seconds", "peak_rss_bytes", "folded_resident_bytes",
                          "merging", "page_seconds",
                          "page_seconds_most", "pages_left_out_seconds", "pages_ahead", "core_looks", "core_slowness",
                          "core_moves", "slowness_left_out_seconds", "equal_work_moved_seconds",
                          "equal_work_earlier_runs", "equal_work_earlier_seconds"})

    def test_what_is_not_in_the_schema_is_found(self):
        self.refused(lambda run: run["bursts"].update(sampledSeconds=0), "$.bursts: 'sampledSeconds' is not in the schema")
        self.refused(lambda run: run["host"].pop("cpu_seconds"), "$.host: 'cpu_seconds' is missing")
        self.refused(lambda run: run.update(version=2), "$.version: 2 is not 1")
        self.refused(lambda run: run.update(simulated_time=None), "$.simulated_time: None is no number")


class Suite(unittest.TestCase):
    def test_every_script_that_has_a_json_written_has_it_validated(self):
        writers = 0
        for path in sorted((SOURCE / "test").rglob("*.py")):
            name, text = str(path.relative_to(SOURCE)), path.read_text()
            asks = re.search(r"""["'](--json|--record-profile)(=|["'])""", text)
            if asks and name not in WRITE_NONE:
                writers += 1
                self.assertRegex(text, r"json_schema\.(written|validate)\(", f"{name}: a JSON is written and not validated")
        self.assertGreaterEqual(writers, 9)


if __name__ == "__main__":
    unittest.main()
