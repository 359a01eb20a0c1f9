; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: what must stay shared does, with the reason: by request of the source, because assembly needs the address, because the
; program walks a section; the compiler's own counters and mpif.h's sentinels without a word.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-privatize -pass-remarks-missed=gnomon -pass-remarks=gnomon -verify-each -S %s -o %t.ll 2>%t.err
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck --check-prefix=REMARK --implicit-check-not=sentinel --implicit-check-not=__llvm_prf %s < %t.err
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@requested = internal global i32 1
@.text = private unnamed_addr constant [15 x i8] c"gnomon::shared\00", section "llvm.metadata"
@.file = private unnamed_addr constant [4 x i8] c"a.c\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @requested, ptr @.text, ptr @.file, i32 1, ptr null }], section "llvm.metadata"
@immediate = internal global i32 1
@inText = internal global i32 1
@add = internal global i32 1
@rax = internal global i32 1
@inSection = internal global i32 1, section "registry"
@moved = internal global i32 1, section "elsewhere"
@__start_registry = external hidden global i8
@__llvm_prf_counter = internal global i64 0, section "__llvm_prf_cnts"
@gnomon_mpi_bottom_ = common global [4 x i8] zeroinitializer
@llvm.used = appending global [1 x ptr] [ptr @add], section "llvm.metadata"

; CHECK-DAG: @requested = internal global i32 1
; CHECK-DAG: @immediate = internal global i32 1
; CHECK-DAG: @inText = internal global i32 1
; CHECK-DAG: @inSection = internal global i32 1, section "registry"
; CHECK-DAG: @gnomon_mpi_bottom_ = common global
; CHECK-DAG: @__llvm_prf_counter = internal global i64 0, section "__llvm_prf_cnts"
; CHECK-DAG: @add = internal alias
; CHECK-DAG: @rax = internal alias
; CHECK-DAG: @moved = internal alias

; REMARK-DAG: remark: {{.*}}'add' has one copy per rank (4 bytes)
; REMARK-DAG: remark: {{.*}}'rax' has one copy per rank
; REMARK-DAG: remark: {{.*}}'moved' has one copy per rank
; REMARK-DAG: remark: {{.*}}'requested' stays shared by all ranks: the source asks for it
; REMARK-DAG: warning: gnomon: 'immediate' stays shared by all ranks: assembly uses its address as a constant
; REMARK-DAG: warning: gnomon: 'inText' stays shared by all ranks: assembly uses its address as a constant
; REMARK-DAG: warning: gnomon: 'inSection' stays shared by all ranks: the program walks its section from __start_ to __stop_
define void @f() {
  call void asm sideeffect "add $$1, %rax; movl inText(%rip), %eax", "~{rax}"()
  call void asm sideeffect "push $0", "i"(ptr @immediate)
  %a = load i32, ptr @requested
  store i32 %a, ptr @inSection
  store i32 %a, ptr @add
  store i32 %a, ptr @rax
  store i32 %a, ptr @moved
  store ptr @gnomon_mpi_bottom_, ptr @__start_registry
  store i64 1, ptr @__llvm_prf_counter
  ret void
}
