; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: linkage, alignment and aliases survive: common and weak symbols, an alias into the middle, an alias of an alias.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-privatize -verify-each -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$inComdat = comdat any
@byte = dso_local global i8 1
@wide = dso_local global [4 x i8] c"abcd", align 256
@common = common dso_local global [10 x i8] zeroinitializer, align 32
@weak = weak dso_local global i32 2
@inComdat = linkonce_odr dso_local global i32 3, comdat
@empty = dso_local global {} zeroinitializer
@middle = dso_local alias i8, getelementptr (i8, ptr @wide, i64 2)
@second = dso_local alias i8, getelementptr (i8, ptr @middle, i64 1)

; CHECK-DAG: @gnomon.private = {{.*}} section "gn_priv", align 256
; CHECK-DAG: @gnomon.zero = private global [17 x i8] zeroinitializer, align 64
; CHECK-DAG: @wide = dso_local alias [4 x i8], getelementptr (i8, ptr @gnomon.private, i64 256)
; CHECK-DAG: @common = dso_local alias [10 x i8], ptr @gnomon.zero
; CHECK-DAG: @weak = weak dso_local alias i32, getelementptr (i8, ptr @gnomon.private, i64 260)
; CHECK-DAG: @inComdat = linkonce_odr dso_local alias i32, getelementptr (i8, ptr @gnomon.private, i64 264)
; CHECK-DAG: @empty = dso_local alias {}, getelementptr (i8, ptr @gnomon.zero, i64 16)
; CHECK-DAG: @middle = dso_local alias i8, getelementptr (i8, ptr @gnomon.private, i64 258)
; CHECK-DAG: @second = dso_local alias i8, getelementptr (i8, ptr @gnomon.private, i64 259)

; CHECK-LABEL: define i8 @f
; CHECK: getelementptr i8, ptr %{{.*}}, i64 259
define i8 @f() {
  %a = load i8, ptr @second
  ret i8 %a
}
