; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: while the link optimises, a function reaches the counter by a pointer of its own, whose uses are the function's; behind the
; optimiser nothing of it is left.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,gnomon-give-counter-pointers,verify -S %s | FileCheck %s
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,gnomon-give-counter-pointers,gnomon-take-counter-pointers,verify -S %s | FileCheck --check-prefix=TAKEN %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK: @gnomon.instructions = internal thread_local externally_initialized global i64 0
; TAKEN: @gnomon.instructions = internal externally_initialized global i64 0
declare void @outside()

; CHECK-LABEL: define void @calls(
; CHECK: %[[POINTER:.*]] = call{{.*}} ptr @llvm.threadlocal.address.p0(ptr{{.*}} @gnomon.instructions)
; CHECK-NOT: @gnomon.instructions
; CHECK: load i64, ptr %[[POINTER]]
; CHECK: store i64 {{.*}}, ptr %[[POINTER]]
; TAKEN-LABEL: define void @calls(
; TAKEN-NOT: threadlocal
; TAKEN: store i64 {{.*}}, ptr @gnomon.instructions
define void @calls(i1 %c) {
  br i1 %c, label %a, label %b
a:
  call void @outside()
  br label %b
b:
  call void @outside()
  ret void
}
