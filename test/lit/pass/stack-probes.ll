; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: every function that is defined asks for stack probes, unless it has a choice of its own; declarations are left alone.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-stack-probes -verify-each -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: define void @plain() #[[PROBED:[0-9]+]]
define void @plain() {
  ret void
}
; CHECK: define void @own() #[[OWN:[0-9]+]]
define void @own() "probe-stack"="mine" {
  ret void
}
; CHECK: declare void @other(){{$}}
declare void @other()
; CHECK-DAG: attributes #[[PROBED]] = { "probe-stack"="inline-asm" "stack-probe-size"="65536" }
; CHECK-DAG: attributes #[[OWN]] = { "probe-stack"="mine" }
