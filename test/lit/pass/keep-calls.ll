; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: calls of MPI functions are kept apart from their equals; other calls are not touched.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-keep-calls -verify-each -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare i32 @MPI_Barrier(ptr)
declare void @mpi_barrier_(ptr, ptr)
declare void @other()

; CHECK-LABEL: define void @calls
define void @calls(ptr %a) {
  ; CHECK: call i32 @MPI_Barrier(ptr %a) #[[KEPT:[0-9]+]]
  %1 = call i32 @MPI_Barrier(ptr %a)
  ; CHECK: call void @mpi_barrier_(ptr %a, ptr %a) #[[KEPT]]
  call void @mpi_barrier_(ptr %a, ptr %a)
  ; CHECK: call void @other(){{$}}
  call void @other()
  ret void
}
; CHECK: attributes #[[KEPT]] = { nomerge }
