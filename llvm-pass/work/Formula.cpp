// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work/Formula.h"

#include "names/Records.h"

#include "gnomon/Burst.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon::work {
namespace {

constexpr size_t MostOfAByte = 255;
constexpr unsigned WidestInput = 64;

bool isInput(const Atom &atom) {
  return atom.kind == Atom::Kind::Value || atom.kind == Atom::Kind::Load;
}

/// Of a loop that nobody summed over: the first iteration, whose number is zero.
bool isZero(const Term &term) {
  return any_of(term.factors,
                [](const Atom *factor) { return factor->kind == Atom::Kind::Iteration; });
}

uint8_t kindOf(const Atom &atom) {
  switch (atom.kind) {
  case Atom::Kind::Positive:
    return GNOMON_NUMBER_POSITIVE;
  case Atom::Kind::Quotient:
    return GNOMON_NUMBER_QUOTIENT;
  case Atom::Kind::PowerOfTwo:
    return GNOMON_NUMBER_POWER_OF_TWO;
  case Atom::Kind::Logarithm:
    return GNOMON_NUMBER_LOGARITHM;
  default: // Holds
    return atom.predicate == CmpInst::ICMP_EQ ? GNOMON_NUMBER_IS_ZERO : GNOMON_NUMBER_IS_POSITIVE;
  }
}

class Writer {
public:
  /// Nothing when it does not fit.
  std::optional<Formula> write(const Polynomial &polynomial) {
    number(polynomial);
    if (!fits_ || made_.size() > GNOMON_FORMULA_NUMBERS - GNOMON_FORMULA_INPUTS)
      return std::nullopt;
    Formula formula;
    formula.inputs = inputs_;
    formula.code.push_back(static_cast<uint8_t>(made_.size()));
    for (const Atom *atom : made_) {
      formula.code.push_back(kindOf(*atom));
      write(atom->first, formula);
      if (atom->kind == Atom::Kind::Quotient)
        write(atom->second, formula);
    }
    write(polynomial, formula);
    return fits_ ? std::optional(formula) : std::nullopt;
  }

private:
  /// Gives numbers to the atoms, those inside of others first.
  void number(const Polynomial &polynomial) {
    for (const Term &term : polynomial.terms())
      if (!isZero(term))
        for (const Atom *factor : term.factors)
          number(*factor);
  }

  void number(const Atom &atom) {
    if (numbers_.contains(&atom))
      return;
    if (isInput(atom)) {
      const Type *type = atom.kind == Atom::Kind::Load ? atom.type : atom.value()->getType();
      fits_ &= inputs_.size() < GNOMON_FORMULA_INPUTS &&
               (type->isPointerTy() || type->getIntegerBitWidth() <= WidestInput);
      numbers_[&atom] = static_cast<unsigned>(inputs_.size());
      inputs_.push_back(&atom);
      return;
    }
    number(atom.first);
    number(atom.second);
    numbers_[&atom] = static_cast<unsigned>(GNOMON_FORMULA_INPUTS + made_.size());
    made_.push_back(&atom);
  }

  void write(const Polynomial &polynomial, Formula &formula) {
    const size_t count = formula.code.size();
    formula.code.push_back(0);
    size_t terms = 0;
    for (const Term &term : polynomial.terms()) {
      if (isZero(term))
        continue;
      ++terms;
      fits_ &= term.factors.size() <= MostOfAByte;
      formula.code.push_back(static_cast<uint8_t>(term.factors.size()));
      for (const Atom *factor : term.factors)
        formula.code.push_back(static_cast<uint8_t>(numbers_.lookup(factor)));
      formula.coefficients.push_back(term.coefficient);
    }
    fits_ &= terms <= MostOfAByte;
    formula.code[count] = static_cast<uint8_t>(terms);
  }

  DenseMap<const Atom *, unsigned> numbers_; ///< looked up only
  SmallVector<const Atom *, 4> inputs_;
  SmallVector<const Atom *, 16> made_;
  bool fits_ = true;
};

GlobalVariable *addData(Constant *data, Module &module, StringRef name) {
  auto *result = new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, data, name);
  result->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return result;
}

} // namespace

std::optional<Formula> formulaOf(const Polynomial &polynomial) {
  return Writer().write(polynomial);
}

GlobalVariable *addRecord(const Formula &formula, Module &module) {
  LLVMContext &context = module.getContext();
  Constant *record =
      record::Formula{
          .code = addData(ConstantDataArray::get(context, ArrayRef<uint8_t>(formula.code)), module,
                          "gnomon.formula.code"),
          .coefficients =
              addData(ConstantDataArray::get(context, ArrayRef<double>(formula.coefficients)),
                      module, "gnomon.formula.coefficients"),
      }
          .constant(module);
  return new GlobalVariable(module, record->getType(), /*isConstant=*/false,
                            GlobalValue::InternalLinkage, record, "gnomon.formula");
}

} // namespace gnomon::work
