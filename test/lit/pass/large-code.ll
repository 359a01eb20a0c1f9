; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: LLVM's code runs on when it has been put into large pages, and makes the same of a program.
; RUN: opt -load-pass-plugin=%pass_plugin -passes='default<O1>,gnomon-large-code,default<O2>' -S %s -o %t.large
; RUN: opt -passes='default<O1>,default<O2>' -S %s -o %t.plain
; RUN: diff %t.plain %t.large
; RUN: env GNOMON_LARGE_PAGES=0 opt -load-pass-plugin=%pass_plugin -passes='default<O1>,gnomon-large-code,default<O2>' -S %s -o %t.left
; RUN: diff %t.plain %t.left
; RUN: FileCheck %s < %t.large
; RUN: opt -load-pass-plugin=%pass_plugin -passes='gnomon-large-code,gnomon-large-code' -disable-output %s

; CHECK: i32 @twice(i32 %number)
; CHECK-NEXT: shl i32 %number, 1
define i32 @twice(i32 %number) {
  %place = alloca i32
  store i32 %number, ptr %place
  %again = load i32, ptr %place
  %sum = add i32 %number, %again
  ret i32 %sum
}
