; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: a burst's hooks keep no loop from counting in a register: they are told what is pending, by a call of another name. At the
; end of the link the counter has that around the call, where hooks are on; where they are off nothing is computed for it.
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-count,verify' -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: opt -load-pass-plugin %pass_plugin -passes='function(early-cse),gnomon-hook-switch,verify' -S %t.ll | FileCheck %s --check-prefix=SWITCH
; RUN: env GNOMON_COUNT=memory opt -load-pass-plugin %pass_plugin -passes='gnomon-count,verify' -S %s | FileCheck %s --check-prefix=MEMORY

@gnomon.bursts.on = internal externally_initialized global i32 0
@burst = internal global [16 x i64] zeroinitializer

declare i32 @gnomon_burst_begin(ptr, i64)
declare void @gnomon_burst_end(ptr)

; What is pending are the iterations so far, and on the way of an odd one what the register holds.
; CHECK-LABEL: define i64 @cells(
; CHECK: {{^}}burst:
; CHECK-NEXT: [[HELD:%.*]] = phi i64
; CHECK-NOT: @gnomon.instructions
; CHECK: [[NOW:%.*]] = call i64 asm "", "=r,0"(i64 %i) #[[NOTHING:[0-9]+]]
; CHECK: [[ITERATIONS:%.*]] = mul i64 [[NOW]], [[EACH:[0-9]+]]
; CHECK: [[PENDING:%.*]] = add i64 [[ITERATIONS]], [[HELD]]
; CHECK: call i32 @gnomon.pending.gnomon_burst_begin(ptr @burst, i64 8, i64 [[PENDING]])
; CHECK: call void @gnomon.pending.gnomon_burst_end{{(_with)?}}(ptr @burst, {{.*}}i64 %{{.*}})
; CHECK-NOT: @gnomon.instructions
; CHECK: end:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: attributes #[[NOTHING]] = { nounwind willreturn memory(none) }

; SWITCH-LABEL: define i64 @cells(
; SWITCH: cell:
; SWITCH-NOT: asm
; SWITCH: [[ON:%.*]] = load i32, ptr @gnomon.bursts.on
; SWITCH-NEXT: [[ASKED:%.*]] = icmp ne i32 [[ON]], 0
; SWITCH-NEXT: br i1 [[ASKED]], label %[[BEGIN:[^,]*]], label %{{.*}}, !prof [[SELDOM:![0-9]+]]
; SWITCH: {{^}}[[BEGIN]]:
; SWITCH: call i64 asm "", "=r,0"(i64 %i)
; SWITCH: [[BEFORE:%.*]] = load i64, ptr @gnomon.instructions
; SWITCH-NEXT: [[WITH:%.*]] = add i64 [[BEFORE]], [[PENDING:%.*]]
; SWITCH-NEXT: store i64 [[WITH]], ptr @gnomon.instructions
; SWITCH-NEXT: call i32 @gnomon_burst_begin(ptr @burst, i64 8)
; SWITCH-NEXT: [[BEHIND:%.*]] = load i64, ptr @gnomon.instructions
; SWITCH-NEXT: [[WITHOUT:%.*]] = sub i64 [[BEHIND]], [[PENDING]]
; SWITCH-NEXT: store i64 [[WITHOUT]], ptr @gnomon.instructions
; SWITCH: [[SELDOM]] = !{!"branch_weights", i32 1,

; MEMORY-LABEL: define i64 @cells(
; MEMORY: call i32 @gnomon_burst_begin(
; MEMORY-NOT: gnomon.pending.
define i64 @cells(i64 %n, ptr %array) {
  br label %cell
cell:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %odd = and i64 %i, 1
  %is.odd = icmp ne i64 %odd, 0
  br i1 %is.odd, label %more, label %burst
more:
  %place = getelementptr i64, ptr %array, i64 %i
  store i64 %i, ptr %place
  br label %burst
burst:
  %answer = call i32 @gnomon_burst_begin(ptr @burst, i64 8), !gnomon.hook !0
  %execute = icmp ne i32 %answer, 0, !gnomon.hook !0
  br i1 %execute, label %work, label %latch, !prof !1, !gnomon.hook !0
work:
  %other = getelementptr i64, ptr %array, i64 %n
  store i64 %i, ptr %other
  br label %latch
latch:
  call void @gnomon_burst_end(ptr @burst), !gnomon.hook !0
  %next = add nuw i64 %i, 1
  %goes.on = icmp ult i64 %next, %n
  br i1 %goes.on, label %cell, label %end
end:
  ret i64 %n
}

!0 = !{}
!1 = !{!"branch_weights", i32 2000, i32 1}
