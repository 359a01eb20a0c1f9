; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: the runtime makes the instructions of an internal procedure that is passed on, in memory of its own; the program takes
; their address from where it would have had them on its stack.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-trampolines -verify-each -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.init.trampoline(ptr, ptr, ptr)
declare ptr @llvm.adjust.trampoline(ptr)
declare i32 @internal(ptr nest, i32)
declare void @pass_on(ptr)

; CHECK-LABEL: define void @host(
; CHECK: call void @gnomon_make_trampoline(ptr %place, ptr @internal, ptr %variables)
; CHECK-NEXT: %[[CODE:.*]] = load ptr, ptr %place
; CHECK-NEXT: call void @pass_on(ptr %[[CODE]])
; CHECK-NOT: @llvm.init.trampoline(ptr %
define void @host(ptr %variables) {
  %place = alloca [32 x i8], align 16
  call void @llvm.init.trampoline(ptr %place, ptr @internal, ptr %variables)
  %code = call ptr @llvm.adjust.trampoline(ptr %place)
  call void @pass_on(ptr %code)
  ret void
}
