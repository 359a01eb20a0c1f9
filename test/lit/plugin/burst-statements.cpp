// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a statement that a pragma or attribute calls a burst stands between two markers in the IR, with its words and its
// flops, in functions, methods, lambdas and templates; each once.
// RUN: %plugin_clangxx -std=c++20 -Wall -Werror -S -emit-llvm %s -o - | FileCheck %s
// RUN: %plugin_clangxx -std=c++20 -Wall -Werror -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OPT
// CHECK-DAG: [[LOOP:@.*]] = {{.*}} c"name=loop\00"
// CHECK-DAG: [[ALL:@.*]] = {{.*}} c"skip;samples=3;name=all clauses\00"
// CHECK-DAG: [[ALWAYS:@.*]] = {{.*}} c"run;name=\00"
// CHECK-DAG: [[ATTRIBUTE:@.*]] = {{.*}} c"name=attribute\00"
// CHECK-DAG: [[INNER:@.*]] = {{.*}} c"skip;name=inner\00"
// CHECK-DAG: [[METHOD:@.*]] = {{.*}} c"name=method\00"
// CHECK-DAG: [[LAMBDA:@.*]] = {{.*}} c"name=lambda\00"
// CHECK-DAG: [[TEMPLATE:@.*]] = {{.*}} c"name=template\00"
// CHECK-DAG: c"gnomon::burst=whole\00"
// CHECK-DAG: c"gnomon::burst-clauses=skip;flops=2500\00"

void work(double *a, int n);

// CHECK-LABEL: define {{.*}} @_Z9functionsPdi
void functions(double *a, int n) {
  // CHECK: call void @gnomon_mark_burst_begin(ptr noundef [[LOOP]], double noundef -1.000000e+00)
#pragma gnomon burst("loop")
  for (int i = 0; i < n; ++i) {
    if (a[i] > 3)
      continue;
    if (a[i] < 0)
      break;
    a[i] = 2;
  }
  // CHECK: call void @gnomon_mark_burst_end()
  // CHECK: [[N:%.*]] = fmul double 2.000000e+00
  // CHECK: call void @gnomon_mark_burst_begin(ptr noundef [[ALL]], double noundef [[N]])
  // CHECK: store double 1
  // CHECK: call void @gnomon_mark_burst_end()
#define TWICE 2.0 *
#pragma gnomon burst name("all clauses") skip samples(3) flops(TWICE(n))
  { a[0] = 1; }
  // CHECK: call void @gnomon_mark_burst_begin(ptr noundef [[ALWAYS]], double noundef 1.000000e+06)
  // CHECK: call void @_Z4workPdi
  // CHECK: call void @gnomon_mark_burst_end()
#pragma gnomon burst run flops(1e6)
  work(a, n);
  // CHECK: call void @gnomon_mark_burst_begin(ptr noundef [[ATTRIBUTE]], double
  [[gnomon::burst("attribute", "flops", n)]] while (n--) {
    // CHECK: call void @gnomon_mark_burst_begin(ptr noundef [[INNER]], double
    __attribute__((gnomon_burst("inner", "skip"))) work(a, n);
    // CHECK: call void @gnomon_mark_burst_end()
  }
  // CHECK: call void @gnomon_mark_burst_end()
  // CHECK: ret void
}

#pragma gnomon burst("whole") skip flops(50 * 50)
void whole() {}

// CHECK-LABEL: define {{.*}} @_Z5usersPd
void users(double *a);

struct S {
  double sum = 0;
  void method(int n) {
#pragma gnomon burst("method")
    for (int i = 0; i < n; ++i)
      sum += i;
  }
};

template <class T> T templated(T *a, int n) {
  T sum = 0;
#pragma gnomon burst("template") flops(100)
  for (int i = 0; i < n; ++i)
    sum += a[i];
  return sum;
}

void users(double *a) {
  S().method(3);
  auto lambda = [](double *b) {
#pragma gnomon burst("lambda")
    b[0] += 1;
  };
  lambda(a);
  float f = 1;
  a[0] = templated(a, 3) + templated(&f, 1);
}
// CHECK: call void @gnomon_mark_burst_begin(ptr noundef [[METHOD]]
// CHECK: call void @gnomon_mark_burst_end()
// CHECK: call void @gnomon_mark_burst_begin(ptr noundef [[LAMBDA]]
// CHECK: call void @gnomon_mark_burst_end()
// CHECK-LABEL: define {{.*}} @_Z9templatedIdET_PS0_i
// CHECK: call void @gnomon_mark_burst_begin(ptr noundef [[TEMPLATE]], double noundef 1.000000e+02)
// CHECK-NOT: gnomon_mark_burst_begin
// CHECK: call void @gnomon_mark_burst_end()
// CHECK-LABEL: define {{.*}} @_Z9templatedIfET_PS0_i
// CHECK: call void @gnomon_mark_burst_begin(ptr noundef [[TEMPLATE]]

// The optimiser keeps each pair: 5 in functions, and those of the other functions.
// OPT-LABEL: define {{.*}} @_Z9functionsPdi
// OPT-COUNT-5: call void @gnomon_mark_burst_begin
// OPT: declare {{.*}}void @gnomon_mark_burst_begin(ptr noundef, double noundef) {{.*}}[[ATTRIBUTES:#[0-9]+]]
// OPT: attributes [[ATTRIBUTES]] = { {{.*}}noduplicate{{.*}}nounwind
