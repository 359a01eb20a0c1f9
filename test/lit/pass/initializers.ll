; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: a constant that holds the address of a private variable becomes private, transitively; each such slot is in the
; table of relocations; differences of addresses are not.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-privatize -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@value = internal global i32 5
@pointer = internal constant ptr @value
@twice = internal constant { i32, ptr } { i32 1, ptr @pointer }
@text = internal constant [2 x i8] c"a\00"
@names = internal constant ptr @text
@relative = internal constant [1 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @value to i64), i64 ptrtoint (ptr @relative to i64)) to i32)]
@number = internal global i64 add (i64 ptrtoint (ptr @value to i64), i64 8)
@cycle = internal global ptr @cycle
@packed = internal global <{ i8, ptr }> <{ i8 1, ptr @value }>
@function = internal global ptr @f

; Order: value 0, pointer 8, twice 16, relative 32, number 40, cycle 48, packed 56, function 72.
; CHECK: @names = internal constant ptr @text
; CHECK: @gnomon.relocations = internal constant [5 x { ptr, ptr }] [
; CHECK-SAME: { ptr, ptr } { ptr getelementptr (i8, ptr @gnomon.private, i64 8), ptr null },
; CHECK-SAME: { ptr, ptr } { ptr getelementptr (i8, ptr @gnomon.private, i64 24), ptr null },
; CHECK-SAME: { ptr, ptr } { ptr getelementptr (i8, ptr @gnomon.private, i64 40), ptr null },
; CHECK-SAME: { ptr, ptr } { ptr getelementptr (i8, ptr @gnomon.private, i64 48), ptr null },
; CHECK-SAME: { ptr, ptr } { ptr getelementptr (i8, ptr @gnomon.private, i64 57), ptr null }
define ptr @f() {
  ret ptr @twice
}
