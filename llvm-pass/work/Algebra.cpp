// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Type.h"

#include <cmath>

using namespace llvm;

namespace gnomon::work {
namespace {

constexpr size_t MostTerms = 60;

/// Few factors first, then by the atoms' age.
bool before(ArrayRef<const Atom *> left, ArrayRef<const Atom *> right) {
  if (left.size() != right.size())
    return left.size() < right.size();
  for (auto [a, b] : zip(left, right))
    if (a != b)
      return a->id < b->id;
  return false;
}

void profile(FoldingSetNodeID &key, const Polynomial &polynomial) {
  key.AddInteger(polynomial.terms().size());
  for (const Term &term : polynomial.terms()) {
    key.AddInteger(bit_cast<uint64_t>(term.coefficient));
    key.AddInteger(term.factors.size());
    for (const Atom *factor : term.factors)
      key.AddInteger(factor->id);
  }
}

} // namespace

Polynomial::Polynomial(double constant) {
  if (constant != 0)
    terms_.push_back({constant, {}});
}

Polynomial::Polynomial(const Atom *atom) { terms_.push_back({1, {atom}}); }

std::optional<double> Polynomial::constant() const {
  if (terms_.empty())
    return 0;
  if (terms_.size() == 1 && terms_[0].factors.empty())
    return terms_[0].coefficient;
  return std::nullopt;
}

void Polynomial::add(const Term &term) {
  auto *place = lower_bound(terms_, term, [](const Term &left, const Term &right) {
    return before(left.factors, right.factors);
  });
  if (place == terms_.end() || place->factors != term.factors) {
    if (term.coefficient != 0)
      terms_.insert(place, term);
    return;
  }
  place->coefficient += term.coefficient;
  if (place->coefficient == 0)
    terms_.erase(place);
}

void Polynomial::operator+=(const Polynomial &other) {
  for (const Term &term : other.terms_)
    add(term);
}

Polynomial Polynomial::scaled(double factor) const {
  Polynomial result;
  if (factor == 0)
    return result;
  result.terms_ = terms_;
  for (Term &term : result.terms_)
    term.coefficient *= factor;
  return result;
}

bool Polynomial::operator==(const Polynomial &other) const {
  return equal(terms_, other.terms_, [](const Term &left, const Term &right) {
    return left.coefficient == right.coefficient && left.factors == right.factors;
  });
}

Polynomial operator+(Polynomial left, const Polynomial &right) {
  left += right;
  return left;
}

Polynomial operator-(Polynomial left, const Polynomial &right) {
  left += right.scaled(-1);
  return left;
}

static bool neverNegative(const Atom &atom) {
  switch (atom.kind) {
  case Atom::Kind::Iteration:
  case Atom::Kind::Positive:
  case Atom::Kind::PowerOfTwo:
  case Atom::Kind::Logarithm:
  case Atom::Kind::Holds:
    return true;
  case Atom::Kind::Quotient:
    return neverNegative(atom.first);
  case Atom::Kind::Value:
  case Atom::Kind::Load:
    return false;
  }
  return false;
}

bool neverNegative(const Polynomial &polynomial) {
  return all_of(polynomial.terms(), [](const Term &term) {
    return term.coefficient >= 0 &&
           all_of(term.factors, [](const Atom *factor) { return neverNegative(*factor); });
  });
}

void Atom::Profile(FoldingSetNodeID &key) const {
  key.AddInteger(static_cast<unsigned>(kind));
  key.AddPointer(subject);
  profile(key, first);
  profile(key, second);
  key.AddInteger(predicate);
  key.AddPointer(base);
  key.AddPointer(type);
  key.AddInteger(limit);
  key.AddBoolean(certain);
}

const Atom *Algebra::intern(Atom &&atom) {
  FoldingSetNodeID key;
  atom.Profile(key);
  void *place = nullptr;
  if (Atom *known = atoms_.FindNodeOrInsertPos(key, place))
    return known;
  atom.id = static_cast<unsigned>(storage_.size());
  storage_.push_back(std::move(atom));
  atoms_.InsertNode(&storage_.back(), place);
  return &storage_.back();
}

Polynomial Algebra::value(const Value *value) {
  Atom atom;
  atom.subject = value;
  return Polynomial(intern(std::move(atom)));
}

const Atom *Algebra::iteration(const Loop *loop) {
  Atom atom;
  atom.kind = Atom::Kind::Iteration;
  atom.subject = loop;
  return intern(std::move(atom));
}

Polynomial Algebra::positive(const Polynomial &value) {
  if (neverNegative(value))
    return value;
  if (auto constant = value.constant())
    return std::max(0.0, *constant);
  // What is never negative comes out of a single term, a positive coefficient too.
  if (value.terms().size() == 1) {
    const Term &term = value.terms()[0];
    Term outside{std::abs(term.coefficient), {}};
    Term inside{term.coefficient < 0 ? -1.0 : 1.0, {}};
    for (const Atom *factor : term.factors)
      (neverNegative(*factor) ? outside : inside).factors.push_back(factor);
    if (!outside.factors.empty() || outside.coefficient != 1) {
      Polynomial out, in;
      out.add(outside);
      in.add(inside);
      return times(out, positive(in));
    }
  }
  Atom atom;
  atom.kind = Atom::Kind::Positive;
  atom.first = value;
  return Polynomial(intern(std::move(atom)));
}

Polynomial Algebra::minimum(const Polynomial &left, const Polynomial &right) {
  return left - positive(left - right);
}

Polynomial Algebra::maximum(const Polynomial &left, const Polynomial &right) {
  return left + positive(right - left);
}

Polynomial Algebra::quotient(const Polynomial &dividend, const Polynomial &divisor) {
  if (auto by = divisor.constant()) {
    if (*by <= 1)
      return dividend;
    if (auto constant = dividend.constant())
      return std::trunc(*constant / *by);
  }
  Atom atom;
  atom.kind = Atom::Kind::Quotient;
  atom.first = dividend;
  atom.second = divisor;
  return Polynomial(intern(std::move(atom)));
}

Polynomial Algebra::powerOfTwo(const Polynomial &exponent) {
  if (auto constant = exponent.constant())
    return std::ldexp(1.0, static_cast<int>(std::clamp(*constant, -62.0, 62.0)));
  Atom atom;
  atom.kind = Atom::Kind::PowerOfTwo;
  atom.first = exponent;
  return Polynomial(intern(std::move(atom)));
}

Polynomial Algebra::logarithm(const Polynomial &of) {
  if (auto constant = of.constant())
    return std::floor(std::log2(std::max(*constant, 1.0)));
  Atom atom;
  atom.kind = Atom::Kind::Logarithm;
  atom.first = of;
  return Polynomial(intern(std::move(atom)));
}

Polynomial Algebra::holds(CmpInst::Predicate predicate, const Polynomial &left,
                          const Polynomial &right) {
  // Ideal numbers have signs; and half of the predicates say the negation of the others.
  predicate = ICmpInst::getSignedPredicate(predicate);
  switch (predicate) {
  case CmpInst::ICMP_NE:
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_SLE:
    return Polynomial(1) - holds(CmpInst::getInversePredicate(predicate), left, right);
  case CmpInst::ICMP_SLT:
    return holds(CmpInst::ICMP_SGT, right, left);
  default:
    break;
  }
  Polynomial difference = left - right;
  if (auto constant = difference.constant())
    return predicate == CmpInst::ICMP_EQ ? *constant == 0 : *constant > 0;
  Atom atom;
  atom.kind = Atom::Kind::Holds;
  atom.predicate = predicate;
  atom.first = difference;
  return Polynomial(intern(std::move(atom)));
}

const Atom *Algebra::load(const Atom *base, const Polynomial &offset, Type *type, uint64_t limit,
                          bool certain) {
  Atom atom;
  atom.kind = Atom::Kind::Load;
  atom.base = base;
  atom.first = offset;
  atom.type = type;
  atom.limit = limit;
  atom.certain = certain;
  return intern(std::move(atom));
}

/// The product; powers of two become one, and what either holds or not is its own square.
Polynomial Algebra::times(const Term &left, const Term &right) {
  Term product{left.coefficient * right.coefficient, {}};
  Polynomial exponent;
  bool powers = false;
  for (const Term *term : {&left, &right}) {
    for (const Atom *factor : term->factors) {
      if (factor->kind == Atom::Kind::PowerOfTwo) {
        exponent += factor->first;
        powers = true;
      } else if (factor->kind != Atom::Kind::Holds || !is_contained(product.factors, factor)) {
        product.factors.push_back(factor);
      }
    }
  }
  // max(0, p) is 0 anyway where p > 0 does not hold.
  erase_if(product.factors, [&](const Atom *condition) {
    return condition->kind == Atom::Kind::Holds && condition->predicate == CmpInst::ICMP_SGT &&
           any_of(product.factors, [&](const Atom *factor) {
             return factor->kind == Atom::Kind::Positive && factor->first == condition->first;
           });
  });
  if (powers) {
    Polynomial power = powerOfTwo(exponent);
    product.coefficient *= power.terms()[0].coefficient;
    append_range(product.factors, power.terms()[0].factors);
  }
  sort(product.factors, [](const Atom *a, const Atom *b) { return a->id < b->id; });
  Polynomial result;
  result.add(product);
  return result;
}

Polynomial Algebra::times(const Polynomial &left, const Polynomial &right) {
  Polynomial result;
  for (const Term &a : left.terms())
    for (const Term &b : right.terms())
      result += times(a, b);
  if (result.terms().size() <= MostTerms)
    return result;
  Polynomial kept;
  for (const Term &term : result.terms().take_back(MostTerms))
    kept.add(term);
  return kept;
}

Polynomial Algebra::rewrite(const Atom &atom, Replace replace) {
  if (std::optional<Polynomial> by = replace(atom))
    return *by;
  switch (atom.kind) {
  case Atom::Kind::Value:
  case Atom::Kind::Iteration:
    return Polynomial(&atom);
  case Atom::Kind::Positive:
    return positive(rewrite(atom.first, replace));
  case Atom::Kind::Quotient:
    return quotient(rewrite(atom.first, replace), rewrite(atom.second, replace));
  case Atom::Kind::PowerOfTwo:
    return powerOfTwo(rewrite(atom.first, replace));
  case Atom::Kind::Logarithm:
    return logarithm(rewrite(atom.first, replace));
  case Atom::Kind::Load:
    return Polynomial(
        load(atom.base, rewrite(atom.first, replace), atom.type, atom.limit, atom.certain));
  case Atom::Kind::Holds:
    return holds(atom.predicate, rewrite(atom.first, replace), 0);
  }
  return Polynomial(&atom);
}

Polynomial Algebra::rewrite(const Polynomial &polynomial, Replace replace) {
  Polynomial result;
  for (const Term &term : polynomial.terms()) {
    Polynomial product = term.coefficient;
    for (const Atom *factor : term.factors)
      product = times(product, rewrite(*factor, replace));
    result += product;
  }
  return result;
}

Polynomial Algebra::substitute(const Polynomial &polynomial, const Atom *atom,
                               const Polynomial &by) {
  if (!mentions(polynomial, atom))
    return polynomial;
  return rewrite(polynomial, [&](const Atom &candidate) -> std::optional<Polynomial> {
    if (&candidate == atom)
      return by;
    return std::nullopt;
  });
}

bool mentions(const Polynomial &polynomial, const Atom *atom) {
  return any_of(polynomial.terms(), [&](const Term &term) {
    return any_of(term.factors, [&](const Atom *factor) {
      return factor == atom || mentions(factor->first, atom) || mentions(factor->second, atom);
    });
  });
}

void forEachLeaf(const Polynomial &polynomial, function_ref<void(const Atom &)> visit) {
  for (const Term &term : polynomial.terms()) {
    for (const Atom *factor : term.factors) {
      if (factor->kind == Atom::Kind::Value || factor->kind == Atom::Kind::Load)
        visit(*factor);
      forEachLeaf(factor->first, visit);
      forEachLeaf(factor->second, visit);
    }
  }
}

unsigned depth(const Polynomial &polynomial) {
  unsigned deepest = 0;
  for (const Term &term : polynomial.terms())
    for (const Atom *factor : term.factors)
      if (factor->kind != Atom::Kind::Value && factor->kind != Atom::Kind::Iteration)
        deepest = std::max({deepest, 1 + depth(factor->first), 1 + depth(factor->second)});
  return deepest;
}

} // namespace gnomon::work
