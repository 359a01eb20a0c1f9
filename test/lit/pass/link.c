// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: runtime, clang-plugin
// Intent: through the flag: zeros take no bytes of the file, the sections are there, thin LTO is refused, and objects without
// LTO link as they are.
// RUN: clang %gnomon_flag -O2 -c %s -o %t.o
// RUN: clang %gnomon_flag -O2 -shared -fPIC %s -o %t.so -nostdlib
// RUN: llvm-readelf -SW %t.so | FileCheck %s
// RUN: not clang %gnomon_flag -O2 -flto=thin -shared -fPIC %s -o %t.so -nostdlib 2>&1 | FileCheck --check-prefix=THIN %s
// RUN: clang %gnomon_flag -O2 -shared -fPIC %s -o %t.so -nostdlib -Rpass=gnomon -g 2>&1 | FileCheck --check-prefix=REMARK %s
// CHECK-DAG: gn_priv PROGBITS
// CHECK-DAG: gn_zero NOBITS
// THIN: error: gnomon: -flto=thin does not show the whole program to the pass
// REMARK: link.c:[[#@LINE+1]]:0: 'big' has one copy per rank (4194304 bytes)
int big[1 << 20];
int initialised = 5;
int *f(int i) { return i ? big + i : &initialised; }
