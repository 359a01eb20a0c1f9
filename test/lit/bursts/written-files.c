// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: a program that reads files is told at the link, once, whether what it writes counts as needed, and by which call it may
// read it back; the module says whether runs are to be checked. What the user says of files decides it.
// RUN: clang --no-default-config -O2 -g -fno-vectorize -I%gnomon_prefix/include/gnomon %s -S -emit-llvm -o %t.ll
// RUN: clang --no-default-config -O2 -g -fno-vectorize -I%gnomon_prefix/include/gnomon -DBACK %s -S -emit-llvm -o %t.back.ll
// RUN: printf 'files=needed\n' > %t.needed
// RUN: printf ' files=unread # all of them\nfiles=unread\n' > %t.unread
// RUN: printf 'files=unread\nfiles=needed\nfiles=some\n' > %t.wrong
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -pass-remarks-analysis=gnomon -S %t.ll 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -pass-remarks-analysis=gnomon -S %t.back.ll 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: env GNOMON_BURSTS=%t.needed opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -pass-remarks-analysis=gnomon -S %t.ll 2>&1 | FileCheck %s --check-prefix=NEEDED
// RUN: env GNOMON_BURSTS=%t.unread opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -pass-remarks-analysis=gnomon -S %t.back.ll 2>&1 | FileCheck %s --check-prefix=UNREAD
// RUN: env GNOMON_BURSTS=%t.wrong not opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: env GNOMON_BURSTS=%t.unread opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.ll | FileCheck %s --check-prefix=PRINTED

// CHECKED: written-files.c:[[#@LINE+28]]:{{[0-9]+}}: what is written to files here and elsewhere counts as not needed: once bursts have been skipped, a run ends in an error when such a file is read; 'files=needed'
// CHECKED-NOT: what is written to files
// CHECKED: !"gnomon.checks.files"
// BACK: what is written to files here and elsewhere is needed, since it may be read back: 'fopen' at written-files.c:[[#@LINE+27]]; if it is not, say 'files=unread'
// BACK-NOT: what is written to files
// BACK-NOT: gnomon.checks.files
// NEEDED-NOT: what is written to files
// NEEDED-NOT: gnomon.checks.files
// UNREAD: counts as not needed: 'files=unread' says so
// UNREAD-NOT: gnomon.checks.files
// WRONG: error: gnomon: {{.*}}:2: another line says the contrary of files
// WRONG-NEXT: {{.*}}:3: unknown word 'some' for files; known: files=needed, files=unread
// PRINTED: files=unread
#include <mpi.h>
#include <stdio.h>
#ifdef BACK
#define INPUT "out.txt"
#else
#define INPUT "in.txt"
#endif
int main(int argc, char **argv) {
  static double values[1000];
  int count = 0;
  MPI_Init(&argc, &argv);
  for (int step = 0; step < 10; step++) {
    for (int i = 0; i < 1000; i++)
      values[i] = values[i] * 0.5 + i;
    FILE *out = fopen("out.txt", "w");
    fprintf(out, "%g\n", values[step]);
    fclose(out);
    FILE *in = fopen(INPUT, "r");
    fscanf(in, "%d", &count);
    fclose(in);
    MPI_Bcast(values, count, MPI_INT, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
