; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: while the link optimises, hooks of bursts touch nothing of the program, so that what they stand between is read once;
; phases may change anything, since memory may be folded there. Where the optimiser sees the counter, hooks read it.
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-effects,function(gvn,dse)' -S %s | FileCheck %s
; RUN: sed 's/^;PLAIN//' %s | opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-effects' -S | FileCheck %s --check-prefix=PLAIN
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-effects,gnomon-hook-switch,verify' -S %s | FileCheck %s --check-prefix=SWITCH

@gnomon.bursts.on = internal externally_initialized global i32 0
@burst = internal global [16 x i64] zeroinitializer
;PLAIN@gnomon.instructions = internal externally_initialized global i64 0
;PLAINdefine void @count() {
;PLAIN  store i64 1, ptr @gnomon.instructions
;PLAIN  ret void
;PLAIN}

@own = internal global [16 x i64] zeroinitializer
declare i32 @gnomon_burst_begin(ptr, i64)
declare void @gnomon_burst_end(ptr)
declare void @gnomon_phase(i32)
declare void @use(i64, i64, i64)

; CHECK: declare i32 @gnomon_burst_begin(ptr, i64) #[[EFFECTS:[0-9]+]]
; CHECK: declare void @gnomon_burst_end(ptr) #[[EFFECTS]]
; CHECK: declare void @gnomon_phase(i32){{$}}
; CHECK-LABEL: define void @strides(
; CHECK: [[FIRST:%.*]] = load i64, ptr %descriptor
; CHECK: call void @gnomon_burst_end(
; CHECK-NOT: load
; CHECK: call void @gnomon_phase(
; CHECK: [[THEN:%.*]] = load i64, ptr %descriptor
; CHECK: call void @use(i64 [[FIRST]], i64 [[FIRST]], i64 [[THEN]])
; A record that the program writes is read by the hook.
; CHECK-LABEL: define void @own_record(
; CHECK: store i64 8, ptr @own
; CHECK: call void @gnomon_burst_end(
; CHECK: store i64 9, ptr @own
; CHECK: attributes #[[EFFECTS]] = { nofree memory(argmem: readwrite, inaccessiblemem: readwrite) }
; PLAIN-NOT: memory(
; SWITCH-NOT: memory(
define void @strides(ptr %descriptor) {
  %first = load i64, ptr %descriptor
  %answer = call i32 @gnomon_burst_begin(ptr @burst, i64 8)
  call void @gnomon_burst_end(ptr @burst)
  %second = load i64, ptr %descriptor
  call void @gnomon_phase(i32 1)
  %third = load i64, ptr %descriptor
  call void @use(i64 %first, i64 %second, i64 %third)
  ret void
}

define void @own_record() {
  store i64 8, ptr @own
  call void @gnomon_burst_end(ptr @own)
  store i64 9, ptr @own
  call void @gnomon_burst_end(ptr @own)
  ret void
}
