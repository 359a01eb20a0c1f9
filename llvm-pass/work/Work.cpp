// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work/Work.h"

#include "work/Code.h"
#include "work/Formula.h"
#include "work/Lengths.h"
#include "work/Regions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gnomon {

using work::Algebra;
using work::Analyses;
using work::Atom;
using work::Counts;
using work::Polynomial;
using work::Regions;

namespace {

/// Operations in front of a burst, and in the work that a function hands to its callers.
constexpr unsigned MostOperations = 60;
constexpr unsigned MostOperationsOfFunction = 40;
/// Reasons that are told one by one.
constexpr size_t MostNotes = 3;
/// Reasons that are kept: a function's callees bring theirs, and those of their callees.
constexpr size_t MostNotesKept = 64;
/// A chain of callees longer than this is not followed.
constexpr unsigned DeepestCalls = 64;

using Notes = SmallVector<std::string, 2>;

void addNote(Notes &notes, StringRef note) {
  if (notes.size() < MostNotesKept && !is_contained(notes, note))
    notes.push_back(note.str());
}

void addNotes(Notes &notes, ArrayRef<std::string> more) {
  for (const std::string &note : more)
    addNote(notes, note);
}

struct Summary {
  Polynomial work;
  Notes notes;
  bool countsLoops = false;
};

bool hasBody(const Function &function) {
  return !function.isDeclaration() && !function.isInterposable() &&
         !function.hasFnAttribute(Attribute::OptimizeNone);
}

} // namespace

struct FunctionWork::Summaries {
  explicit Summaries(FunctionAnalysisManager &analyses) : analyses(analyses) {}

  /// Null when the function has no body here, or calls itself.
  const Summary *of(Function &function) {
    if (!hasBody(function))
      return nullptr;
    if (auto place = known.find(&function); place != known.end())
      return place->second.get();
    if (depth >= DeepestCalls)
      return nullptr;
    known[&function] = nullptr;
    ++depth;
    auto summary = std::make_unique<Summary>(summarise(function));
    --depth;
    if (isAskedAgain && !isAskedAgain(function)) {
      PreservedAnalyses others = PreservedAnalyses::all();
      others.abandon<ScalarEvolutionAnalysis>();
      analyses.invalidate(function, others);
    }
    return (known[&function] = std::move(summary)).get();
  }

  Summary summarise(Function &function);

  FunctionAnalysisManager &analyses;
  function_ref<bool(const Function &)> isAskedAgain = nullptr; ///< null: each
  Algebra algebra;
  DenseMap<const Function *, std::unique_ptr<Summary>> known; ///< looked up only; null: on the way
  unsigned depth = 0;
};

namespace {

/// The callee's work in the caller's terms; factors that the caller cannot know are taken as 1.
class CalleeTerms {
public:
  CalleeTerms(Algebra &algebra, FunctionWork::Summaries *summaries)
      : algebra_(algebra), summaries_(summaries) {}

  std::optional<Polynomial> operator()(CallBase &call, const Loop *scope, Counts &counts);

  Notes notes;
  bool countsLoops = false;

private:
  Polynomial translate(const Polynomial &work, CallBase &call, const Loop *scope, Counts &counts);

  Algebra &algebra_;
  FunctionWork::Summaries *summaries_;
};

std::optional<Polynomial> CalleeTerms::operator()(CallBase &call, const Loop *scope,
                                                  Counts &counts) {
  Function *callee = call.getCalledFunction();
  if (!callee || callee->isDeclaration())
    return callee ? std::optional<Polynomial>() : Polynomial(work::UnknownCallLength);
  const Summary *summary = summaries_ ? summaries_->of(*callee) : nullptr;
  if (!summary) {
    if (summaries_)
      addNote(notes, ("what a call of " + callee->getName() + " does is not known").str());
    return Polynomial(work::UnknownCallLength);
  }
  addNotes(notes, summary->notes);
  countsLoops |= summary->countsLoops;
  return translate(summary->work, call, scope, counts);
}

Polynomial CalleeTerms::translate(const Polynomial &work, CallBase &call, const Loop *scope,
                                  Counts &counts) {
  Polynomial result;
  bool lost = false;
  for (const work::Term &term : work.terms()) {
    Polynomial product = term.coefficient;
    for (const Atom *factor : term.factors) {
      bool failed = false;
      Polynomial here =
          algebra_.rewrite(Polynomial(factor), [&](const Atom &atom) -> std::optional<Polynomial> {
            if (!work::needsCaller(atom))
              return std::nullopt;
            std::optional<Polynomial> leaf = counts.ofCalleesLeaf(atom, call, scope);
            failed = failed || !leaf;
            return leaf ? leaf : Polynomial(1);
          });
      lost = lost || failed;
      product = algebra_.times(product, failed ? Polynomial(1) : here);
    }
    result += product;
  }
  if (lost)
    addNote(notes, ("what the loops of " + call.getCalledFunction()->getName() +
                    " count to is not known before its call")
                       .str());
  return result;
}

} // namespace

Summary FunctionWork::Summaries::summarise(Function &function) {
  Analyses of{function, analyses.getResult<LoopAnalysis>(function),
              analyses.getResult<ScalarEvolutionAnalysis>(function),
              analyses.getResult<DominatorTreeAnalysis>(function)};
  Counts counts(algebra, of, &function.getEntryBlock().front(), /*forCallers=*/true);
  CalleeTerms callees(algebra, this);
  Regions regions(algebra, of, counts, callees);
  Summary summary;
  summary.work = within(regions.function(), MostOperationsOfFunction);
  addNotes(summary.notes, regions.notes());
  addNotes(summary.notes, callees.notes);
  summary.countsLoops = regions.countedLoops() || callees.countsLoops;
  return summary;
}

FunctionWork::FunctionWork(FunctionAnalysisManager &analyses)
    : summaries_(std::make_unique<Summaries>(analyses)) {}

FunctionWork::~FunctionWork() = default;

void FunctionWork::summarise(Module &module, function_ref<bool(const Function &)> isAskedAgain) {
  summaries_->isAskedAgain = isAskedAgain;
  for (Function &function : module)
    summaries_->of(function);
  summaries_->isAskedAgain = nullptr;
}

struct WorkBuilder::State {
  /// Builds what \p of says, if more than a constant without its loops can be said.
  InstanceWork build(Instruction *position,
                     function_ref<Polynomial(Regions &, CalleeTerms &, Counts &)> of);
  InstanceWork write(Instruction *position) const;

  Analyses analyses;
  Form form;
  FunctionWork::Summaries *summaries = nullptr;
  std::unique_ptr<Algebra> own; ///< when there are no callees' works to share one with
  Notes notes;
  Polynomial work; ///< of the last that was built; its text is made for those who ask
};

InstanceWork
WorkBuilder::State::build(Instruction *position,
                          function_ref<Polynomial(Regions &, CalleeTerms &, Counts &)> of) {
  Algebra &algebra = summaries ? summaries->algebra : *own;
  Counts counts(algebra, analyses, position);
  CalleeTerms callees(algebra, summaries);
  Regions regions(algebra, analyses, counts, callees);
  const Polynomial whole = of(regions, callees, counts);
  notes.clear();
  work = Polynomial();
  addNotes(notes, regions.notes());
  addNotes(notes, callees.notes);
  if (!regions.countedLoops() && !callees.countsLoops && !notes.empty())
    return {};
  // Arithmetic of ours would have to be of the kind that watches the rounding mode.
  if (analyses.function.hasFnAttribute(Attribute::StrictFP))
    return {};
  work = within(whole, MostOperations);
  return write(position);
}

InstanceWork WorkBuilder::State::write(Instruction *position) const {
  work::Code code(position);
  std::optional<work::Formula> formula;
  if (form == Form::Formula && !work.constant())
    formula = work::formulaOf(work);
  if (!formula)
    return {.number = code.integer(work)};
  InstanceWork result{.formula = work::addRecord(*formula, *position->getModule())};
  for (const Atom *input : formula->inputs)
    result.inputs.push_back(code.input(*input));
  return result;
}

WorkBuilder::WorkBuilder(Function &function, LoopInfo &loops, ScalarEvolution &evolution,
                         DominatorTree &dominators, Form form, FunctionWork *callees)
    : state_(new State{{function, loops, evolution, dominators},
                       form,
                       callees ? callees->summaries_.get() : nullptr,
                       callees ? nullptr : std::make_unique<Algebra>(),
                       {},
                       {}}) {}

WorkBuilder::~WorkBuilder() = default;

InstanceWork WorkBuilder::ofNest(Loop &loop, Instruction *position) {
  return state_->build(
      position, [&](Regions &regions, CalleeTerms &, Counts &) { return regions.nest(loop); });
}

InstanceWork WorkBuilder::ofNests(ArrayRef<Loop *> loops, Instruction *position) {
  return state_->build(position, [&](Regions &regions, CalleeTerms &, Counts &) {
    Polynomial all;
    for (Loop *loop : loops)
      all += regions.nest(*loop);
    return all;
  });
}

InstanceWork WorkBuilder::ofIteration(Loop &loop, Instruction *position) {
  return state_->build(
      position, [&](Regions &regions, CalleeTerms &, Counts &) { return regions.iteration(loop); });
}

InstanceWork WorkBuilder::ofCall(CallBase &call, Instruction *position) {
  Function *callee = call.getCalledFunction();
  if (!callee || !hasBody(*callee) || !state_->summaries) {
    state_->notes = {"what is called is not defined in the program"};
    state_->work = Polynomial();
    return {};
  }
  const Loop *scope = state_->analyses.loops.getLoopFor(call.getParent());
  return state_->build(position, [&](Regions &, CalleeTerms &callees, Counts &counts) {
    return callees(call, scope, counts).value_or(Polynomial()) + work::lengthOf(call);
  });
}

std::string WorkBuilder::whyNot() const {
  ArrayRef<std::string> notes = state_->notes;
  std::string text = join(notes.take_front(MostNotes), "; ");
  if (notes.size() > MostNotes)
    text += formatv("; and {0} more", notes.size() - MostNotes).str();
  return text;
}

std::string WorkBuilder::expression() const { return text(state_->work); }

} // namespace gnomon
