; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intent: MPI functions that are declared, used and unsupported are listed once, by name, with the line of the first use; unused
; declarations, supported functions and the program's own definitions are not.
; RUN: printf '# comment\nMPI_Put\tMPI_Put\nPMPI_Put\tMPI_Put\nmpi_put_\tMPI_Put\nMPI_Get\tMPI_Get\nMPI_Own\tMPI_Own\nMPI_Win_test\tMPI_Win_test\n' > %t.txt
; RUN: env GNOMON_MPI_UNSUPPORTED=%t.txt opt -load-pass-plugin %pass_plugin -passes=gnomon-mpi-use -disable-output %s 2>&1 | FileCheck %s
; RUN: env GNOMON_MPI_UNSUPPORTED=%t.none opt -load-pass-plugin %pass_plugin -passes=gnomon-mpi-use -disable-output %s 2>&1 | FileCheck --check-prefix=NONE --allow-empty %s
; NONE-NOT: warning
; CHECK: warning: gnomon: the program uses MPI functions that Gnomon {{.*}} does not support
; CHECK-NEXT: {{^}}  MPI_Get{{$}}
; CHECK-NEXT: {{^}}  MPI_Put (put.c:7){{$}}
; CHECK-NOT: MPI_
target triple = "x86_64-unknown-linux-gnu"

declare i32 @MPI_Put()
declare i32 @MPI_Get()
declare i32 @MPI_Send()
declare i32 @MPI_Win_test()
define i32 @MPI_Own() { ret i32 0 }

define void @f() !dbg !5 {
  call i32 @MPI_Put(), !dbg !8
  call i32 @MPI_Send()
  call i32 @MPI_Own()
  ret void
}
define ptr @g() { ret ptr @MPI_Get }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "src/put.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 5, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 7, scope: !5)
