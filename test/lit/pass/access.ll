; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: scalars share the block's base, an array has its own; the base is integer arithmetic with an invariant load of the delta.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-privatize -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@x = dso_local global i32 3
@y = dso_local global i64 4
@array = dso_local global [1000 x double] zeroinitializer
@fixed = dso_local constant i32 7

; CHECK-DAG: @gnomon.private = private global <{ i32, [4 x i8], i64 }> <{ i32 3, [4 x i8] zeroinitializer, i64 4 }>, section "gn_priv", align 64
; CHECK-DAG: @gnomon.zero = private global [8000 x i8] zeroinitializer, align 64 #[[BSS:[0-9]+]]
; CHECK-DAG: @gnomon.delta = internal global i64 0
; CHECK-DAG: @fixed = dso_local constant i32 7
; CHECK-DAG: @x = dso_local alias i32, ptr @gnomon.private
; CHECK-DAG: @y = dso_local alias i64, getelementptr (i8, ptr @gnomon.private, i64 8)
; CHECK-DAG: @array = dso_local alias [1000 x double], ptr @gnomon.zero

; CHECK-LABEL: define i64 @scalars
; CHECK-NEXT: %[[DELTA:.*]] = load i64, ptr @gnomon.delta, align 8, !invariant.load
; CHECK-NEXT: %[[SUM:.*]] = add i64 ptrtoint (ptr @gnomon.private to i64), %[[DELTA]]
; CHECK-NEXT: %[[WHOLE:.*]] = freeze i64 %[[SUM]]
; CHECK-NEXT: %[[BASE:.*]] = inttoptr i64 %[[WHOLE]] to ptr
; CHECK-NEXT: load i32, ptr %[[BASE]]
; CHECK-NEXT: %[[Y:.*]] = getelementptr i8, ptr %[[BASE]], i64 8
; CHECK-NEXT: load i64, ptr %[[Y]]
; CHECK: load i32, ptr @fixed
define i64 @scalars() {
  %a = load i32, ptr @x
  %b = load i64, ptr @y
  %c = load i32, ptr @fixed
  ret i64 %b
}

; CHECK-LABEL: define double @indexed
; CHECK: add i64 ptrtoint (ptr @array to i64)
; CHECK: loop:
; CHECK-NOT: gnomon.delta
define double @indexed(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds [1000 x double], ptr @array, i64 0, i64 %i
  %v = load double, ptr %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %v
}

; A function without private variables is left alone.
; CHECK-LABEL: define i32 @untouched
; CHECK-NEXT: %a = load i32, ptr @fixed
; CHECK-NEXT: ret i32 %a
define i32 @untouched() {
  %a = load i32, ptr @fixed
  ret i32 %a
}

; CHECK: attributes #[[BSS]] = { "bss-section"="gn_zero" }
