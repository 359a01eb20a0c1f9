; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: counters stand on the fewest and coldest edges: none in straight code and where paths hardly differ (callers count those),
; one in a diamond, none in a loop that tells its iterations, one register in a loop with branches, none on the way back of a recursion.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify -S %s | FileCheck %s
; RUN: env GNOMON_COUNT=0 opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify -S %s | FileCheck --check-prefix=OFF %s
; OFF-NOT: gnomon.instructions
target triple = "x86_64-unknown-linux-gnu"

; CHECK: @gnomon.instructions = internal externally_initialized global i64 0
@cell = internal global i64 0
declare void @outside()
declare i32 @personality(...)

; Three instructions and their return: the caller's.
; CHECK-LABEL: define internal i64 @straight(
; CHECK-NOT: gnomon.instructions
; CHECK: ret
define internal i64 @straight(i64 %x) {
  %a = add i64 %x, 1
  %b = mul i64 %a, %x
  %c = xor i64 %b, 5
  ret i64 %c
}

; Its paths differ by two: their mean.
; CHECK-LABEL: define internal i64 @alike(
; CHECK-NOT: gnomon.instructions
; CHECK: ret
define internal i64 @alike(i1 %which, i64 %x) {
  br i1 %which, label %one, label %other
one:
  %a = add i64 %x, 1
  %b = add i64 %a, %x
  br label %other
other:
  %r = phi i64 [ %b, %one ], [ %x, %0 ]
  ret i64 %r
}

; The base is that of the likely way; the other adds its second call (a call of something unknown counts for 21).
; CHECK-LABEL: define internal void @diamond(
; CHECK-NOT: gnomon.instructions
; CHECK: rare:
; CHECK: add i64 %{{.*}}, 21
; CHECK-NEXT: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: likely:
; CHECK-NOT: gnomon.instructions
; CHECK: ret void
define internal void @diamond(i1 %which) {
  br i1 %which, label %rare, label %likely, !prof !0
rare:
  call void @outside()
  call void @outside()
  br label %end
likely:
  call void @outside()
  br label %end
end:
  ret void
}

; Six an iteration, times the variable's way; nothing in the loop.
; CHECK-LABEL: define internal void @loop(
; CHECK: body:
; CHECK-NOT: gnomon.instructions
; CHECK: br i1 %more
; CHECK: mul i64 %i, 6
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
define internal void @loop(ptr %a, i64 %n) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %p = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  %unused = xor i64 %n, 3
  br i1 %more, label %body, label %end
end:
  ret void
}

; The inner loop's iterations go into a register of the outer one, and that into the counter at the end.
; CHECK-LABEL: define internal void @nested(
; CHECK: outer:
; CHECK: phi i64
; CHECK-NOT: @gnomon.instructions
; CHECK: br i1 %againOuter
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: ret void
define internal void @nested(ptr %a, i64 %n, i64 %m) {
  br label %outer
outer:
  %i = phi i64 [ 0, %0 ], [ %nextOuter, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %next, %inner ]
  store i64 %j, ptr %a
  %next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %next, %m
  br i1 %more, label %inner, label %latch
latch:
  %nextOuter = add nuw nsw i64 %i, 1
  %againOuter = icmp ult i64 %nextOuter, %n
  br i1 %againOuter, label %outer, label %end
end:
  ret void
}

; A call that may ask for the time: the counter is raised in each iteration.
; CHECK-LABEL: define internal void @noisy(
; CHECK: call void @outside()
; CHECK-NEXT: add nuw nsw
; CHECK-NEXT: icmp
; CHECK-NEXT: br i1 %more, label %[[BACK:.*]], label %end
; CHECK: [[BACK]]:
; CHECK: add i64 %{{.*}}, 24
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: br label %body
; CHECK: ret void
define internal void @noisy(i64 %n) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  call void @outside()
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; Each way of a switch that differs from the likeliest.
; CHECK-LABEL: define internal void @switch(
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK-NOT: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: ret void
define internal void @switch(i32 %which) {
  switch i32 %which, label %none [ i32 1, label %one
                                   i32 2, label %one
                                   i32 3, label %two ]
one:
  call void @outside()
  br label %none
two:
  call void @outside()
  call void @outside()
  br label %none
none:
  ret void
}

; fib: the base is the way without a call; one addition where it calls itself twice, with both calls' bases.
; CHECK-LABEL: define internal i64 @fib(
; CHECK-NOT: gnomon.instructions
; CHECK: deeper:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK-NOT: gnomon.instructions
; CHECK: ret i64
define internal i64 @fib(i64 %n) {
  %small = icmp ult i64 %n, 2
  br i1 %small, label %end, label %deeper
deeper:
  %n1 = sub i64 %n, 1
  %f1 = call i64 @fib(i64 %n1)
  %n2 = sub i64 %n, 2
  %f2 = call i64 @fib(i64 %n2)
  %sum = add i64 %f1, %f2
  br label %end
end:
  %r = phi i64 [ %n, %0 ], [ %sum, %deeper ]
  ret i64 %r
}

; An error's end takes part in nothing; what is counted stands before the call that does not return.
; CHECK-LABEL: define internal void @errors(
; CHECK: error:
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: unreachable
define internal void @errors(i1 %bad) {
  br i1 %bad, label %error, label %end
error:
  call void @outside() noreturn
  unreachable
end:
  ret void
}

; Handlers of exceptions are kept as they are.
; CHECK-LABEL: define internal void @unwinding(
; CHECK: landingpad
; CHECK: ret void
define internal void @unwinding() personality ptr @personality {
  invoke void @outside() to label %end unwind label %pad
pad:
  %p = landingpad { ptr, i32 } cleanup
  call void @outside()
  br label %end
end:
  ret void
}

; Called from outside: counts itself. The calls' bases are part of its own.
; CHECK-LABEL: define i32 @main(
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: ret i32
define i32 @main() {
  %a = call i64 @straight(i64 1)
  %b = call i64 @alike(i1 true, i64 %a)
  call void @diamond(i1 true)
  call void @loop(ptr @cell, i64 1)
  call void @nested(ptr @cell, i64 1, i64 1)
  call void @noisy(i64 3)
  call void @switch(i32 1)
  %c = call i64 @fib(i64 9)
  call void @errors(i1 false)
  call void @unwinding()
  ret i32 0
}

; CHECK: define hidden i64 @gnomon.instructions.read()
!0 = !{!"branch_weights", i32 1, i32 1000}
