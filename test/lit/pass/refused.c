// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: runtime, clang-plugin
// Intent: what would link and then fail in a way that explains nothing is refused at the link, by name; its neighbours are not.
// RUN: not clang %gnomon_flag -fsanitize=address %s -o %t 2>&1 | FileCheck -DOPTION=-fsanitize=address %s
// RUN: not clang %gnomon_flag -fsanitize=thread -O2 %s -o %t 2>&1 | FileCheck -DOPTION=-fsanitize=thread %s
// RUN: not clang %gnomon_flag -fsanitize=memory %s -o %t 2>&1 | FileCheck -DOPTION=-fsanitize=memory %s
// RUN: not clang %gnomon_flag -fsanitize=safe-stack %s -o %t 2>&1 | FileCheck -DOPTION=-fsanitize=safe-stack %s
// RUN: not clang %gnomon_flag -static %s -o %t 2>&1 | FileCheck -DOPTION=-static --implicit-check-not=warning: %s
// RUN: not clang %gnomon_flag -static-pie -O2 %s -o %t 2>&1 | FileCheck -DOPTION=-static --implicit-check-not=warning: %s
// RUN: clang %gnomon_flag -fsanitize=undefined -static-libgcc -O2 %s -o %t 2>&1 | count 0
// CHECK: error: gnomon: [[OPTION]] is not supported
int variable;
int main(int argc, char **argv) { return variable += argc - 1; }
