// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the analysis calls constant what code generation makes constant, case by case.
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cpp
// RUN: echo '[{"directory": "%t", "file": "a.cpp", "command": "clang++ -std=c++20 -c a.cpp"}]' > %t/compile_commands.json
// RUN: %gnomon_analyze -p %t | FileCheck %s
// RUN: clang++ --no-default-config -std=c++20 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR

extern int any();
extern const int elsewhere[];
int mutableObject;
const int constantObject = 1;

// CHECK: {{^}}aPlain {{.*}} shared {{ *}}const
// IR-DAG: @aPlain = {{.*}}constant i32
extern const int aPlain = 1;
// CHECK: {{^}}bVolatile {{.*}} shared {{ *}}const
// IR-DAG: @bVolatile = {{.*}}constant i32
extern const volatile int bVolatile = 1;
// CHECK: {{^}}cPointerToConst {{.*}} privatised {{ *}}not const: only what it points to is
// IR-DAG: @cPointerToConst = {{.*}}global ptr
const int *cPointerToConst = &constantObject;
// CHECK: {{^}}dConstPointer {{.*}} shared {{ *}}const
// IR-DAG: @dConstPointer = {{.*}}constant ptr
extern const int *const dConstPointer = &constantObject;
// CHECK: {{^}}eToMutable {{.*}} privatised {{ *}}const, but holds the address of 'mutableObject', which is privatised
// IR-DAG: @eToMutable = {{.*}}constant ptr @mutableObject
extern int *const eToMutable = &mutableObject;
// CHECK: {{^}}fToElsewhere {{.*}} shared {{ *}}const; holds the address of 'elsewhere', defined elsewhere
// IR-DAG: @fToElsewhere = {{.*}}constant ptr @elsewhere
extern const int *const fToElsewhere = elsewhere;
struct Holder {
  int number;
  const void *address;
};
// CHECK: {{^}}gInArray {{.*}} privatised {{ *}}const, but holds the address of 'mutableObject'
// IR-DAG: @gInArray = {{.*}}constant [2 x
extern const Holder gInArray[2] = {{1, nullptr}, {2, &mutableObject}};
// CHECK: {{^}}hDynamic {{.*}} privatised {{ *}}const, but initialised at run time
// IR-DAG: @hDynamic = {{.*}}global i32
extern const int hDynamic = any();
struct Mutable {
  mutable int cache;
};
// CHECK: {{^}}iMutable {{.*}} privatised {{ *}}const, but has a mutable member
// IR-DAG: @iMutable = {{.*}}global
extern const Mutable iMutable = {1};
// CHECK: {{^}}jArrayOfMutable {{.*}} privatised {{ *}}const, but has a mutable member
// IR-DAG: @jArrayOfMutable = {{.*}}global
extern const Mutable jArrayOfMutable[2] = {{1}, {2}};
struct Destroyed {
  int i;
  constexpr Destroyed(int i) : i(i) {}
  ~Destroyed() { any(); }
};
// CHECK: {{^}}kDestroyed {{.*}} privatised {{ *}}const, but has a destructor to run
// IR-DAG: @kDestroyed = {{.*}}global
extern const Destroyed kDestroyed(1);
struct Constructed {
  int i;
  constexpr Constructed(int i) : i(i) {}
};
// CHECK: {{^}}lConstructed {{.*}} shared {{ *}}const
// IR-DAG: @lConstructed = {{.*}}constant
extern const Constructed lConstructed(1);
// CHECK: {{^}}mTemporary {{.*}} privatised {{ *}}const, but holds the address of an unnamed object of type 'int[2]'
// IR-DAG: @mTemporary = {{.*}}constant ptr @_ZGR10mTemporary_
int(&&mTemporary)[2] = {1, 2};
union Either {
  long number;
  int *address;
};
// CHECK: {{^}}nUnion {{.*}} privatised {{ *}}const, but holds the address of 'mutableObject'
// IR-DAG: @nUnion = {{.*}}constant
extern const Either nUnion = {.address = &mutableObject};
// CHECK: {{^}}oFunctions {{.*}} shared {{ *}}const
// IR-DAG: @oFunctions = {{.*}}constant
extern int (*const oFunctions[])() = {any, nullptr};
struct Virtual {
  constexpr Virtual() {}
  virtual int f() const { return 1; }
};
// CHECK: {{^}}pVirtual {{.*}} shared {{ *}}const
// IR-DAG: @pVirtual = {{.*}}constant
extern const Virtual pVirtual{};
