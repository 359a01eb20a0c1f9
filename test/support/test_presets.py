#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: what .ci/run tests is what users install: the preset ci is the preset release and its tests, and nothing else."""

import json
import os
import pathlib
import unittest

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])


class Presets(unittest.TestCase):
    def test_ci_is_the_release_and_its_tests(self):
        presets = {preset["name"]: preset for preset in json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]}
        ci = presets["ci"]
        self.assertEqual(ci["inherits"], "release")
        self.assertEqual(ci["cacheVariables"], {"GNOMON_TESTS": "ON"})
        self.assertLessEqual(set(ci), {"name", "displayName", "inherits", "cacheVariables"})

    def test_the_demo_of_ci_takes_the_same_build(self):
        self.assertIn("./bootstrap demo ci ", (SOURCE / ".ci/run").read_text())


if __name__ == "__main__":
    unittest.main()
