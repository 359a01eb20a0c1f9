; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: where three ways meet that raise the counter, one raise behind them takes the place of all, by what each way would have
; raised; not where two meet, and not in a loop.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

declare void @outside()

; CHECK-LABEL: define i32 @errors(
; CHECK: one:
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: br label %end
; CHECK: two:
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: br label %end
; CHECK: three:
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: [[AMOUNT:%.*]] = phi i64 [ 42, %three ], [ -1, %two ], [ -44, %one ], [ 0, %c ]
; CHECK-NEXT: phi i32
; CHECK-NEXT: [[BEFORE:%.*]] = load i64, ptr @gnomon.instructions
; CHECK-NEXT: [[AFTER:%.*]] = add i64 [[BEFORE]], [[AMOUNT]]
; CHECK-NEXT: store i64 [[AFTER]], ptr @gnomon.instructions
; CHECK-NEXT: ret i32
define i32 @errors(i1 %x, i1 %y, i1 %z) {
  br i1 %x, label %one, label %a, !prof !0
a:
  call void @outside()
  br i1 %y, label %two, label %b, !prof !0
b:
  call void @outside()
  br i1 %z, label %three, label %c, !prof !0
c:
  call void @outside()
  br label %end
one:
  call void @outside()
  br label %end
two:
  call void @outside()
  call void @outside()
  br label %end
three:
  call void @outside()
  call void @outside()
  call void @outside()
  br label %end
end:
  %r = phi i32 [ 1, %one ], [ 2, %two ], [ 3, %three ], [ 0, %c ]
  ret i32 %r
}

; CHECK-LABEL: define void @few(
; CHECK: end:
; CHECK-NEXT: ret void
define void @few(i1 %x, i1 %y) {
  br i1 %x, label %one, label %a, !prof !0
a:
  call void @outside()
  br i1 %y, label %two, label %b, !prof !0
b:
  call void @outside()
  br label %end
one:
  call void @outside()
  br label %end
two:
  call void @outside()
  call void @outside()
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @inLoop(
; CHECK: latch:
; CHECK-NEXT: br i1
define void @inLoop(i1 %x, i1 %y, i1 %z) {
  br label %head
head:
  br i1 %x, label %one, label %a, !prof !0
a:
  call void @outside()
  br i1 %y, label %two, label %b, !prof !0
b:
  call void @outside()
  br i1 %z, label %three, label %c, !prof !0
c:
  call void @outside()
  br label %latch
one:
  call void @outside()
  br label %latch
two:
  call void @outside()
  call void @outside()
  br label %latch
three:
  call void @outside()
  call void @outside()
  call void @outside()
  br label %latch
latch:
  br i1 %z, label %head, label %end
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1000}
