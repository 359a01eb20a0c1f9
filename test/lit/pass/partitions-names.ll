; Intent: before the linker cuts a module into partitions, every local symbol has a name that is this link's alone, but for those that assembly names;
; labels of assembly are there for other partitions, and what is used lies with the list that says so.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-partitions -verify-each -S %s -o %t.1.ll
; RUN: FileCheck %s --input-file=%t.1.ll
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-partitions -S %s | diff %t.1.ll -
target triple = "x86_64-pc-linux-gnu"

; CHECK: module asm "label: jmp named"
; CHECK: module asm ".globl label"
; CHECK-NEXT: module asm ".hidden label"
; CHECK-NOT: module asm ".globl loop"
module asm "label: jmp named"
module asm "loop: jmp loop"

; CHECK: $gnomon.used.llvm.{{[0-9]+}} = comdat nodeduplicate
; CHECK: @text.llvm.{{[0-9]+}} = private constant [2 x i8] c"a\00"
@text = private constant [2 x i8] c"a\00"
; CHECK: @.llvm.{{[0-9]+}} = private constant [2 x i8] c"b\00"
@0 = private constant [2 x i8] c"b\00"
; CHECK: @kept.llvm.{{[0-9]+}} = internal global i32 1, comdat($gnomon.used.llvm.{{[0-9]+}})
@kept = internal global i32 1
; CHECK: @seen = global i32 2{{$}}
@seen = global i32 2
; CHECK: @llvm.used = {{.*}}, section "llvm.metadata", comdat($gnomon.used.llvm.{{[0-9]+}})
@llvm.used = appending global [1 x ptr] [ptr @kept], section "llvm.metadata"
; CHECK: @second.llvm.{{[0-9]+}} = internal alias
@second = internal alias i32, ptr @seen

declare void @label()
; CHECK: define internal void @named()
define internal void @named() {
  ret void
}
; CHECK: define internal void @write.llvm.{{[0-9]+}}()
define internal void @write() {
  call void @label()
  ret void
}
; CHECK: define void @visible()
define void @visible() {
  call void @write()
  %text = load i8, ptr @text
  %more = load i8, ptr @0
  ret void
}
