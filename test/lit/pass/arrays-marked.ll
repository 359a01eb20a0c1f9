; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: what array an index chooses from stands in a type, in front of the optimiser; variables, open ends, and rows that
; an index has chosen are left alone.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-mark-arrays -S %s -o - | FileCheck %s
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-mark-arrays,lto-pre-link<O2>' -S %s -o - | FileCheck %s --check-prefix=KEPT
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.S = type { i32, [13 x ptr], ptr, [4 x [8 x double]], [1 x double] }
@variable = global %struct.S zeroinitializer

; CHECK-DAG: %gnomon.within.0.104. = type { ptr }
; CHECK-DAG: %gnomon.within.0.256. = type { [8 x double] }
; CHECK-DAG: %gnomon.within.-128.128. = type { double }

; CHECK-LABEL: @member(
; CHECK-NEXT: %[[START:.*]] = getelementptr inbounds i8, ptr %x, i64 8
; CHECK-NEXT: getelementptr inbounds %gnomon.within.0.104., ptr %[[START]], i64 %j
; KEPT-LABEL: @member(
; KEPT: getelementptr inbounds %gnomon.within.0.104., ptr
define ptr @member(ptr %x, i64 %j) {
  %e = getelementptr inbounds %struct.S, ptr %x, i64 0, i32 1, i64 %j
  %v = load ptr, ptr %e
  ret ptr %v
}

; CHECK-LABEL: @rows(
; CHECK: %[[ROW:.*]] = getelementptr inbounds %gnomon.within.0.256., ptr %{{.*}}, i64 %i
; CHECK-NEXT: getelementptr inbounds [8 x double], ptr %[[ROW]], i64 0, i64 %j
define double @rows(ptr %x, i64 %i, i64 %j) {
  %e = getelementptr inbounds %struct.S, ptr %x, i64 0, i32 3, i64 %i, i64 %j
  %v = load double, ptr %e
  ret double %v
}

; CHECK-LABEL: @row(
; CHECK: getelementptr inbounds %gnomon.within.-128.128., ptr %r, i64 %j
define double @row(ptr %x, i64 %j) {
  %m = getelementptr inbounds %struct.S, ptr %x, i64 0, i32 3
  %r = getelementptr inbounds [4 x [8 x double]], ptr %m, i64 0, i64 2
  %e = getelementptr inbounds [8 x double], ptr %r, i64 0, i64 %j
  %v = load double, ptr %e
  ret double %v
}

; CHECK-LABEL: @left(
; CHECK: getelementptr inbounds %struct.S, ptr @variable, i64 0, i32 1, i64 %j
; CHECK: getelementptr inbounds %struct.S, ptr %x, i64 0, i32 4, i64 %j
; CHECK: getelementptr inbounds ptr, ptr %x, i64 %j
; CHECK: getelementptr %struct.S, ptr %x, i64 0, i32 1, i64 %j
define void @left(ptr %x, i64 %j) {
  %a = getelementptr inbounds %struct.S, ptr @variable, i64 0, i32 1, i64 %j
  store ptr %a, ptr %a
  %b = getelementptr inbounds %struct.S, ptr %x, i64 0, i32 4, i64 %j
  store ptr %b, ptr %b
  %c = getelementptr inbounds ptr, ptr %x, i64 %j
  store ptr %c, ptr %c
  %d = getelementptr %struct.S, ptr %x, i64 0, i32 1, i64 %j
  store ptr %d, ptr %d
  ret void
}
