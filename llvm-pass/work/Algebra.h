// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Works as polynomials with real coefficients. What SCEV says of trip counts is modular arithmetic
/// on fixed widths; what an estimate needs is ideal arithmetic that cannot wrap, sums over loops in
/// closed form, and terms that can be weighed against each other and dropped. So a work is
///
///     Σ coefficient × Π atoms
///
/// where an atom is a value of the program, a load of one, the number of an iteration that is still
/// to be summed over, or one of a few functions of polynomials. Minima and maxima are made of
/// positive(p) = max(0, p) alone:  max(p, q) = p + positive(q − p) .
///
/// Worked example: for (i < n) for (j < i) with 7 instructions an inner and 3 an outer iteration.
/// With t the outer iteration's number the inner nest is 7t, and Σ_{t<N} (3 + 7t) = 3N + 7N(N−1)/2,
/// N = positive(n).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Value.h"
#include "llvm/Support/Allocator.h"

#include <deque>
#include <optional>
#include <string>

namespace gnomon::work {

struct Atom;

/// coefficient × Π factors; a power is a factor that comes several times.
struct Term {
  double coefficient = 0;
  llvm::SmallVector<const Atom *, 4> factors; ///< ascending by Atom::id
};

/// A sum of terms with different factors. A value; the atoms belong to an Algebra.
class Polynomial {
public:
  Polynomial() = default;
  Polynomial(double constant);
  explicit Polynomial(const Atom *atom);

  llvm::ArrayRef<Term> terms() const { return terms_; }
  bool isZero() const { return terms_.empty(); }
  /// The value when nothing but a constant is in it.
  std::optional<double> constant() const;
  /// Adds a term, to the one of the same factors if there is one.
  void add(const Term &term);
  void operator+=(const Polynomial &other);
  Polynomial scaled(double factor) const;
  bool operator==(const Polynomial &other) const;

private:
  llvm::SmallVector<Term, 2> terms_; ///< ascending by factors: few first, then by id
};

Polynomial operator+(Polynomial left, const Polynomial &right);
Polynomial operator-(Polynomial left, const Polynomial &right);

/// One of each kind and content exists in an Algebra, so atoms compare by address.
struct Atom : llvm::FoldingSetNode {
  enum class Kind : uint8_t {
    Value,      ///< subject, an integer or a pointer, as a signed number
    Iteration,  ///< 0, 1, … in the loop that is the subject
    Positive,   ///< max(0, first)
    Quotient,   ///< first / second towards zero, with second taken as at least 1
    PowerOfTwo, ///< 2^first, first rounded towards zero and kept within ±62
    Logarithm,  ///< of first to the base 2, rounded down; 0 where first is below 1
    Load,       ///< the `type` at base + first bytes; kept within [0, limit] and to whole elements
    Holds       ///< 1 when  first predicate second , 0 otherwise
  };

  Kind kind = Kind::Value;
  unsigned id =
      0; ///< order of creation: the order of everything, so that output is the same each time
  const void *subject = nullptr; ///< llvm::Value or llvm::Loop
  Polynomial first, second;
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::BAD_ICMP_PREDICATE;
  const Atom *base = nullptr; ///< of a load: a Value, or a Load of type pointer
  llvm::Type *type = nullptr; ///< of what is loaded
  uint64_t limit = 0;
  bool certain = true; ///< of a load: the function does it whenever it is called

  llvm::Value *value() const { return static_cast<llvm::Value *>(const_cast<void *>(subject)); }
  void Profile(llvm::FoldingSetNodeID &key) const;
};

/// Owns atoms and makes them.
class Algebra {
public:
  Polynomial value(const llvm::Value *value);
  const Atom *iteration(const llvm::Loop *loop);
  Polynomial positive(const Polynomial &value);
  Polynomial minimum(const Polynomial &left, const Polynomial &right);
  Polynomial maximum(const Polynomial &left, const Polynomial &right);
  Polynomial quotient(const Polynomial &dividend, const Polynomial &divisor);
  Polynomial powerOfTwo(const Polynomial &exponent);
  Polynomial logarithm(const Polynomial &of);
  Polynomial holds(llvm::CmpInst::Predicate predicate, const Polynomial &left,
                   const Polynomial &right);
  /// \p limit 0: the offset is not limited and must be constant.
  const Atom *load(const Atom *base, const Polynomial &offset, llvm::Type *type, uint64_t limit,
                   bool certain = true);

  /// Products of more than some 60 terms lose those of least degree.
  Polynomial times(const Polynomial &left, const Polynomial &right);

  /// \p replace says what becomes of an atom, or nothing to leave it and look inside it.
  using Replace = llvm::function_ref<std::optional<Polynomial>(const Atom &)>;
  Polynomial rewrite(const Polynomial &polynomial, Replace replace);
  Polynomial substitute(const Polynomial &polynomial, const Atom *atom, const Polynomial &by);

  /// What is positive or 0 in all of the iterations 0 … count − 1, if there are any, said without
  /// positive().
  Polynomial inLoop(const Polynomial &polynomial, const Atom *iteration, const Polynomial &count);

  /// Σ body over iteration = 0 … count − 1. Exact where the body is a polynomial of degree three or
  /// less, positive() of something affine, or a power of two; Simpson's rule otherwise.
  Polynomial sum(const Polynomial &body, const Atom *iteration, const Polynomial &count);

private:
  const Atom *intern(Atom &&atom);
  Polynomial times(const Term &left, const Term &right);
  Polynomial rewrite(const Atom &atom, Replace replace);
  std::optional<Polynomial> sumOfFactor(const Atom &factor, const Atom *iteration,
                                        const Polynomial &count);
  std::optional<Polynomial> sumOfTerm(const Term &term, const Atom *iteration,
                                      const Polynomial &count);
  Polynomial telescope(Polynomial &body, const Atom *iteration, const Polynomial &count);

  llvm::FoldingSet<Atom> atoms_;
  std::deque<Atom> storage_;
};

/// Whether \p atom is in it, also inside other atoms.
bool mentions(const Polynomial &polynomial, const Atom *atom);

/// Whether its form alone says that it is at least 0.
bool neverNegative(const Polynomial &polynomial);

/// Calls \p visit for each value and load in it, inside other atoms too.
void forEachLeaf(const Polynomial &polynomial, llvm::function_ref<void(const Atom &)> visit);

/// How deeply functions are nested in it; 0 for a sum of products of leaves.
unsigned depth(const Polynomial &polynomial);

/// The terms of the highest degrees that cost at most \p budget operations together.
Polynomial within(const Polynomial &polynomial, unsigned budget);

/// “12 + 5*%n + 3*%n*%m”.
std::string text(const Polynomial &polynomial);

} // namespace gnomon::work
