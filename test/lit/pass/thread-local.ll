; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: a thread_local variable becomes an ordinary one of the rank, is named in the record with its size, and keeps no thread-local access.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-privatize -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@t = internal thread_local global i32 4
@u = internal thread_local(localexec) global i32 0
; One that others can see is reached by them as thread-local, so it stays that, with a warning.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-privatize -disable-output %s 2>&1 | FileCheck --check-prefix=WARNING %s
; WARNING: warning: gnomon: 'exported' stays shared by all ranks: it is thread-local and other linked outputs
@exported = thread_local global i32 5
; CHECK: @exported = thread_local global i32 5
; CHECK: @gnomon.thread.locals = internal constant [2 x { ptr, i64 }] [{ ptr, i64 } { ptr @gnomon.private, i64 4 }, { ptr, i64 } { ptr @gnomon.zero, i64 4 }]
; CHECK-NOT: thread_local
; CHECK-NOT: call {{.*}}threadlocal.address
define i32 @f() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @t)
  %v = load i32, ptr %p
  %q = call ptr @llvm.threadlocal.address.p0(ptr @u)
  store i32 %v, ptr %q
  ret i32 %v
}
