// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: runtime, clang-plugin
// Intent: what LLVM cannot cut into partitions is refused by name, with what to do instead, and links with one partition.
// RUN: not clang %gnomon_flag -O2 -DIFUNC %s -flto-partitions=2 -o %t 2>&1 | FileCheck %s --check-prefix=IFUNC --implicit-check-not=error:
// RUN: not clang %gnomon_flag -O0 -DCLONES %s -flto-partitions=2 -o %t 2>&1 | FileCheck %s --check-prefix=IFUNC --implicit-check-not=error:
// RUN: clang %gnomon_flag -O2 -DIFUNC %s -flto-partitions=2 -flto-partitions=1 -o %t && %t
// IFUNC: error: gnomon: 'chosen' is chosen when the program starts (ifunc, target_clones): LLVM 22 cannot cut such a program; link with -flto-partitions=1
// IFUNC: error: linker command failed
// RUN: echo 'V1 { global: step; };' > %t.map
// RUN: not clang %gnomon_flag -O2 -DVERSION -shared -fPIC %s -flto-partitions=2 -Wl,--version-script=%t.map -o %t.so 2>&1 | FileCheck %s --check-prefix=VERSION --implicit-check-not=error:
// RUN: clang %gnomon_flag -O2 -DVERSION -shared -fPIC %s -Wl,--version-script=%t.map -o %t.so
// VERSION: error: gnomon: assembly gives a symbol the version 'step@@V1' (.symver): LLVM 22 cannot cut such a program; link with -flto-partitions=1
// VERSION: error: linker command failed
#ifdef IFUNC
static int one(void) { return 0; }
static int other(void) { return 1 - __builtin_cpu_is("intel") - !__builtin_cpu_is("intel"); }
static int (*choose(void))(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") ? one : other;
}
int chosen(void) __attribute__((ifunc("choose")));
int main(void) { return chosen(); }
#elif defined(CLONES)
__attribute__((target_clones("default", "avx2"))) int chosen(void) { return 0; }
int main(void) { return chosen(); }
#else
int stepOne(int value) { return value + 1; }
__asm__(".symver stepOne, step@@V1");
#endif
