; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: OpenMP's number of the thread is asked for where it is used, once for all operands of an instruction, and on the way
; into a phi; a call without uses goes.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-thread-numbers -verify-each -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @clauses(
; CHECK-NEXT: store i32 0, ptr %place
; CHECK-NEXT: call i32 @MPI_Barrier(ptr null)
; CHECK-NEXT: %[[FIRST:.*]] = call i32 @__kmpc_global_thread_num(ptr @place)
; CHECK-NEXT: call void @__kmpc_push_num_threads(ptr @place, i32 %[[FIRST]], i32 2)
; CHECK-NEXT: %[[SECOND:.*]] = call i32 @__kmpc_global_thread_num(ptr @place)
; CHECK-NEXT: call void @both(i32 %[[SECOND]], i32 %[[SECOND]])
; CHECK-NEXT: ret void
define void @clauses(ptr %place) {
  %number = call i32 @__kmpc_global_thread_num(ptr @place)
  store i32 0, ptr %place
  %unused = call i32 @__kmpc_global_thread_num(ptr @place)
  %error = call i32 @MPI_Barrier(ptr null)
  call void @__kmpc_push_num_threads(ptr @place, i32 %number, i32 2)
  call void @both(i32 %number, i32 %number)
  ret void
}

; CHECK-LABEL: define i32 @choice(
; CHECK: one:
; CHECK-NEXT: call i32 @MPI_Barrier(ptr null)
; CHECK-NEXT: %[[ONE:.*]] = call i32 @__kmpc_global_thread_num(ptr @place)
; CHECK-NEXT: switch
; CHECK: end:
; CHECK-NEXT: %result = phi i32 [ 0, %begin ], [ %[[ONE]], %one ], [ %[[ONE]], %one ]
define i32 @choice(i1 %condition, i32 %value) {
begin:
  %number = call i32 @__kmpc_global_thread_num(ptr @place)
  br i1 %condition, label %one, label %end
one:
  %error = call i32 @MPI_Barrier(ptr null)
  switch i32 %value, label %other [ i32 1, label %end
                                    i32 2, label %end ]
other:
  unreachable
end:
  %result = phi i32 [ 0, %begin ], [ %number, %one ], [ %number, %one ]
  ret i32 %result
}

@place = external global i32
declare i32 @__kmpc_global_thread_num(ptr)
declare void @__kmpc_push_num_threads(ptr, i32, i32)
declare void @both(i32, i32)
declare i32 @MPI_Barrier(ptr)
