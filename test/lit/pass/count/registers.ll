; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: a loop counts in a register where some way round meets no call that looks at the counter; the register goes to memory
; before each such call and on the exits. Loops that gain nothing by it, or have exits without a place, count in memory.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify -S %s | FileCheck %s
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify -S %s | FileCheck --check-prefix=ZERO %s
; RUN: env GNOMON_COUNT=memory opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify -S %s | FileCheck --check-prefix=MEMORY %s
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count -pass-remarks-missed=gnomon -disable-output %s 2>&1 | FileCheck --check-prefix=REMARK %s
target triple = "x86_64-unknown-linux-gnu"

; A loop that is left with nothing to add but what its register holds adds no zero to that.
; ZERO-NOT: add i64 0, %

declare void @outside()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @reads(ptr) memory(argmem: read)
declare i32 @setjmp(ptr) returns_twice
declare i32 @personality(...)

; Errors are printed: nothing is counted on the way that meets none. What is known of the iterations goes to memory before the call, and
; is taken off what the register holds; an error has 42 instructions more than a time round without.
; CHECK-LABEL: define void @sometimes(
; CHECK: body:
; CHECK-NEXT: [[HELD:%.*]] = phi i64 [ 0, %0 ], [ [[NEXT:%.*]], %latch ]
; CHECK-NEXT: phi i64
; CHECK-NEXT: getelementptr
; CHECK-NEXT: load
; CHECK-NEXT: icmp
; CHECK-NEXT: br i1 %right, label %latch, label %error
; CHECK: error:
; CHECK-NEXT: [[NOW:%.*]] = call i64 asm "", "=r,0"(i64 %i)
; CHECK-NEXT: [[AHEAD:%.*]] = mul i64 [[NOW]], 7
; CHECK-NEXT: [[ALL:%.*]] = add i64 [[AHEAD]], [[HELD]]
; CHECK-NEXT: [[BEFORE:%.*]] = load i64, ptr @gnomon.instructions
; CHECK-NEXT: [[AFTER:%.*]] = add i64 [[BEFORE]], [[ALL]]
; CHECK-NEXT: store i64 [[AFTER]], ptr @gnomon.instructions
; CHECK-NEXT: [[LEFT:%.*]] = sub i64 0, [[AHEAD]]
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: [[MORE:%.*]] = add i64 [[LEFT]], 42
; CHECK-NEXT: br label %latch
; CHECK: latch:
; CHECK-NEXT: [[NEXT]] = phi i64 [ [[HELD]], %body ], [ [[MORE]], %error ]
; CHECK-NEXT: add nuw
; CHECK-NEXT: icmp
; CHECK-NEXT: br i1 %more, label %body, label %end
; CHECK: end:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: ret void
; In memory: nothing is kept, so nothing goes there before the call.
; MEMORY-LABEL: define void @sometimes(
; MEMORY: body:
; MEMORY-NEXT: %i = phi
; MEMORY: body.latch_crit_edge:
; MEMORY-NEXT: [[BEFORE:%.*]] = load i64, ptr @gnomon.instructions
; MEMORY-NEXT: [[AFTER:%.*]] = add i64 [[BEFORE]], 7
; MEMORY-NEXT: store i64 [[AFTER]], ptr @gnomon.instructions
; MEMORY-NEXT: br label %latch
; MEMORY: error:
; MEMORY-NEXT: call void @outside()
; MEMORY-NEXT: call void @outside()
; MEMORY-NEXT: load i64, ptr @gnomon.instructions
; MEMORY: ret void
define void @sometimes(ptr %a, i64 %n) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %right = icmp eq i64 %v, %i
  br i1 %right, label %latch, label %error
error:
  call void @outside()
  call void @outside()
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; What is moved between two calls is there for the second.
; CHECK-LABEL: define void @moves(
; CHECK: error:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK-NEXT: [[LEFT:%.*]] = sub i64 0,
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: [[WORDS:%.*]] = udiv i64 %n, 16
; CHECK-NEXT: [[HELD:%.*]] = add i64 [[LEFT]], [[WORDS]]
; CHECK-NEXT: call void @llvm.memset
; CHECK: [[ALL:%.*]] = add i64 %{{.*}}, [[HELD]]
; CHECK-NEXT: [[BEFORE:%.*]] = load i64, ptr @gnomon.instructions
; CHECK-NEXT: [[AFTER:%.*]] = add i64 [[BEFORE]], [[ALL]]
; CHECK-NEXT: store i64 [[AFTER]], ptr @gnomon.instructions
; CHECK-NEXT: sub
; CHECK-NEXT: call void @outside()
; CHECK: ret void
define void @moves(ptr %a, i64 %n) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %right = icmp eq i64 %v, %i
  br i1 %right, label %latch, label %error, !prof !0
error:
  call void @outside()
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %n, i1 false)
  call void @outside()
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; Each way round meets a call: memory is raised, behind the calls.
; CHECK-LABEL: define void @always(
; CHECK: head:
; CHECK-NEXT: %i = phi
; CHECK: one:
; CHECK-NEXT: call void @outside()
; CHECK: other:
; CHECK-NEXT: call void @outside()
; CHECK: latch:
; CHECK: ret void
define void @always(i1 %which, i64 %n) {
  br label %head
head:
  %i = phi i64 [ 7, %0 ], [ %next, %latch ]
  br i1 %which, label %one, label %other
one:
  call void @outside()
  br label %latch
other:
  call void @outside()
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %head, label %end
end:
  ret void
}

; The outer loop always calls; the inner one does not, and keeps a register of its own.
; CHECK-LABEL: define void @inner(
; CHECK: outer:
; CHECK-NEXT: %j = phi
; CHECK: body:
; CHECK-NEXT: phi i64 [ 0, %outer ]
; CHECK-NEXT: %i = phi
; CHECK-NOT: @gnomon.instructions
; CHECK: error:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: call void @outside()
; CHECK: latch:
; CHECK-NOT: @gnomon.instructions
; CHECK: br i1 %more
; CHECK: outerLatch:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK-NEXT: call void @outside()
; CHECK: ret void
define void @inner(ptr %a, i64 %n, i64 %m) {
  br label %outer
outer:
  %j = phi i64 [ 0, %0 ], [ %nextOuter, %outerLatch ]
  br label %body
body:
  %i = phi i64 [ 0, %outer ], [ %next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %right = icmp eq i64 %v, %i
  br i1 %right, label %latch, label %error, !prof !0
error:
  call void @outside()
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %outerLatch
outerLatch:
  call void @outside()
  %nextOuter = add nuw nsw i64 %j, 1
  %moreOuter = icmp ult i64 %nextOuter, %m
  br i1 %moreOuter, label %outer, label %end
end:
  ret void
}

; A handler that two calls share has no place for code, so that no iterations are multiplied; but both calls leave nothing in the
; register before they may throw.
; CHECK-LABEL: define void @throwing(
; CHECK: body:
; CHECK-NEXT: [[HELD:%.*]] = phi i64
; CHECK: error:
; CHECK-NEXT: [[BEFORE:%.*]] = load i64, ptr @gnomon.instructions
; CHECK-NEXT: [[AFTER:%.*]] = add i64 [[BEFORE]], [[HELD]]
; CHECK-NEXT: store i64 [[AFTER]], ptr @gnomon.instructions
; CHECK-NEXT: invoke void @outside()
; CHECK: second:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK-NEXT: invoke void @outside()
; CHECK: latch:
; CHECK-NOT: @gnomon.instructions
; CHECK: pad:
; CHECK: ret void
define void @throwing(ptr %a, i64 %n) personality ptr @personality {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %right = icmp eq i64 %v, %i
  br i1 %right, label %latch, label %error, !prof !0
error:
  invoke void @outside() to label %second unwind label %pad
second:
  invoke void @outside() to label %latch unwind label %pad
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret void
end:
  ret void
}

; What returns a second time finds the registers of the first: the loop counts in memory.
; CHECK-LABEL: define void @twice(
; CHECK: body:
; CHECK-NEXT: %i = phi
; CHECK: error:
; CHECK-NEXT: call void @outside()
; CHECK: ret void
define void @twice(ptr %a, i64 %n) {
  %first = call i32 @setjmp(ptr %a)
  br label %body
body:
  %i = phi i64 [ 7, %0 ], [ %next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %right = icmp eq i64 %v, %i
  br i1 %right, label %latch, label %error, !prof !0
error:
  call void @outside()
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; The loop is left by computed jumps into blocks that are reached otherwise as well: no code can be put there, so
; that a register would never be emptied.
; CHECK-LABEL: define void @computed(
; CHECK: dispatch:
; CHECK-NEXT: %pc = phi
; CHECK-NEXT: load ptr
; CHECK-NEXT: indirectbr
; CHECK: work:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: ret void
define void @computed(ptr %code, i1 %none) {
  br i1 %none, label %stop, label %dispatch
dispatch:
  %pc = phi ptr [ %code, %0 ], [ %next, %work ]
  %target = load ptr, ptr %pc
  indirectbr ptr %target, [ label %work, label %stop ]
work:
  %next = getelementptr ptr, ptr %pc, i64 1
  store i8 0, ptr %code
  br label %dispatch
stop:
  ret void
}

; Of two ways that are as likely, the one with the call carries the difference.
; CHECK-LABEL: define void @asLikely(
; CHECK: fine:
; CHECK-NEXT: store i64 0, ptr %p
; CHECK-NEXT: br label %latch
; CHECK: error:
; CHECK: call void @outside()
; CHECK-NEXT: add i64
; CHECK-NEXT: br label %latch
; CHECK: ret void
define void @asLikely(ptr %a, i64 %n) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %right = icmp eq i64 %v, %i
  br i1 %right, label %fine, label %error
fine:
  store i64 0, ptr %p
  br label %latch
error:
  call void @outside()
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; What may throw leaves the frame, whatever it touches: memory is raised in each round.
; CHECK-LABEL: define void @mayThrow(
; CHECK: body:
; CHECK-NEXT: %i = phi
; CHECK: call i64 @reads
; CHECK: br i1 %more, label %[[BACK:.*]], label %end
; CHECK: [[BACK]]:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK-NEXT: br label %body
; CHECK: ret void
define void @mayThrow(ptr %a, i64 %n) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %r = call i64 @reads(ptr %a)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; The register would go to memory five times in half of the rounds, where memory is raised once a round.
; CHECK-LABEL: define void @often(
; CHECK: body:
; CHECK-NEXT: %i = phi
; CHECK: ret void
define void @often(ptr %a, i64 %n) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %right = icmp eq i64 %v, %i
  br i1 %right, label %latch, label %b0
b0: call void @outside() br label %b1
b1: call void @outside() br label %b2
b2: call void @outside() br label %b3
b3: call void @outside() br label %b4
b4: call void @outside() br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; Seldom, but in many places.
; CHECK-LABEL: define void @manyPlaces(
; CHECK: body:
; CHECK-NEXT: %i = phi
; CHECK: ret void
define void @manyPlaces(ptr %a, i64 %n) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %right = icmp eq i64 %v, %i
  br i1 %right, label %latch, label %b0, !prof !0
b0: call void @outside() br label %b1
b1: call void @outside() br label %b2
b2: call void @outside() br label %b3
b3: call void @outside() br label %b4
b4: call void @outside() br label %b5
b5: call void @outside() br label %b6
b6: call void @outside() br label %b7
b7: call void @outside() br label %b8
b8: call void @outside() br label %b9
b9: call void @outside() br label %b10
b10: call void @outside() br label %b11
b11: call void @outside() br label %b12
b12: call void @outside() br label %b13
b13: call void @outside() br label %b14
b14: call void @outside() br label %b15
b15: call void @outside() br label %b16
b16: call void @outside() br label %b17
b17: call void @outside() br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; Nothing can be put on a back edge that is a computed jump, so nothing is multiplied for it.
; CHECK-LABEL: define void @computedBack(
; CHECK: head:
; CHECK-NEXT: phi i64 [ 0, %0 ]
; CHECK-NOT: asm
; CHECK: ret void
define void @computedBack(ptr %a) {
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %jump ]
  %p = getelementptr ptr, ptr %a, i64 %i
  %target = load ptr, ptr %p
  %odd = icmp eq ptr %target, %a
  br i1 %odd, label %error, label %jump
error:
  call void @outside()
  br label %jump
jump:
  %next = add nuw nsw i64 %i, 1
  indirectbr ptr %target, [ label %head, label %end ]
end:
  ret void
}

; The variable of 32 bits may come around while somebody looks: what it tells would fall.
; CHECK-LABEL: define void @around(
; CHECK: body:
; CHECK-NEXT: phi i64 [ 0, %0 ]
; CHECK-NOT: asm
; CHECK: ret void
define void @around(ptr %a, i32 %n) {
  br label %body
body:
  %i = phi i32 [ %n, %0 ], [ %next, %latch ]
  %v = load volatile i32, ptr %a
  %right = icmp eq i32 %v, %i
  br i1 %right, label %latch, label %error, !prof !0
error:
  call void @outside()
  br label %latch
latch:
  %next = add i32 %i, 1
  %w = load volatile i1, ptr %a
  br i1 %w, label %body, label %end
end:
  ret void
}

; Computed jumps inside of a loop that is looked at: what no code can count is kept off both trees.
; CHECK-LABEL: define void @computedInside(
; CHECK: outer:
; CHECK-NEXT: phi i64 [ 0, %0 ]
; CHECK: error:
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: call void @outside()
; CHECK: ret void
define void @computedInside(ptr %a, i64 %n) {
  br label %outer
outer:
  %j = phi i64 [ 0, %0 ], [ %nextOuter, %outerLatch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %next, %jump ]
  %p = getelementptr ptr, ptr %a, i64 %i
  %target = load ptr, ptr %p
  %odd = icmp eq ptr %target, %a
  br i1 %odd, label %more, label %jump
more:
  store ptr %a, ptr %p
  br label %jump
jump:
  %next = add nuw nsw i64 %i, 1
  indirectbr ptr %target, [ label %inner, label %after ]
after:
  %right = icmp eq i64 %i, %j
  br i1 %right, label %outerLatch, label %error, !prof !0
error:
  call void @outside()
  br label %outerLatch
outerLatch:
  %nextOuter = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %nextOuter, %n
  br i1 %again, label %outer, label %end
end:
  ret void
}

; A cycle with two entries: in memory, and a remark says so.
; REMARK: remark: {{.*}}'irreducible' has a cycle with several entries
; REMARK-NOT: remark:
; CHECK-LABEL: define void @irreducible(
; CHECK: store i64 %{{.*}}, ptr @gnomon.instructions
; CHECK: ret void
define void @irreducible(i1 %which, ptr %a) {
  br i1 %which, label %one, label %other
one:
  %v = load volatile i1, ptr %a
  br i1 %v, label %other, label %end
other:
  %w = load volatile i1, ptr %a
  br i1 %w, label %one, label %end
end:
  ret void
}
!0 = !{!"branch_weights", i32 1000, i32 1}
