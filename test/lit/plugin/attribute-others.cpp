// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: attributes named like ours that are not ours stay what they were: unknown, ignored, no annotation.
// RUN: %plugin_clangxx -std=c++20 -S -emit-llvm -fno-caret-diagnostics %s -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.ll
// IR-NOT: llvm.global.annotations

// CHECK: :[[#@LINE+1]]:3: warning: unknown attribute 'shared' ignored [-Wunknown-attributes]
[[shared]] int a;
// CHECK: :[[#@LINE+1]]:3: warning: unknown attribute 'burst' ignored [-Wunknown-attributes]
[[burst("x")]] void b() {}
// CHECK: :[[#@LINE+1]]:3: warning: unknown attribute 'other::burst' ignored [-Wunknown-attributes]
[[other::burst("x")]] void c() {}
