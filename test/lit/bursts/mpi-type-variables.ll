; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; REQUIRES: pass
; Intent: a datatype in a variable (of a COMMON block, of a C program) is known when the program stores one type there only, and
; not when it stores two, when MPI or unknown code may write there, or when the address gets away.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-print-mpi -disable-output %s | FileCheck %s

@common = internal global [32 x i8] zeroinitializer
@beside = internal global [8 x i8] zeroinitializer
@two = internal global i32 0
@received = internal global [8 x i8] zeroinitializer
@partly = internal global i32 0
@away = internal global i32 0
@visible = global i32 0
@through = internal global i32 0
@pointer = internal global ptr null
@n = internal constant i32 7
@comm = internal constant i32 257

declare void @mpi_bcast_(ptr, ptr, ptr, ptr, ptr, ptr)
declare void @mpi_comm_rank_(ptr, ptr, ptr)
declare i32 @MPI_Bcast(ptr, i32, ptr, i32, ptr)
declare void @unknown(ptr)
declare void @reads(ptr nocapture readonly)

define internal void @set(ptr %where) {
  store i32 540, ptr %where
  ret void
}

define void @setup(ptr %buffer, i32 %which) {
  %e = alloca i32
  ; The rank in front of the type, in the same block, is no part of it.
  call void @mpi_comm_rank_(ptr @comm, ptr @common, ptr %e)
  store i32 540, ptr getelementptr (i8, ptr @common, i64 28)
  call void @reads(ptr getelementptr (i8, ptr @common, i64 28))
  call void @mpi_comm_rank_(ptr @comm, ptr getelementptr (i8, ptr @beside, i64 4), ptr %e)
  store i32 540, ptr getelementptr (i8, ptr @beside, i64 4)
  store i32 540, ptr @two
  store i32 537, ptr @two
  store i32 540, ptr getelementptr (i8, ptr @received, i64 4)
  call void @mpi_bcast_(ptr @received, ptr @n, ptr @n, ptr @n, ptr @comm, ptr %e)
  store i32 540, ptr @partly
  store i8 0, ptr getelementptr (i8, ptr @partly, i64 2)
  store i32 540, ptr @away
  call void @unknown(ptr @away)
  store i32 540, ptr @visible
  call void @set(ptr @through)
  store ptr inttoptr (i64 532 to ptr), ptr @pointer
  ret void
}

define void @calls(ptr %b, i32 %count) {
  %e = alloca i32
  ; CHECK: calls: MPI_Bcast fortran collective peer@3 comm@4 : both(floating x 7)
  call void @mpi_bcast_(ptr %b, ptr @n, ptr getelementptr (i8, ptr @common, i64 28), ptr @n, ptr @comm, ptr %e)
  ; CHECK-NEXT: calls: MPI_Bcast fortran collective peer@3 comm@4 : both(other x 7)
  call void @mpi_bcast_(ptr %b, ptr @n, ptr getelementptr (i8, ptr @beside, i64 4), ptr @n, ptr @comm, ptr %e)
  ; CHECK-NEXT: calls: MPI_Bcast fortran collective peer@3 comm@4 : both(other x 7)
  call void @mpi_bcast_(ptr %b, ptr @n, ptr @two, ptr @n, ptr @comm, ptr %e)
  ; CHECK-NEXT: calls: MPI_Bcast fortran collective peer@3 comm@4 : both(other x 7)
  call void @mpi_bcast_(ptr %b, ptr @n, ptr getelementptr (i8, ptr @received, i64 4), ptr @n, ptr @comm, ptr %e)
  ; CHECK-NEXT: calls: MPI_Bcast fortran collective peer@3 comm@4 : both(other x 7)
  call void @mpi_bcast_(ptr %b, ptr @n, ptr @partly, ptr @n, ptr @comm, ptr %e)
  ; CHECK-NEXT: calls: MPI_Bcast fortran collective peer@3 comm@4 : both(other x 7)
  call void @mpi_bcast_(ptr %b, ptr @n, ptr @away, ptr @n, ptr @comm, ptr %e)
  ; CHECK-NEXT: calls: MPI_Bcast fortran collective peer@3 comm@4 : both(other x 7)
  call void @mpi_bcast_(ptr %b, ptr @n, ptr @visible, ptr @n, ptr @comm, ptr %e)
  ; CHECK-NEXT: calls: MPI_Bcast fortran collective peer@3 comm@4 : both(floating x 7)
  call void @mpi_bcast_(ptr %b, ptr @n, ptr @through, ptr @n, ptr @comm, ptr %e)
  %type = load ptr, ptr @pointer
  ; CHECK-NEXT: calls: MPI_Bcast c collective peer@3 comm@4 : both(floating)
  call i32 @MPI_Bcast(ptr %b, i32 %count, ptr %type, i32 0, ptr null)
  ret void
}
