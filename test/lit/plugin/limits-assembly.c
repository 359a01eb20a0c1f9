/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: assembly that needs the link-time address of a variable that ranks would have copies of is warned of; operands
 * in memory or registers, constants and thread identifiers of assembly's own are not. AssemblyConstant
 * RUN: %plugin_clang -fsyntax-only -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not=warning:
 */
int counter, table[4];
const int constant = 3;
struct { int x, y; } pair;

// CHECK: :[[#@LINE+1]]:1: warning: assembly uses the address of 'counter' as a constant, so all ranks will share this variable; pass it as a memory or register operand instead
__asm__(".globl other\nother = counter");

int main(void) {
  int eax;
  // CHECK: :[[#@LINE+1]]:3: warning: assembly uses the address of 'counter' as a constant
  __asm__("movl counter(%%rip), %0" : "=r"(eax));
  // CHECK: :[[#@LINE+1]]:3: warning: assembly uses the address of 'counter' as a constant
  __asm__ volatile("# %0" : : "i"(&counter));
  // CHECK: :[[#@LINE+1]]:3: warning: assembly uses the address of 'table' as a constant
  __asm__ volatile("# %0" : : "i"(table));
  // CHECK: :[[#@LINE+1]]:3: warning: assembly uses the address of 'pair' as a constant
  __asm__ volatile("# %0" : : "i"(&pair.y));
  __asm__ volatile("incl %0" : "+m"(counter));
  __asm__ volatile("# %0" : : "r"(&counter));
  __asm__ volatile("# %0" : : "i"(&constant));
  __asm__ volatile("counter: nop");
  return eax;
}
