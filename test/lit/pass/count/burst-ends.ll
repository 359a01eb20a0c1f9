; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: the counter is right for whole paths only. At the end of a burst it may be ahead of what has run since the begin, or
; behind, and the end says by how much: −P(block) − what stands before the call, less the same at the begin. A function without
; loops that holds a burst is not counted as the mean of its paths.
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-count,verify' -S %s | FileCheck %s
; RUN: env GNOMON_COUNT=blocks opt -load-pass-plugin %pass_plugin -passes='gnomon-count,verify' -S %s | FileCheck %s --check-prefix=BLOCKS

declare i32 @gnomon_burst_begin(ptr, i64)
declare void @gnomon_burst_end(ptr)
declare void @other(ptr)

@burst = internal global [16 x i64] zeroinitializer
@user = internal global [16 x i64] zeroinitializer

; Four instructions run from the begin to the end, or one past the burst. The counter rises by the likely way's length at the entry,
; and falls by three on the other: at the end it lacks four on both. With a counter at each block's head it has two too many
; there, those behind the end.
; CHECK-LABEL: define i64 @ways(
; CHECK: call i32 @gnomon_burst_begin(
; CHECK: call void @gnomon_burst_end_with(ptr @burst, i64 -4)
; CHECK-NOT: call void @gnomon_burst_end(
; BLOCKS-LABEL: define i64 @ways(
; BLOCKS: call void @gnomon_burst_end_with(ptr @burst, i64 2)
define i64 @ways(i64 %n) {
entry:
  %a = mul i64 %n, 3
  %b = add i64 %a, 7
  %execute = call i32 @gnomon_burst_begin(ptr @burst, i64 8), !gnomon.hook !0
  %is = icmp ne i32 %execute, 0, !gnomon.hook !0
  br i1 %is, label %long, label %behind, !prof !1, !gnomon.hook !0
long:
  %c = mul i64 %b, %b
  %d = add i64 %c, %n
  %e = xor i64 %d, 5
  br label %behind
behind:
  %f = phi i64 [ %e, %long ], [ 0, %entry ]
  %g = add i64 %f, 1
  call void @gnomon_burst_end(ptr @burst), !gnomon.hook !0
  %h = add i64 %g, %b
  ret i64 %h
}

; What a user's own code calls with one record in two places: nobody knows which begin an end closes.
; CHECK-LABEL: define void @twice(
; CHECK-NOT: gnomon_burst_end_with
; CHECK: ret void
define void @twice(i64 %n) {
  %1 = call i32 @gnomon_burst_begin(ptr @user, i64 1)
  call void @other(ptr @user)
  call void @gnomon_burst_end(ptr @user)
  %2 = call i32 @gnomon_burst_begin(ptr @user, i64 1)
  call void @gnomon_burst_end(ptr @user)
  ret void
}

!0 = !{}
!1 = !{!"branch_weights", i32 2000, i32 1}
