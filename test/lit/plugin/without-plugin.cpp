// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: source that carries our attributes and pragmas compiles without the plugin: they are unknown, no more.
// RUN: clang++ --no-default-config -std=c++20 -Wall -Werror -Wno-unknown-attributes -Wno-unknown-pragmas -fsyntax-only %s

[[gnomon::shared]] int a;
__attribute__((gnomon_shared)) int b;
[[gnomon::burst("x")]] void c() {}
#pragma gnomon shared(d)
int d;
