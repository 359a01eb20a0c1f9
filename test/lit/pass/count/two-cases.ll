; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: two cases of a switch leave a loop for one block, from whose phi the next loop counts. Their edges become one,
; and the phi stays.
; RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-count,verify' -S %s | FileCheck %s

; CHECK-LABEL: define void @skip
; CHECK: phi i64 [ %next, {{.*}} ], [ %next, {{.*}} ]
; CHECK: load i64, ptr @gnomon.instructions
define void @skip(ptr %text, i64 %end) {
entry:
  br label %first
first:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %next = add nsw i64 %at, 1
  %place = getelementptr i8, ptr %text, i64 %at
  %letter = load i8, ptr %place
  switch i8 %letter, label %more [
    i8 13, label %left
    i8 10, label %left
  ]
more:
  %goes = icmp slt i64 %next, %end
  br i1 %goes, label %first, label %left
left:
  %start = phi i64 [ %next, %more ], [ %next, %first ], [ %next, %first ]
  br label %second
second:
  %from = phi i64 [ %start, %left ], [ %step, %again ]
  %where = getelementptr i8, ptr %text, i64 %from
  %other = load i8, ptr %where
  switch i8 %other, label %done [
    i8 13, label %again
    i8 10, label %again
  ]
again:
  %step = add nsw i64 %from, 1
  %stays = icmp slt i64 %step, %end
  br i1 %stays, label %second, label %done
done:
  ret void
}
