; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: raises of one block, as inlining leaves them, become one; a call that may look at the counter stands between those before and
; those behind it. Who calls a function that raises is told that it writes memory.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-hide-raises,gnomon-show-raises,verify -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
@gnomon.instructions = internal externally_initialized global i64 0
declare void @outside()
declare double @sin(double)

; CHECK: define internal double @raises(double %x) #[[WRITES:[0-9]+]]
; CHECK-NOT: store
; CHECK: call double @sin
; CHECK: add i64 %{{.*}}, 7
; CHECK-NEXT: store i64
; CHECK-NOT: store
; CHECK: call void @outside
; CHECK: add i64 %{{.*}}, 5
; CHECK-NEXT: store i64
; CHECK-NEXT: ret
define internal double @raises(double %x) memory(none) {
  %one = load i64, ptr @gnomon.instructions
  %two = add i64 %one, 3
  store i64 %two, ptr @gnomon.instructions
  %sine = call double @sin(double %x)
  %three = load i64, ptr @gnomon.instructions
  %four = add i64 %three, 4
  store i64 %four, ptr @gnomon.instructions
  call void @outside()
  %five = load i64, ptr @gnomon.instructions
  %six = add i64 %five, 5
  store i64 %six, ptr @gnomon.instructions
  ret double %sine
}
; CHECK: define double @calls(double %x) #[[WRITES]]
define double @calls(double %x) memory(none) {
  %result = call double @raises(double %x)
  ret double %result
}
; CHECK: attributes #[[WRITES]] = { memory(readwrite, argmem: none, inaccessiblemem: none
