// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work/Code.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gnomon::work {
namespace {

constexpr double Greatest = 0x1p62;

void collect(const Polynomial &polynomial, SmallPtrSetImpl<const Atom *> &atoms, unsigned &cost);

void collect(const Atom &atom, SmallPtrSetImpl<const Atom *> &atoms, unsigned &cost) {
  if (!atoms.insert(&atom).second)
    return;
  cost += atom.kind == Atom::Kind::Value ? 1 : 3;
  if (atom.base)
    collect(*atom.base, atoms, cost);
  collect(atom.first, atoms, cost);
  collect(atom.second, atoms, cost);
}

/// Operations: one a factor and one a term, and what the atoms take that are not yet in \p atoms.
void collect(const Polynomial &polynomial, SmallPtrSetImpl<const Atom *> &atoms, unsigned &cost) {
  for (const Term &term : polynomial.terms()) {
    cost += static_cast<unsigned>(1 + term.factors.size());
    for (const Atom *factor : term.factors)
      collect(*factor, atoms, cost);
  }
}

/// Nothing but something of the program that is not named is written as its operand.
std::string nameOf(const Value &value) {
  std::string name;
  raw_string_ostream stream(name);
  value.printAsOperand(stream, /*PrintType=*/false);
  return name;
}

std::string text(const Atom &atom) {
  switch (atom.kind) {
  case Atom::Kind::Value:
    return nameOf(*atom.value());
  case Atom::Kind::Iteration:
    return "iteration";
  case Atom::Kind::Positive:
    return "max(0, " + text(atom.first) + ")";
  case Atom::Kind::Quotient:
    return "floor((" + text(atom.first) + ")/(" + text(atom.second) + "))";
  case Atom::Kind::PowerOfTwo:
    return "2^(" + text(atom.first) + ")";
  case Atom::Kind::Logarithm:
    return "log2(" + text(atom.first) + ")";
  case Atom::Kind::Load: {
    std::string offset = atom.first.isZero() ? "" : " + " + text(atom.first);
    return "[" + text(*atom.base) + offset + "]";
  }
  case Atom::Kind::Holds:
    return "(" + text(atom.first) + (atom.predicate == CmpInst::ICMP_EQ ? " == 0)" : " > 0)");
  }
  return "";
}

} // namespace

std::string text(const Polynomial &polynomial) {
  if (polynomial.isZero())
    return "0";
  std::string result;
  for (const Term &term : polynomial.terms()) {
    SmallVector<std::string, 4> factors;
    double size = std::abs(term.coefficient);
    if (size != 1 || term.factors.empty()) {
      SmallString<16> digits;
      raw_svector_ostream(digits) << format("%.10g", size);
      factors.push_back(digits.str().str());
    }
    for (const Atom *factor : term.factors)
      factors.push_back(text(*factor));
    if (term.coefficient < 0)
      result += result.empty() ? "-" : " - ";
    else if (!result.empty())
      result += " + ";
    result += join(factors, "*");
  }
  return result;
}

Polynomial within(const Polynomial &polynomial, unsigned budget) {
  Polynomial kept;
  SmallPtrSet<const Atom *, 16> atoms;
  unsigned cost = 0;
  for (const Term &term : reverse(polynomial.terms())) {
    Polynomial one;
    one.add(term);
    SmallPtrSet<const Atom *, 16> more = atoms;
    unsigned with = cost;
    collect(one, more, with);
    if (with > budget && !term.factors.empty())
      continue;
    kept.add(term);
    atoms = std::move(more);
    cost = with;
  }
  return kept;
}

Value *Code::convert(Value *value) {
  Type *real = builder_.getDoubleTy();
  if (value->getType()->isPointerTy())
    value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
  if (value->getType()->isIntegerTy(1))
    return builder_.CreateUIToFP(value, real);
  return builder_.CreateSIToFP(value, real);
}

Value *Code::within(Value *value, double least, double most) {
  Value *low = ConstantFP::get(builder_.getDoubleTy(), least);
  Value *high = ConstantFP::get(builder_.getDoubleTy(), most);
  value = builder_.CreateSelect(builder_.CreateFCmpOGT(value, low), value, low);
  return builder_.CreateSelect(builder_.CreateFCmpOLT(value, high), value, high);
}

Value *Code::whole(Value *number) { return builder_.CreateFPToSI(number, builder_.getInt64Ty()); }

/// The offset is kept inside of the object, and at an element's beginning.
Value *Code::address(const Atom &load) {
  Value *base = load.base->kind == Atom::Kind::Value ? load.base->value() : atom(*load.base);
  if (std::optional<double> offset = load.first.constant())
    return builder_.CreatePtrAdd(base, builder_.getInt64(static_cast<int64_t>(*offset)));
  Value *offset = whole(within(number(load.first), 0, static_cast<double>(load.limit)));
  uint64_t size = load.type->getIntegerBitWidth() / 8;
  return builder_.CreatePtrAdd(base, builder_.CreateAnd(offset, -size));
}

Value *Code::make(const Atom &atom) {
  Type *real = builder_.getDoubleTy();
  switch (atom.kind) {
  case Atom::Kind::Value:
    return convert(atom.value());
  case Atom::Kind::Positive: {
    Value *value = number(atom.first);
    Value *zero = ConstantFP::get(real, 0);
    return builder_.CreateSelect(builder_.CreateFCmpOGT(value, zero), value, zero);
  }
  case Atom::Kind::Quotient: {
    Value *one = ConstantFP::get(real, 1);
    Value *by = number(atom.second);
    if (!isa<ConstantFP>(by))
      by = builder_.CreateSelect(builder_.CreateFCmpOGT(by, one), by, one);
    Value *ratio = builder_.CreateFDiv(number(atom.first), by);
    return builder_.CreateSIToFP(whole(within(ratio, -Greatest, Greatest)), real);
  }
  case Atom::Kind::PowerOfTwo: {
    // The exponent's bits of a double.
    Value *exponent = whole(within(number(atom.first), -62, 62));
    Value *biased = builder_.CreateAdd(exponent, builder_.getInt64(1023));
    return builder_.CreateBitCast(builder_.CreateShl(biased, 52), real);
  }
  case Atom::Kind::Logarithm: {
    Value *bits =
        builder_.CreateBitCast(within(number(atom.first), 1, Greatest), builder_.getInt64Ty());
    Value *exponent = builder_.CreateSub(builder_.CreateLShr(bits, 52), builder_.getInt64(1023));
    return builder_.CreateSIToFP(exponent, real);
  }
  case Atom::Kind::Load: {
    Value *value = loaded(atom);
    return atom.type->isPointerTy() ? value : convert(value);
  }
  case Atom::Kind::Holds: {
    Value *zero = ConstantFP::get(real, 0);
    CmpInst::Predicate predicate =
        atom.predicate == CmpInst::ICMP_EQ ? CmpInst::FCMP_OEQ : CmpInst::FCMP_OGT;
    return builder_.CreateUIToFP(builder_.CreateFCmp(predicate, number(atom.first), zero), real);
  }
  case Atom::Kind::Iteration:
    break; // of a loop that nobody summed over: its first
  }
  return ConstantFP::get(real, 0);
}

/// As it is in memory.
Value *Code::loaded(const Atom &load) {
  Value *&value = loaded_[&load];
  if (Value *known = value)
    return known;
  Value *result = builder_.CreateAlignedLoad(load.type, address(load), Align(1));
  // What is uninitialised there is some number here.
  return loaded_[&load] = builder_.CreateFreeze(result);
}

Value *Code::input(const Atom &atom) {
  Value *value = atom.kind == Atom::Kind::Load ? loaded(atom) : atom.value();
  Type *word = builder_.getInt64Ty();
  if (value->getType()->isPointerTy())
    return builder_.CreatePtrToInt(value, word);
  if (value->getType()->isIntegerTy(1))
    return builder_.CreateZExt(value, word);
  return builder_.CreateSExt(value, word);
}

Value *Code::atom(const Atom &atom) {
  Value *&value = made_[&atom];
  if (Value *known = value)
    return known;
  Value *result = make(atom);
  return made_[&atom] = result;
}

Value *Code::number(const Polynomial &polynomial) {
  Type *real = builder_.getDoubleTy();
  Value *sum = nullptr;
  for (const Term &term : polynomial.terms()) {
    Value *product = nullptr;
    for (const Atom *factor : term.factors) {
      Value *next = atom(*factor);
      if (next->getType()->isPointerTy()) // loaded, and used as a number here, elsewhere as a base
        next = convert(next);
      product = product ? builder_.CreateFMul(product, next) : next;
    }
    Value *coefficient = ConstantFP::get(real, term.coefficient);
    if (!product)
      product = coefficient;
    else if (term.coefficient != 1)
      product = builder_.CreateFMul(product, coefficient);
    sum = sum ? builder_.CreateFAdd(sum, product) : product;
  }
  return sum ? sum : ConstantFP::get(real, 0);
}

Value *Code::integer(const Polynomial &polynomial) {
  if (std::optional<double> constant = polynomial.constant())
    return builder_.getInt64(static_cast<uint64_t>(std::clamp(*constant, 1.0, Greatest)));
  Value *value = whole(within(number(polynomial), 1, Greatest));
  return builder_.CreateFreeze(value, "work");
}

} // namespace gnomon::work
