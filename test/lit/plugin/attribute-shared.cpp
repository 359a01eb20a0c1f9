// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: [[gnomon::shared]] and its GNU spelling annotate every kind of variable with static storage in the IR.
// RUN: %plugin_clangxx -std=c++20 -Wall -Werror -S -emit-llvm %s -o - | FileCheck %s
// CHECK-DAG: [[SHARED:@[.a-z0-9]+]] = {{.*}}c"gnomon::shared\00", section "llvm.metadata"
// CHECK: @llvm.global.annotations = appending global [7 x
// CHECK-SAME: ptr @external, ptr [[SHARED]]
// CHECK-SAME: ptr @_ZN5outer7inOuterE, ptr [[SHARED]]
// CHECK-SAME: ptr @_ZN5Class6memberE, ptr [[SHARED]]
// CHECK-SAME: ptr @declaredFirst, ptr [[SHARED]]
// CHECK-SAME: ptr @_ZZ8functionvE5local, ptr [[SHARED]]
// CHECK-SAME: ptr @_ZL10fileStatic, ptr [[SHARED]]
// CHECK-SAME: ptr @_ZN8TemplateIiE6memberE, ptr [[SHARED]]

[[gnomon::shared]] int external = 1;
__attribute__((gnomon_shared)) static int fileStatic = 2;
int ordinary = 3;

namespace outer {
[[gnomon::shared]] double inOuter;
}

struct Class {
  [[gnomon::shared]] static int member;
};
int Class::member = 4;

template <class T> struct Template {
  [[gnomon::shared]] static T member;
};
template <class T> T Template<T>::member = 5;

[[gnomon::shared]] extern int declaredFirst;
int declaredFirst = 6;

int function() {
  [[gnomon::shared]] static int local;
  return ++local + ++fileStatic + ++Template<int>::member + ordinary;
}
