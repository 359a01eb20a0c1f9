; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: a loop that raises the counter in memory, as one has into which a function was inlined, gets a register for that, which is added
; where the loop is left; not a loop with a call that may look at the counter.
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hide-raises,function(gnomon-collect-raises),gnomon-show-raises,verify' -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
@gnomon.instructions = internal externally_initialized global i64 0
@cell = internal global i64 0
declare void @outside()

; CHECK-LABEL: define void @loop(
; CHECK: body:
; CHECK: %[[SUM:counted.*]] = phi i64 [ 0, %entry ], [ %[[NEXT:.*]], %body ]
; CHECK-NOT: @gnomon.instructions
; CHECK: %[[NEXT]] = add i64 %[[SUM]], 6
; CHECK: br i1
; CHECK: %[[BEFORE:.*]] = load i64, ptr @gnomon.instructions
; CHECK: %[[AFTER:.*]] = add i64 %[[BEFORE]], %[[NEXT]]
; CHECK: store i64 %[[AFTER]], ptr @gnomon.instructions
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

; CHECK-LABEL: define void @looked_at(
; CHECK: body:
; CHECK: load i64, ptr @gnomon.instructions
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: br i1
; CHECK-NOT: @gnomon.instructions
; CHECK: ret void
define void @looked_at(i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  call void @outside()
  %count = load i64, ptr @gnomon.instructions
  %raised = add i64 %count, 6
  store i64 %raised, ptr @gnomon.instructions
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}
