; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: addresses inside constant expressions, phis with equal edges, aggregates, vectors, invokes and switches are
; all rewritten; dead code too.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-privatize -verify-each -S %s | FileCheck %s
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-privatize,gnomon-entry,verify' -S %s | opt -passes='default<O2>' -disable-output
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@g = internal global i32 1
@pair = internal global { i32, i32 } { i32 1, i32 2 }
declare void @use(ptr)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define ptr @phi
; CHECK: switch
; CHECK-NOT: ptr @g,
; CHECK-NOT: @pair
; CHECK: ret ptr
define ptr @phi(i32 %x) {
entry:
  switch i32 %x, label %other [ i32 0, label %join
                                i32 1, label %join ]
other:
  br label %join
join:
  %p = phi ptr [ getelementptr (i8, ptr @pair, i64 4), %entry ], [ getelementptr (i8, ptr @pair, i64 4), %entry ], [ @g, %other ]
  ret ptr %p
}

; CHECK-LABEL: define { ptr, i64 } @aggregate
; CHECK: insertvalue
define { ptr, i64 } @aggregate() {
  ret { ptr, i64 } { ptr @g, i64 1 }
}

; CHECK-LABEL: define void @vector
; CHECK: insertelement
define void @vector(ptr %out) {
  store <2 x ptr> <ptr @g, ptr getelementptr (i8, ptr @pair, i64 4)>, ptr %out
  ret void
}

; CHECK-LABEL: define void @invoking
; CHECK: invoke void @use(ptr %
define void @invoking() personality ptr @__gxx_personality_v0 {
  invoke void @use(ptr getelementptr (i8, ptr @pair, i64 4)) to label %ok unwind label %bad
ok:
  ret void
bad:
  %l = landingpad { ptr, i32 } cleanup
  call void @use(ptr @g)
  resume { ptr, i32 } %l
}

; CHECK-LABEL: define i1 @compared
; CHECK-NOT: ptr @g to
; CHECK: ret i1
define i1 @compared(i64 %x) {
  %c = icmp eq i64 %x, ptrtoint (ptr @g to i64)
  ret i1 %c
}

; CHECK-LABEL: define void @dead
; CHECK: unreachable: ; preds
; CHECK: load i64, ptr @gnomon.delta
; CHECK: store i32 1, ptr %{{[0-9]+}}
define void @dead() {
  ret void
unreachable:
  store i32 1, ptr @g
  br label %unreachable
}

; CHECK-LABEL: define void @optnone
; CHECK: load i64, ptr @gnomon.delta
define void @optnone() noinline optnone {
  store i32 1, ptr @g
  ret void
}

; The address must not stand between a musttail call and its return.
; CHECK-LABEL: define void @tail
; CHECK: musttail call void @use(ptr %{{.*}})
; CHECK-NEXT: ret void
define void @tail(ptr %p) {
  musttail call void @use(ptr @g)
  ret void
}
