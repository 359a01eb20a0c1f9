; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: a loop that waits for memory which somebody else changes calls the hook on its way back; a loop that counts, walks along,
; computes, writes or calls what is not known is left alone.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-spin -verify-each -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

@flag = global i32 0
@turn = constant i32 0
@pointer = global ptr null
@pause = internal constant [6 x i8] c"pause\00"

declare void @other()
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_mutex_trylock(ptr)
declare i32 @sched_yield()
declare double @MPI_Wtime()
declare void @llvm.x86.sse2.pause()

; CHECK-LABEL: define void @volatile_flag
; CHECK: loop.spin:
; CHECK-NEXT: call void @gnomon_spin(i64 %[[TURNS:.*]])
; CHECK-NEXT: add i64 %[[TURNS]], 1
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NEXT: %[[TURNS]] = phi i64 [ %{{.*}}, %loop.spin ], [ 0, %0 ]
define void @volatile_flag() {
  br label %loop
loop:
  %value = load volatile i32, ptr @flag
  %wait = icmp eq i32 %value, 0
  br i1 %wait, label %loop, label %end
end:
  ret void
}

; A volatile pointer to what is read, a pause, and two ways back.
; CHECK-LABEL: define void @through_pointer
; CHECK: call void @gnomon_spin
; CHECK-NOT: call void @gnomon_spin
; CHECK: ret void
define void @through_pointer(i1 %which) {
  br label %loop
loop:
  %place = load volatile ptr, ptr @pointer
  %value = load atomic i32, ptr %place acquire, align 4
  %wait = icmp eq i32 %value, 0
  br i1 %wait, label %again, label %end
again:
  br i1 %which, label %loop, label %calm
calm:
  call void @llvm.x86.sse2.pause()
  call void asm sideeffect "rep; nop", "~{memory}"()
  br label %loop
end:
  ret void
}

; An exchange writes the same again and again.
; CHECK-LABEL: define void @exchange
; CHECK: call void @gnomon_spin
define void @exchange(ptr %lock) {
  br label %loop
loop:
  %old = atomicrmw xchg ptr %lock, i8 1 acquire
  %held = icmp ne i8 %old, 0
  br i1 %held, label %loop, label %end
end:
  ret void
}

; The value that a compare-and-exchange has found is what the next one expects.
; CHECK-LABEL: define void @compare_exchange
; CHECK: call void @gnomon_spin
define void @compare_exchange(ptr %sum) {
  %first = load atomic i32, ptr %sum monotonic, align 4
  br label %loop
loop:
  %old = phi i32 [ %first, %0 ], [ %found, %loop ]
  %new = add i32 %old, 5
  %pair = cmpxchg weak ptr %sum, i32 %old, i32 %new seq_cst monotonic
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; What the turns carry along is no exit's business: a pause that grows.
; CHECK-LABEL: define void @backing_off
; CHECK: call void @gnomon_spin
; CHECK-NOT: call void @gnomon_spin
; CHECK: ret void
define void @backing_off() {
  br label %loop
loop:
  %pause = phi i32 [ 1, %0 ], [ %longer, %rest ]
  br label %inner
inner:
  %i = phi i32 [ 0, %loop ], [ %next, %inner ]
  call void @llvm.x86.sse2.pause()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %pause
  br i1 %more, label %inner, label %rest
rest:
  %longer = shl i32 %pause, 1
  %value = load volatile i32, ptr @flag
  %wait = icmp eq i32 %value, 0
  br i1 %wait, label %loop, label %end
end:
  ret void
}

; A plain read is done in each turn where a call may change it: under a lock; and a clock may end it, too.
; CHECK-LABEL: define void @under_lock
; CHECK: call void @gnomon_spin
define void @under_lock(ptr %mutex, double %limit) {
  br label %loop
loop:
  %e = call i32 @pthread_mutex_lock(ptr %mutex)
  %value = load i32, ptr @flag
  %u = call i32 @pthread_mutex_unlock(ptr %mutex)
  %now = call double @MPI_Wtime()
  %early = fcmp olt double %now, %limit
  %unset = icmp eq i32 %value, 0
  %wait = and i1 %early, %unset
  br i1 %wait, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @try_lock
; CHECK: call void @gnomon_spin
define void @try_lock(ptr %mutex) {
  br label %loop
loop:
  %e = call i32 @pthread_mutex_trylock(ptr %mutex)
  %y = call i32 @sched_yield()
  %busy = icmp ne i32 %e, 0
  br i1 %busy, label %loop, label %end
end:
  ret void
}

; A function of the program's own that reads.
define internal i32 @read(ptr %place) {
  %value = load atomic i32, ptr %place seq_cst, align 4
  ret i32 %value
}
; CHECK-LABEL: define void @by_call
; CHECK: call void @gnomon_spin
define void @by_call() {
  br label %loop
loop:
  %value = call i32 @read(ptr @flag)
  %wait = icmp eq i32 %value, 0
  br i1 %wait, label %loop, label %end
end:
  ret void
}

; Not optimised: what is carried along lies in variables.
; CHECK-LABEL: define void @plain_code
; CHECK: call void @gnomon_spin
; CHECK-NOT: call void @gnomon_spin
; CHECK: ret void
define void @plain_code() noinline optnone {
  %seen = alloca i32
  %i = alloca i32
  store i32 0, ptr %i
  br label %loop
loop:
  %value = load volatile i32, ptr @flag
  store i32 %value, ptr %seen
  %copy = load i32, ptr %seen
  %wait = icmp eq i32 %copy, 0
  br i1 %wait, label %loop, label %counted
counted:
  %n = load i32, ptr %i
  %next = add i32 %n, 1
  store i32 %next, ptr %i
  %other = load volatile i32, ptr @flag
  %unset = icmp eq i32 %other, 0
  %few = icmp slt i32 %next, 100
  %both = and i1 %unset, %few
  br i1 %both, label %counted, label %end
end:
  ret void
}

; CHECK-LABEL: define void @left_alone
; CHECK-NOT: call void @gnomon_spin
; CHECK: ret void
define void @left_alone(ptr %list, ptr %out, ptr %work) {
  %delay = alloca i32
  br label %counts
counts:
  %i = phi i32 [ 0, %0 ], [ %i1, %counts ]
  %i1 = add i32 %i, 1
  %v1 = load volatile i32, ptr @flag
  %w1 = icmp eq i32 %v1, 0
  %few = icmp slt i32 %i1, 1000
  %c1 = and i1 %w1, %few
  br i1 %c1, label %counts, label %walks
walks:
  %p = phi ptr [ %list, %counts ], [ %next, %walks ]
  %next = load atomic ptr, ptr %p acquire, align 8
  %c2 = icmp ne ptr %next, null
  br i1 %c2, label %walks, label %writes
writes:
  %v3 = load volatile i32, ptr @flag
  store i32 %v3, ptr %out
  %c3 = icmp eq i32 %v3, 0
  br i1 %c3, label %writes, label %calls
calls:
  call void @other()
  %v4 = load volatile i32, ptr @flag
  %c4 = icmp eq i32 %v4, 0
  br i1 %c4, label %calls, label %delays
delays:
  %v5 = load volatile i32, ptr %delay
  %n5 = add i32 %v5, 1
  store volatile i32 %n5, ptr %delay
  %c5 = icmp slt i32 %n5, 1000
  br i1 %c5, label %delays, label %takes
takes:
  %v6 = atomicrmw add ptr %work, i32 1 monotonic
  %c6 = icmp slt i32 %v6, 1000
  br i1 %c6, label %takes, label %plain
plain:
  %v7 = load i32, ptr @flag
  %c7 = icmp eq i32 %v7, 0
  br i1 %c7, label %plain, label %constant
constant:
  %v8 = load volatile i32, ptr @turn
  %c8 = icmp eq i32 %v8, 0
  br i1 %c8, label %constant, label %clock
clock:
  %now = call double @MPI_Wtime()
  %c9 = fcmp olt double %now, 1.0
  br i1 %c9, label %clock, label %end
end:
  ret void
}
; CHECK: declare void @gnomon_spin(i64)
