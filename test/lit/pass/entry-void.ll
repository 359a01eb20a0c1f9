; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: a main that returns nothing ends with exit code 0; a module without main (a shared library) only registers itself.
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-privatize,gnomon-entry' -verify-each -S %s | FileCheck %s
; RUN: sed 's/@main/@other/' %s | opt -load-pass-plugin %pass_plugin -passes='gnomon-privatize,gnomon-entry' -verify-each -S | FileCheck --check-prefix=LIBRARY %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: @gnomon.record = {{.*}} ptr @gnomon.main.adapter, ptr null, {{.*}} }
; CHECK-LABEL: define internal i32 @gnomon.main.adapter
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @gnomon.main(i32 %0)
; CHECK-NEXT: ret i32 0
; LIBRARY: @gnomon.record = {{.*}} i64 0, ptr null, ptr null, {{.*}} }
; LIBRARY-NOT: gnomon_start
; LIBRARY: call void @gnomon_register_module
define void @main(i32 %argc) {
  ret void
}
