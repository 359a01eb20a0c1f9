# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit: how the RUN lines of test/lit are run. What is built is known from lit.site.cfg.py (made by CMake).
import os

import lit.formats

config.name = "gnomon"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".f90", ".ll", ".s", ".test", ".sh", ".py"]
config.excludes = ["Inputs", "lit.cfg.py", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.gnomon_binary_dir

# FileCheck, not, split-file, opt and the rest of LLVM's tools by their plain names; clang and flang too.
config.environment["PATH"] = os.pathsep.join([config.llvm_tools_dir, os.environ["PATH"]])
# Locale and colours must not change what is printed.
config.environment["LC_ALL"] = "C"

prefix = config.gnomon_prefix
clang_plugin = os.path.join(prefix, "lib/gnomon/GnomonClangPlugin.so")
pass_plugin = os.path.join(prefix, "lib/gnomon/GnomonPass.so")
mark_plugin = os.path.join(prefix, "lib/gnomon/GnomonMarkPass.so")

# Longest names first: lit replaces in order.
config.substitutions += [
    ("%gnomon_prefix", prefix),
    ("%gnomon_flag", "--config-user-dir=" + os.path.join(prefix, "share/gnomon/clang")),
    ("%gnomon_run", os.path.join(prefix, "bin/gnomon") + " run"),
    ("%gnomon_analyze", os.path.join(prefix, "libexec/gnomon/gnomon-analyze")),
    ("%gnomon", os.path.join(prefix, "bin/gnomon")),
    ("%clang_plugin", clang_plugin),
    ("%pass_plugin", pass_plugin),
    ("%mark_plugin", mark_plugin),
    # Clang with nothing of ours but the clang plugin.
    ("%plugin_clangxx", "clang++ --no-default-config -fplugin=" + clang_plugin),
    ("%plugin_clang", "clang --no-default-config -fplugin=" + clang_plugin),
    ("%source_dir", config.gnomon_source_dir),
    ("%exit_code", "python3 " + os.path.join(os.path.dirname(__file__), "Inputs/exit_code.py")),
]

for name, path in [
    ("clang-plugin", clang_plugin),
    ("pass", pass_plugin),
    ("runtime", os.path.join(prefix, "lib/libgnomon.so")),
    ("driver", os.path.join(prefix, "bin/gnomon")),
]:
    if os.path.exists(path):
        config.available_features.add(name)
