; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: an inner loop whose iterations are known before the loop that counts in a register raises nothing when it is left: what it
; counts is part of what the outer loop raises. Where its iterations change from one time to the next, it is raised behind it.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; Each cell has 3 instructions behind the inner loop, which has 5 in each of its n iterations: 5 (n - 1) are known before, and no
; register is left.
; CHECK-LABEL: define void @cells(
; CHECK: [[LAST:%.*]] = add i64 %n, -1
; CHECK-NEXT: [[KNOWN:%.*]] = freeze i64 [[LAST]]
; CHECK: [[CELLS:%.*]] = freeze i64
; CHECK: cell:
; CHECK-NEXT: %i = phi
; CHECK-NEXT: br label %inner
; CHECK: inner:
; CHECK-NEXT: %j = phi
; CHECK: latch:
; CHECK-NEXT: %next = add nuw i64 %i, 1
; CHECK-NEXT: %more = icmp
; CHECK-NEXT: br i1 %more, label %cell, label %end
; CHECK: end:
; CHECK-NEXT: [[LASTCELL:%.*]] = mul i64 [[KNOWN]], 5
; CHECK-NEXT: [[INNER:%.*]] = mul i64 [[KNOWN]], 5
; CHECK-NEXT: [[EACH:%.*]] = add i64 8, [[INNER]]
; CHECK-NEXT: [[OTHERS:%.*]] = mul i64 [[CELLS]], [[EACH]]
; CHECK-NEXT: add i64 [[LASTCELL]], [[OTHERS]]
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
define void @cells(ptr %array, i64 %n, i64 %cells) {
  br label %cell
cell:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %cell ], [ %next.inner, %inner ]
  %place = getelementptr i64, ptr %array, i64 %j
  store i64 %i, ptr %place
  %next.inner = add nuw i64 %j, 1
  %more.inner = icmp ne i64 %next.inner, %n
  br i1 %more.inner, label %inner, label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %cells
  br i1 %more, label %cell, label %end
end:
  ret void
}

; A triangle: the inner loop goes round as often as the outer one has.
; CHECK-LABEL: define void @triangle(
; CHECK: cell:
; CHECK-NEXT: [[HELD:%.*]] = phi i64
; CHECK: latch:
; CHECK-NEXT: [[ROW:%.*]] = mul i64 %j, 5
; CHECK-NEXT: add i64 [[HELD]], [[ROW]]
define void @triangle(ptr %array, i64 %cells) {
  br label %cell
cell:
  %i = phi i64 [ 1, %0 ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %cell ], [ %next.inner, %inner ]
  %place = getelementptr i64, ptr %array, i64 %j
  store i64 %i, ptr %place
  %next.inner = add nuw i64 %j, 1
  %more.inner = icmp ne i64 %next.inner, %i
  br i1 %more.inner, label %inner, label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %cells
  br i1 %more, label %cell, label %end
end:
  ret void
}

; The phase is told what is pending: the inner loop in front of it, and cells with one each; where it is not come to, nothing of this
; is computed.
; CHECK-LABEL: define void @phases(
; CHECK: [[N:%.*]] = freeze i64
; CHECK: phase:
; CHECK-NEXT: [[SEEN:%.*]] = call i64 asm "", "=r,0"(i64 [[N]])
; CHECK-NEXT: [[FRONT:%.*]] = mul i64 [[SEEN]], 5
; CHECK: [[CELL:%.*]] = add i64 9, %{{.*}}
; CHECK-NEXT: [[BEFORE:%.*]] = mul i64 %{{.*}}, [[CELL]]
; CHECK-NEXT: [[PENDING:%.*]] = add i64 [[FRONT]], [[BEFORE]]
; CHECK: call void @gnomon.pending.gnomon_phase_where(i32 1, i32 0, i64
; CHECK: latch:
; CHECK-NEXT: %next = add
; CHECK: end:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
declare void @gnomon_phase_where(i32, i32)
define void @phases(ptr %array, i64 %n, i64 %cells) {
  br label %cell
cell:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %cell ], [ %next.inner, %inner ]
  %place = getelementptr i64, ptr %array, i64 %j
  store i64 %i, ptr %place
  %next.inner = add nuw i64 %j, 1
  %more.inner = icmp ne i64 %next.inner, %n
  br i1 %more.inner, label %inner, label %behind
behind:
  %odd = trunc i64 %i to i1
  br i1 %odd, label %phase, label %latch
phase:
  call void @gnomon_phase_where(i32 1, i32 0), !gnomon.hook !0
  br label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %cells
  br i1 %more, label %cell, label %end
end:
  ret void
}

!0 = !{}
