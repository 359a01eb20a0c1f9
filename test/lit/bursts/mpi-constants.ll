; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; REQUIRES: pass
; Intent: an argument by reference counts as constant only when nothing else can have changed what it points to: the last store
; of its block decides, another function that gets the address ends it, so does MPI when it writes there.
; RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-print-mpi -disable-output %s | FileCheck %s

@five = internal constant i32 5
@variable = global i32 5
@type = internal constant { i32 } { i32 540 }
@comm = private constant { i32 } { i32 257 }

declare void @mpi_barrier_(ptr, ptr)
declare void @mpi_barrier(ptr, ptr)
declare void @pmpi_barrier__(ptr, ptr)
declare void @mpi_comm_rank_(ptr, ptr, ptr)
declare void @mpi_abort_(ptr, ptr, ptr)
declare void @unknown(ptr)
declare void @mpi_unknown_(ptr)
declare void @mpi_bcast_(ptr, ptr, ptr, ptr, ptr, ptr)

define void @stores(ptr %buffer) {
  %e = alloca i32
  %v = alloca i32
  ; CHECK: stores: MPI_Barrier fortran collective comm@0 : *control=257 out
  call void @mpi_barrier_(ptr @comm, ptr %e)
  store i32 1, ptr %v
  ; CHECK-NEXT: stores: MPI_Barrier fortran collective comm@0 : *control=1 out
  call void @mpi_barrier(ptr %v, ptr %e)
  store i32 2, ptr %v
  ; CHECK-NEXT: stores: MPI_Barrier fortran collective comm@0 : *control=2 out
  call void @pmpi_barrier__(ptr %v, ptr %e)
  ; CHECK-NEXT: stores: MPI_Bcast fortran collective peer@3 comm@4 : both(floating x 5) *control=5 *control=540 *control *control=2 out
  call void @mpi_bcast_(ptr %buffer, ptr @five, ptr @type, ptr @variable, ptr %v, ptr %e)
  br label %next

next:
  ; CHECK-NEXT: stores: MPI_Barrier fortran collective comm@0 : *control out
  call void @mpi_barrier_(ptr %v, ptr %e)
  ret void
}

define void @branches(i1 %which) {
  %e = alloca i32
  %v = alloca i32
  br i1 %which, label %one, label %two
one:
  store i32 3, ptr %v
  br label %join
two:
  store i32 3, ptr %v
  br label %join
join:
  ; CHECK-NEXT: branches: MPI_Barrier fortran collective comm@0 : *control=3 out
  call void @mpi_barrier_(ptr %v, ptr %e)
  ret void
}

define void @escapes() {
  %e = alloca i32
  %v = alloca i32
  store i32 3, ptr %v
  ; CHECK-NEXT: escapes: MPI_Barrier fortran collective comm@0 : *control out
  call void @mpi_barrier_(ptr %v, ptr %e)
  call void @unknown(ptr %v)
  ret void
}

define void @written_by_mpi() {
  %e = alloca i32
  %v = alloca i32
  store i32 3, ptr %v
  ; CHECK-NEXT: written_by_mpi: MPI_Comm_rank fortran local comm@0 : *control=257 out out
  call void @mpi_comm_rank_(ptr @comm, ptr %v, ptr %e)
  ; CHECK-NEXT: written_by_mpi: MPI_Barrier fortran collective comm@0 : *control out
  call void @mpi_barrier_(ptr %v, ptr %e)
  ret void
}

define void @partly_written() {
  %e = alloca i32
  %v = alloca i32
  store i32 3, ptr %v
  %byte = getelementptr i8, ptr %v, i64 1
  store i8 1, ptr %byte
  ; CHECK-NEXT: partly_written: MPI_Barrier fortran collective comm@0 : *control out
  call void @mpi_barrier_(ptr %v, ptr %e)
  ; CHECK-NOT: mpi_unknown
  call void @mpi_unknown_(ptr %v)
  ret void
}
