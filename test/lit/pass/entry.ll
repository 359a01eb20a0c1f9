; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: main becomes a call of gnomon_start; the program's constructors and destructors become tables in the order of execution,
; the sanitizers' stay libc's; the record says what is there.
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-privatize,gnomon-entry' -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@llvm.global_ctors = appending global [4 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, { i32, ptr, ptr } { i32 101, ptr @early, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @later, ptr null }, { i32, ptr, ptr } { i32 1, ptr @asan.module_ctor, ptr null }]
@llvm.global_dtors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @later, ptr null }, { i32, ptr, ptr } { i32 101, ptr @early, ptr null }]
@x = dso_local global i32 3

; CHECK-DAG: @gnomon.constructors = internal constant [3 x { ptr, i32, i32 }] [{ ptr, i32, i32 } { ptr @early, i32 101, i32 1 }, { ptr, i32, i32 } { ptr @late, i32 65535, i32 0 }, { ptr, i32, i32 } { ptr @later, i32 65535, i32 2 }]
; CHECK-DAG: @gnomon.destructors = internal constant [3 x { ptr, i32, i32 }] [{ ptr, i32, i32 } { ptr @later, i32 65535, i32 1 }, { ptr, i32, i32 } { ptr @late, i32 65535, i32 0 }, { ptr, i32, i32 } { ptr @early, i32 101, i32 2 }]
; CHECK-DAG: @__start_gn_swap = extern_weak hidden global i8
; CHECK-DAG: @gnomon.record = internal global {{.*}} { i32 11, i32 2, ptr @gnomon.name, ptr @gnomon.private, ptr getelementptr (i8, ptr @gnomon.private, i64 4), ptr getelementptr (i8, ptr @gnomon.private, i64 4), ptr getelementptr (i8, ptr @gnomon.private, i64 4), i64 64, ptr @gnomon.delta, ptr null, i64 0, ptr null, i64 0, ptr @gnomon.constructors, i64 3, ptr @gnomon.destructors, i64 3, ptr @__start_gn_swap, ptr @__stop_gn_swap, ptr null, i64 0, ptr @gnomon.main, ptr null, i64 0, i32 0, i32 0, ptr null, ptr null, ptr null, i64 0, ptr null, ptr null, i64 0, ptr null }
; CHECK-DAG: @llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @asan.module_ctor, ptr null }, { i32, ptr, ptr } { i32 0, ptr @gnomon.register, ptr null }]

declare void @late()
declare void @early()
declare void @later()
declare void @asan.module_ctor()
declare i32 @MPI_Init(ptr, ptr)

; CHECK-LABEL: define internal i32 @gnomon.main
define dso_local i32 @main() {
  %a = load i32, ptr @x
  %b = call i32 @MPI_Init(ptr null, ptr null)
  ret i32 %a
}

; CHECK-LABEL: define i32 @main(i32 %0, ptr %1, ptr %2)
; CHECK: %[[CODE:.*]] = call i32 @gnomon_start(ptr @gnomon.record, i32 %0, ptr %1, ptr %2)
; CHECK: ret i32 %[[CODE]]
; CHECK-LABEL: define internal void @gnomon.register
; CHECK: call void @gnomon_register_module(ptr @gnomon.record)
