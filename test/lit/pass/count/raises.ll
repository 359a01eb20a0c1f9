; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: while the link optimises, a raise of the counter is one call that nothing sees through; behind the optimiser it is a sum in
; memory again, one for all raises of a block between which nobody looks.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,gnomon-hide-raises,verify -S %s | FileCheck %s
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,gnomon-hide-raises,gnomon-show-raises,verify -S %s | FileCheck --check-prefix=SHOWN %s
target triple = "x86_64-unknown-linux-gnu"

declare void @outside()

; CHECK-LABEL: define void @calls(
; CHECK-NOT: load i64
; CHECK-NOT: store
; CHECK: call void @llvm.instrprof.increment.step(ptr nonnull @gnomon.instructions, {{.*}}) #[[EFFECTS:[0-9]+]]
; CHECK-NOT: load i64
; CHECK: ret void
; SHOWN-LABEL: define void @calls(
; SHOWN-NOT: increment
; SHOWN: %[[BEFORE:.*]] = load i64, ptr @gnomon.instructions
; SHOWN: %[[SUM:.*]] = add i64 %[[BEFORE]],
; SHOWN: store i64 %[[SUM]], ptr @gnomon.instructions
define void @calls(i1 %c) {
  br i1 %c, label %a, label %b
a:
  call void @outside()
  br label %b
b:
  call void @outside()
  ret void
}

; CHECK: attributes #[[EFFECTS]] = {{.*}}memory(inaccessiblemem: readwrite)
