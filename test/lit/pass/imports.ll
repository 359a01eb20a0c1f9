; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: variables that the dynamic linker may resolve elsewhere go through the table of imports: declarations (through the
; GOT, no copy), and definitions of a shared library that can be preempted. Type information of C++, hidden and thread-local
; declarations do not.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-privatize -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@elsewhere = external dso_local global i32
@preemptible = global i32 1
@hidden = external hidden global i32
@perThread = external thread_local global i32
@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTI1A = constant { ptr } { ptr getelementptr (i8, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 16) }
@holder = internal constant ptr @elsewhere

; CHECK-DAG: @elsewhere = external global i32
; CHECK-DAG: @gnomon.imports = internal global [2 x { ptr, ptr }] [{ ptr, ptr } { ptr @elsewhere, ptr @gnomon.delta.shared }, { ptr, ptr } { ptr @preemptible, ptr @gnomon.delta.shared }]
; CHECK-DAG: @gnomon.relocations = internal constant [1 x { ptr, ptr }] [{ ptr, ptr } { ptr getelementptr (i8, ptr @gnomon.private, i64 8), ptr @gnomon.imports }]
; CHECK-DAG: @preemptible = alias i32, ptr @gnomon.private
; CHECK-DAG: @_ZTI1A = constant

; CHECK-LABEL: define i32 @f
; CHECK: %[[WHERE:.*]] = load ptr, ptr getelementptr inbounds{{.*}} ({ ptr, ptr }, ptr @gnomon.imports, i32 0, i32 1), align 8, !invariant.load
; CHECK-NEXT: %[[DELTA:.*]] = load i64, ptr %[[WHERE]], align 8, !invariant.load
; CHECK-NEXT: add i64 ptrtoint (ptr @elsewhere to i64), %[[DELTA]]
; CHECK: load i32, ptr @hidden
define i32 @f() {
  %a = load i32, ptr @elsewhere
  %b = load i32, ptr @hidden
  store i32 %b, ptr @preemptible
  %c = load ptr, ptr @holder
  ret i32 %a
}
