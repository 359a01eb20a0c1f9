// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a program of 10,000 variables has 10,000 locations by these alone: its structures' members are told apart still.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
#define ONE(n) int variable##n = 1;
#define TENS(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDREDS(n) TENS(n##0) TENS(n##1) TENS(n##2) TENS(n##3) TENS(n##4) TENS(n##5) TENS(n##6) TENS(n##7) TENS(n##8) TENS(n##9)
#define THOUSAND(n) HUNDREDS(n##0) HUNDREDS(n##1) HUNDREDS(n##2) HUNDREDS(n##3) HUNDREDS(n##4) HUNDREDS(n##5) HUNDREDS(n##6) HUNDREDS(n##7) HUNDREDS(n##8) HUNDREDS(n##9)
THOUSAND(0) THOUSAND(1) THOUSAND(2) THOUSAND(3) THOUSAND(4) THOUSAND(5) THOUSAND(6) THOUSAND(7) THOUSAND(8) THOUSAND(9)
struct many {
  double *of[12];
};
int main(int argc, char **argv) {
  struct many *many = malloc(sizeof *many);
  for (int i = 0; i < argc; ++i) {
    many->of[0] = malloc(8);
    many->of[1] = malloc(8);
    many->of[2] = malloc(8);
    many->of[3] = malloc(8);
    many->of[4] = malloc(8);
    many->of[5] = malloc(8);
    many->of[6] = malloc(8);
    many->of[7] = malloc(8);
    many->of[8] = malloc(8);
    many->of[9] = malloc(8);
    many->of[10] = malloc(8);
    many->of[11] = malloc(8);
  }
  *many->of[1] = 1;   // @second
  *many->of[10] = 2;  // @eleventh
  *many->of[11] = 3;  // @last
  return (int)*many->of[11]; // @read
}
// APART: second last
// APART: eleventh last
// MEET: last read
