// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: runtime, clang-plugin
// Intent: a string that build systems read out of a linked program is there, though the function that returns it is inlined and its
// result unused; other strings go as they do, and so does what an archive holds and nothing needs.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: clang %gnomon_flag -O2 -c symbol.c other.c main.c
// RUN: llvm-ar rc libsymbols.a symbol.o other.o
// RUN: clang %gnomon_flag -O2 -Wl,--gc-sections main.o -L. -lsymbols -o program
// RUN: llvm-strings program | FileCheck %s --implicit-check-not=INFO --implicit-check-not=other
// CHECK: INFO:symbol[mysub_]
//--- symbol.c
const char *mysub_(void) { return "INFO:symbol[mysub_]"; }
const char *text(void) { return "INFO: some other text"; }
//--- other.c
const char *mysub(void) { return "INFO:symbol[mysub]"; }
//--- main.c
const char *mysub_(void), *text(void);
int main(void) { return mysub_(), text(), 0; }
