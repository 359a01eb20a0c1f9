; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: a loop that raises the counter in memory, as one has into which a function was inlined, still gets it into a register: alias
; analysis sees through the function's own pointer.
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-give-counter-pointers,function(loop-mssa(licm)),gnomon-take-counter-pointers,verify' -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
@gnomon.instructions = internal externally_initialized global i64 0
@cell = internal global i64 0

; CHECK-LABEL: define void @loop(
; CHECK: body:
; CHECK-NOT: @gnomon.instructions
; CHECK: br i1
; CHECK: store i64 {{.*}}, ptr @gnomon.instructions
define void @loop(i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %old = load i64, ptr @cell
  %new = add i64 %old, %i
  store i64 %new, ptr @cell
  %count = load i64, ptr @gnomon.instructions
  %raised = add i64 %count, 6
  store i64 %raised, ptr @gnomon.instructions
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}
