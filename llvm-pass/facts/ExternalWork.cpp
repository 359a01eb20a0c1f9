// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/ExternalWork.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

#include <array>

using namespace llvm;

namespace gnomon {
namespace {

enum class Term { One, Two, Three, Square, Cube, Panel, Rank };

struct Row {
  StringRef name;
  std::array<unsigned, 3> dimensions;
  unsigned shift; ///< of the dimensions where C's layout comes first
  Term term;
};

constexpr Row Rows[] = {
#define EXTERNAL_WORK(name, a, b, c, shift, term) {name, {a, b, c}, shift, Term::term},
#include "facts/ExternalWork.def"
};

/// The row of dgemm_ or cblas_dgemm.
const Row *rowOf(StringRef name, bool &byValue) {
  byValue = name.consume_front("cblas_");
  if (!byValue && !name.consume_back("_"))
    return nullptr;
  if (name.empty() || !StringRef("sdcz").contains(name.front()))
    return nullptr;
  const Row *found = find_if(Rows, [&](const Row &row) { return row.name == name.drop_front(); });
  return found == std::end(Rows) ? nullptr : found;
}

Value *dimension(IRBuilder<> &builder, Value &argument, bool byValue) {
  Type *word = builder.getInt64Ty();
  Value *value = &argument;
  if (!byValue)
    value = builder.CreateLoad(builder.getInt32Ty(), value);
  value = builder.CreateSExtOrTrunc(value, word);
  return builder.CreateBinaryIntrinsic(Intrinsic::smax, value, builder.getInt64(0));
}

} // namespace

Value *externalWork(CallBase &call, Instruction &position) {
  const Function *callee = call.getCalledFunction();
  bool byValue = false;
  const Row *row = callee ? rowOf(callee->getName(), byValue) : nullptr;
  if (!row)
    return nullptr;
  IRBuilder<> builder(&position);
  std::array<Value *, 3> sizes;
  for (auto [size, index] : zip(sizes, row->dimensions)) {
    unsigned argument = index + (byValue ? row->shift : 0);
    if (argument >= call.arg_size() ||
        (byValue ? !call.getArgOperand(argument)->getType()->isIntegerTy()
                 : !call.getArgOperand(argument)->getType()->isPointerTy()))
      argument = row->dimensions[0] + (byValue ? row->shift : 0);
    size = dimension(builder, *call.getArgOperand(argument), byValue);
  }
  auto [a, b, c] = sizes;
  auto times = [&](Value *left, Value *right) { return builder.CreateMul(left, right); };
  switch (row->term) {
  case Term::One:
    return a;
  case Term::Two:
    return times(a, b);
  case Term::Three:
    return times(a, times(b, c));
  case Term::Square:
    return times(a, a);
  case Term::Cube:
    return times(a, times(a, a));
  case Term::Panel:
    return times(times(a, b), builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b));
  case Term::Rank:
    return times(times(a, a), b);
  }
  return nullptr;
}

bool hasKnownWork(StringRef name) {
  bool byValue;
  return rowOf(name, byValue) != nullptr;
}

bool worksOnArrays(StringRef name) {
  if (hasKnownWork(name))
    return true;
  constexpr StringLiteral Fortran[] = {
      "_FortranAAssign", "_FortranACopyInAssign", "_FortranAMatmul",     "_FortranATranspose",
      "_FortranACshift", "_FortranAEoshift",      "_FortranASpread",     "_FortranAReshape",
      "_FortranASum",    "_FortranAProduct",      "_FortranADotProduct", "_FortranAMaxval",
      "_FortranAMinval", "_FortranANorm2"};
  constexpr StringLiteral Libraries[] = {
      "fftw_execute", "fftwf_execute", "fftwl_execute", "dfftw_execute", "sfftw_execute",
      "METIS_",       "metis_",        "gsl_fft_",      "gsl_stats_",    "gsl_sort"};
  auto begins = [&](StringRef prefix) { return name.starts_with(prefix); };
  return any_of(Fortran, begins) || any_of(Libraries, begins);
}

} // namespace gnomon
