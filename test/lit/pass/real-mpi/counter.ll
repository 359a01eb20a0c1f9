; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: the counter tells its address to a library that may not be there, before the program's constructors, and takes
; it back after its destructors; a module without a counter stays as it is.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-tell-counter -S %s | FileCheck %s
; RUN: sed '/^@gnomon.instructions/d;s/load i64, ptr @gnomon.instructions/add i64 0, 0/' %s | opt -load-pass-plugin %pass_plugin -passes=gnomon-tell-counter -S | FileCheck %s --check-prefix=NONE

@gnomon.instructions = internal global i64 0

; CHECK: @llvm.global_ctors = appending global {{.*}} { i32 101, ptr @gnomon.counter.add, ptr null }
; CHECK: @llvm.global_dtors = appending global {{.*}} { i32 101, ptr @gnomon.counter.remove, ptr null }
; CHECK-NOT: @gnomon.instructions.read
; CHECK-LABEL: define internal void @gnomon.counter.add()
; CHECK: %[[FOUND:.*]] = call ptr @dlsym(ptr null, ptr @{{.*}})
; CHECK: %[[NOT:.*]] = icmp eq ptr %[[FOUND]], null
; CHECK: br i1 %[[NOT]]
; CHECK: call void %[[FOUND]](ptr @gnomon.instructions)
; NONE-NOT: dlsym
define i64 @gnomon.instructions.read() {
  %count = load i64, ptr @gnomon.instructions
  ret i64 %count
}

define void @work() {
  ret void
}
