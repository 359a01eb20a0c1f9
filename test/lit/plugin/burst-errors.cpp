// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: words of a burst that cannot be meant, a statement that is left in its middle, and flops that cannot be computed are
// errors with their place.
// BurstPlace BurstClause BurstSkipRun BurstFlops BurstFlopsConstant BurstLeft PragmaBurst
// RUN: not %plugin_clangxx -std=c++20 -fsyntax-only -fno-caret-diagnostics -ferror-limit=0 %s 2>&1 | FileCheck %s --implicit-check-not=error:

double call();

// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::burst' attribute only applies to functions and statements
[[gnomon::burst("x")]] int variable;
// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::burst' attribute has no clause 'skp'; known: "skip", "run", "samples=N", and "flops" followed by an expression
[[gnomon::burst("x", "skp")]] void clause();
// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::burst' attribute has no clause 'samples=many'
[[gnomon::burst("x", "samples=many")]] void samples();
// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::burst' attribute cannot both skip and run
[[gnomon::burst("x", "skip", "run")]] void both();
// CHECK: :[[#@LINE+1]]:31: error: the flops of a burst must be a constant here
[[gnomon::burst("x", "flops", call())]] void flops();
// CHECK: :[[#@LINE+1]]:21: error: malformed '#pragma gnomon burst': expected name("..."), skip, run, flops(expression) or samples(N)
#pragma gnomon burst(3)
// CHECK: :[[#@LINE+1]]:27: error: malformed '#pragma gnomon burst'
#pragma gnomon burst("x") skp
// CHECK: :[[#@LINE+1]]:27: error: malformed '#pragma gnomon burst'
#pragma gnomon burst("x") flops(1
// CHECK: :[[#@LINE+1]]:16: error: 'gnomon_burst' attribute requires the burst's name
#pragma gnomon burst
void nothingSaid();

int leaves(double *a, int n) {
  for (int i = 0; i < n; ++i) {
#pragma gnomon burst("x")
    {
      if (a[i] > 1)
        // CHECK: :[[#@LINE+1]]:9: error: the statement of a burst can only be entered at its begin and left at its end, but for 'continue' here
        continue;
    }
#pragma gnomon burst("x")
    // CHECK: :[[#@LINE+2]]:7: error: {{.*}} but for 'break' here
    if (a[i] > 2)
      break;
  }
#pragma gnomon burst("x")
  for (int i = 0; i < n; ++i)
    if (a[i] > 2)
      // CHECK: :[[#@LINE+1]]:7: error: {{.*}} but for 'return' here
      return 1;
  switch (n)
#pragma gnomon burst("x")
  {
    // CHECK: :[[#@LINE+1]]:3: error: {{.*}} but for 'case' here
  case 1:
    a[0] = 1;
  }
#pragma gnomon burst("x")
  {
    // CHECK: :[[#@LINE+1]]:3: error: {{.*}} but for 'a label' here
  again:
    if (--n)
      goto again;
  }
  // CHECK: :[[#@LINE+1]]:5: error: 'gnomon::burst' attribute only applies to functions and statements
  [[gnomon::burst("x")]] int local = 0;
  // A lambda's return leaves the lambda only.
#pragma gnomon burst("x")
  local = [] { return 1; }();
  return local;
}

template <class T> void templated(T *a, int n) {
  // CHECK: :[[#@LINE+1]]:33: error: the flops of a burst must be a constant in a template
  [[gnomon::burst("x", "flops", n * 2)]] a[0] = n;
}

void expressions(double *a, int n) {
  // CHECK: :[[#@LINE+1]]:33: error: the flops of a burst must be arithmetic of constants and variables of this function, without calls
  [[gnomon::burst("x", "flops", call())]] a[0] = 0;
  // CHECK: :[[#@LINE+1]]:33: error: the flops of a burst must be arithmetic
  [[gnomon::burst("x", "flops", n++)]] a[0] = 0;
  // CHECK: :[[#@LINE+1]]:33: error: the flops of a burst must be arithmetic
  [[gnomon::burst("x", "flops", a)]] a[0] = 0;
  auto lambda = [=](double *b) {
    // CHECK: :[[#@LINE+1]]:35: error: the flops of a burst must be arithmetic
    [[gnomon::burst("x", "flops", n)]] b[0] = 0;
  };
  lambda(a);
  [[gnomon::burst("x", "flops", a[0] * n + sizeof(double))]] a[0] = 0;
}
