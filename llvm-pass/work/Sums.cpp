// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sums of polynomials over a loop's iterations. With t the number of the iteration and N the
/// count:
///
///     Σ t^k                      Faulhaber's polynomials, k ≤ 3; N^(k+1)/(k+1) beyond
///     Σ positive(a + b t)        b < 0: the M = min(N, ⌈a/−b⌉) first terms are positive:
///                                aM + bM(M−1)/2;
///                                b > 0: the same, counted from the last iteration
///     Σ holds(a + b t > 0)       M
///     Σ holds(a + b t = 0) f(t)  f(−a/b)
///     Σ 2^(a + c t)              2^a (2^(cN) − 1) / (2^c − 1)
///     Σ load(p + s(t+1)) − load(p + st)
///                                load(p + sN) − load(p): the rows of a sparse matrix
///     anything else f(t)         N/6 (f(0) + 4 f((N−1)/2) + f(N−1)): Simpson's rule
#include "work/Algebra.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;

namespace gnomon::work {
namespace {

/// \p n is max(0, count), a factor of the whole; beside it the count itself will do, and cancels
/// better.
Polynomial powerSum(Algebra &algebra, unsigned power, const Polynomial &n,
                    const Polynomial &count) {
  Polynomial last = count - 1;
  switch (power) {
  case 0:
    return n;
  case 1:
    return algebra.times(n, last).scaled(1.0 / 2);
  case 2:
    return algebra.times(n, algebra.times(last, count.scaled(2) - 1)).scaled(1.0 / 6);
  case 3:
    return algebra.times(algebra.times(n, count), algebra.times(last, last)).scaled(1.0 / 4);
  default: {
    Polynomial result = n.scaled(1.0 / (power + 1));
    for (unsigned i = 0; i < power; ++i)
      result = algebra.times(result, count);
    return result;
  }
  }
}

/// a and b of a + b t, when b is a number.
std::optional<std::pair<Polynomial, double>> affine(const Polynomial &polynomial,
                                                    const Atom *iteration) {
  Polynomial start;
  double slope = 0;
  for (const Term &term : polynomial.terms()) {
    if (term.factors.size() == 1 && term.factors[0] == iteration) {
      slope = term.coefficient;
      continue;
    }
    Polynomial one;
    one.add(term);
    if (mentions(one, iteration))
      return std::nullopt;
    start.add(term);
  }
  return std::pair(start, slope);
}

/// Powers of two and loads that depend on the iteration.
bool wantsToBeOpen(const Polynomial &polynomial, const Atom *iteration) {
  return any_of(polynomial.terms(), [&](const Term &term) {
    return any_of(term.factors, [&](const Atom *factor) {
      return (factor->kind == Atom::Kind::PowerOfTwo || factor->kind == Atom::Kind::Load) &&
             mentions(factor->first, iteration);
    });
  });
}

/// A term split by what depends on the iteration.
struct Split {
  Polynomial fixed;
  SmallVector<const Atom *, 2> moving; ///< other than the iteration itself
  unsigned power = 0;                  ///< of the iteration itself
};

Split split(const Term &term, const Atom *iteration) {
  Split result;
  Term fixed{term.coefficient, {}};
  for (const Atom *factor : term.factors) {
    if (factor == iteration)
      ++result.power;
    else if (mentions(Polynomial(factor), iteration))
      result.moving.push_back(factor);
    else
      fixed.factors.push_back(factor);
  }
  result.fixed.add(fixed);
  return result;
}

/// The iteration at which an equality among the factors holds, when there is one.
std::optional<Polynomial> onlyIteration(ArrayRef<const Atom *> factors, const Atom *iteration) {
  for (const Atom *factor : factors)
    if (factor->kind == Atom::Kind::Holds && factor->predicate == CmpInst::ICMP_EQ)
      if (auto line = affine(factor->first, iteration); line && line->second != 0)
        return line->first.scaled(-1 / line->second);
  return std::nullopt;
}

/// Whether \p next is what \p load is one iteration later.
bool follows(Algebra &algebra, const Atom &next, const Atom &load, const Atom *iteration) {
  if (next.kind != Atom::Kind::Load || load.kind != Atom::Kind::Load || next.base != load.base ||
      next.type != load.type || next.limit != load.limit)
    return false;
  return algebra.substitute(load.first, iteration, Polynomial(iteration) + 1) == next.first;
}

} // namespace

std::optional<Polynomial> Algebra::sumOfFactor(const Atom &factor, const Atom *iteration,
                                               const Polynomial &count) {
  auto line = affine(factor.first, iteration);
  if (!line || line->second == 0)
    return std::nullopt;
  auto [start, slope] = *line;
  if (factor.kind == Atom::Kind::PowerOfTwo) {
    Polynomial grown = powerOfTwo(positive(count).scaled(slope)) - 1;
    return times(powerOfTwo(start), grown).scaled(1 / (std::exp2(slope) - 1));
  }
  if (factor.kind != Atom::Kind::Positive && factor.kind != Atom::Kind::Holds)
    return std::nullopt;
  if (slope > 0) {
    start = start + (count - 1).scaled(slope);
    slope = -slope;
  }
  Polynomial reach = quotient(start + (-slope - 1), -slope);
  Polynomial terms = positive(minimum(reach, count));
  if (factor.kind == Atom::Kind::Holds)
    return terms;
  return times(start, terms) + times(terms, terms - 1).scaled(slope / 2);
}

/// Takes the pairs of loads out of \p body whose differences telescope; gives their sum.
Polynomial Algebra::telescope(Polynomial &body, const Atom *iteration, const Polynomial &count) {
  Polynomial total;
  SmallVector<Term, 8> terms(body.terms());
  for (size_t i = 0; i < terms.size(); ++i) {
    Split upper = split(terms[i], iteration);
    if (upper.moving.size() != 1 || upper.power != 0 || terms[i].coefficient == 0)
      continue;
    for (Term &other : terms) {
      Split lower = split(other, iteration);
      if (lower.moving.size() != 1 || lower.power != 0 || !(upper.fixed + lower.fixed).isZero() ||
          !follows(*this, *upper.moving[0], *lower.moving[0], iteration))
        continue;
      Polynomial load(lower.moving[0]);
      total +=
          times(upper.fixed, substitute(load, iteration, count) - substitute(load, iteration, 0));
      terms[i].coefficient = other.coefficient = 0;
      break;
    }
  }
  body = Polynomial();
  for (const Term &term : terms)
    body.add(term);
  return total;
}

/// Nothing where only samples help.
std::optional<Polynomial> Algebra::sumOfTerm(const Term &term, const Atom *iteration,
                                             const Polynomial &count) {
  Split parts = split(term, iteration);
  if (parts.moving.empty())
    return times(parts.fixed, powerSum(*this, parts.power, positive(count), count));
  if (std::optional<Polynomial> place = onlyIteration(parts.moving, iteration)) {
    Polynomial body;
    body.add(term);
    return times(holds(CmpInst::ICMP_SGT, count, 0), substitute(body, iteration, *place));
  }
  if (parts.moving.size() != 1 || parts.power != 0)
    return std::nullopt;
  std::optional<Polynomial> closed = sumOfFactor(*parts.moving[0], iteration, count);
  return closed ? std::optional(times(parts.fixed, *closed)) : std::nullopt;
}

/// Given that there is an iteration, a line is positive (negative) when it is so in the first and
/// in the last.
Polynomial Algebra::inLoop(const Polynomial &polynomial, const Atom *iteration,
                           const Polynomial &count) {
  auto atLeastZero = [&](const Polynomial &line) {
    auto at = [&](const Polynomial &place) {
      Polynomial value = substitute(line, iteration, place);
      return neverNegative(value) || neverNegative(value - count + 1);
    };
    return at(0) && at(count - 1);
  };
  return rewrite(polynomial, [&](const Atom &atom) -> std::optional<Polynomial> {
    if (atom.kind != Atom::Kind::Positive || !mentions(atom.first, iteration) ||
        !affine(atom.first, iteration))
      return std::nullopt;
    if (atLeastZero(atom.first))
      return atom.first;
    if (atLeastZero(atom.first.scaled(-1)))
      return 0;
    return std::nullopt;
  });
}

Polynomial Algebra::sum(const Polynomial &body, const Atom *iteration, const Polynomial &count) {
  Polynomial n = positive(count);
  if (!mentions(body, iteration))
    return times(body, n);
  Polynomial open = inLoop(body, iteration, count);
  // Where halving ends, a few instances of nothing are worth less than a closed form.
  open = rewrite(open, [&](const Atom &atom) -> std::optional<Polynomial> {
    if (atom.kind == Atom::Kind::Positive && wantsToBeOpen(atom.first, iteration))
      return atom.first;
    return std::nullopt;
  });
  Polynomial total = telescope(open, iteration, n);
  Polynomial rest;
  for (const Term &term : open.terms()) {
    if (std::optional<Polynomial> closed = sumOfTerm(term, iteration, count))
      total += *closed;
    else
      rest.add(term);
  }
  if (rest.isZero())
    return total;
  Polynomial middle = substitute(rest, iteration, (count - 1).scaled(1.0 / 2));
  Polynomial points =
      substitute(rest, iteration, 0) + middle.scaled(4) + substitute(rest, iteration, count - 1);
  return total + times(n, points).scaled(1.0 / 6);
}

} // namespace gnomon::work
