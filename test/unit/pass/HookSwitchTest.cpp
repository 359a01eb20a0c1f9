// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/HookSwitch.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/ExecutionEngine.h"
#include "llvm/ExecutionEngine/GenericValue.h"
#include "llvm/ExecutionEngine/Interpreter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

using namespace gnomon;

namespace {

/// Hooks that write down who was called with what. A burst's begin answers @answer, and what is
/// decided is given back as its square.
constexpr const char *Hooks = R"(
@gnomon.bursts.on = global i32 0
@gnomon.points.on = global i32 0
@answer = global i32 0
@log = global i64 0
@memory = global i64 11
define void @note(i64 %what) {
  %old = load i64, ptr @log
  %shifted = mul i64 %old, 1009
  %new = add i64 %shifted, %what
  store i64 %new, ptr @log
  ret void
}
define i32 @gnomon_burst_begin(ptr %burst, i64 %work) {
  %what = add i64 %work, 100
  call void @note(i64 %what)
  %answer = load i32, ptr @answer
  ret i32 %answer
}
define i32 @gnomon_burst_begin_with(ptr %burst, i64 %a, i64 %b, i64 %c, i64 %d) {
  %ab = sub i64 %a, %b
  %what = add i64 %ab, 200
  call void @note(i64 %what)
  %answer = load i32, ptr @answer
  ret i32 %answer
}
define void @gnomon_burst_end(ptr %burst) {
  call void @note(i64 300)
  ret void
}
define void @gnomon_phase(i32 %phase) {
  %wide = zext i32 %phase to i64
  call void @note(i64 %wide)
  ret void
}
define i64 @gnomon_decide(ptr %point, i64 %value) {
  call void @note(i64 %value)
  %square = mul i64 %value, %value
  ret i64 %square
}
define ptr @gnomon_decide_each(ptr %point, i64 %comm, i32 %root, ptr %numbers) {
  call void @note(i64 %comm)
  ret ptr @memory
}
)";

struct Parsed {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;

  explicit Parsed(const std::string &text) {
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString(text, error, context);
    if (!module) {
      std::string message;
      llvm::raw_string_ostream stream(message);
      error.print("test", stream);
      ADD_FAILURE() << message << text;
    }
  }
  bool switchHooks() {
    llvm::ModuleAnalysisManager analyses;
    const bool same = HookSwitchPass().run(*module, analyses).areAllPreserved();
    std::string message;
    llvm::raw_string_ostream stream(message);
    EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << message;
    return !same;
  }
  llvm::Instruction &named(const char *name) const {
    for (llvm::Function &function : *module)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (instruction.getName() == name)
          return instruction;
    throw std::logic_error(name);
  }
};

struct Setting {
  bool on;
  int answer;
  uint64_t argument;
};
struct Outcome {
  uint64_t result, log;
  bool operator==(const Outcome &) const = default;
};
void PrintTo(const Outcome &outcome, std::ostream *stream) {
  *stream << outcome.result << ", hooks " << outcome.log;
}

/// What @f gives of its argument, and which hooks it has called.
Outcome play(const std::string &text, bool switched, const Setting &setting) {
  Parsed parsed(Hooks + text);
  if (switched)
    EXPECT_TRUE(parsed.switchHooks());
  for (const char *name : {"gnomon.bursts.on", "gnomon.points.on"}) {
    llvm::GlobalVariable *on = parsed.module->getNamedGlobal(name);
    on->setInitializer(llvm::ConstantInt::get(on->getValueType(), setting.on));
  }
  llvm::GlobalVariable *answer = parsed.module->getNamedGlobal("answer");
  answer->setInitializer(llvm::ConstantInt::getSigned(answer->getValueType(), setting.answer));
  llvm::Function *function = parsed.module->getFunction("f");
  std::string error;
  LLVMLinkInInterpreter();
  std::unique_ptr<llvm::ExecutionEngine> engine(llvm::EngineBuilder(std::move(parsed.module))
                                                    .setEngineKind(llvm::EngineKind::Interpreter)
                                                    .setErrorStr(&error)
                                                    .create());
  if (!engine) {
    ADD_FAILURE() << error;
    return {};
  }
  llvm::GenericValue argument;
  argument.IntVal = llvm::APInt(64, setting.argument);
  const uint64_t result = engine->runFunction(function, {argument}).IntVal.getZExtValue();
  const auto *log = static_cast<const uint64_t *>(
      engine->getPointerToGlobal(engine->FindGlobalVariableNamed("log")));
  return {result, *log};
}

/// A function's text; \p gives is what @f gives of its argument when hooks are off.
void behaves(const std::string &text) {
  SCOPED_TRACE(text);
  // Answers other than 0 and 1 are none.
  for (uint64_t argument : {0, 1, 5})
    for (int answer : {0, 1}) {
      const Outcome plain = play(text, false, {true, answer, argument});
      EXPECT_NE(plain.log, 0u) << "no hook is called";
      EXPECT_EQ(play(text, true, {true, answer, argument}), plain);
      const Outcome off = play(text, true, {false, answer, argument});
      EXPECT_EQ(off.log, 0u) << "hooks are called where they are off";
      EXPECT_EQ(off.result, play(text, false, {true, 1, argument}).result);
    }
}

// Intent: with hooks on all is as without the switch; with hooks off none is called, and the way is
// that of the answer 1, whatever the answer is compared with.
TEST(HookSwitch, TakesTheWayOfExecution) {
  for (const char *predicate : {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"})
    for (const char *constant : {"-1", "0", "1", "2"})
      behaves(std::string("define i64 @f(i64 %x) {\n"
                          "  %asked = call i32 @gnomon_burst_begin(ptr null, i64 %x)\n"
                          "  %compared = icmp ") +
              predicate + " i32 %asked, " + constant + R"(
  br i1 %compared, label %one, label %other
one:
  br label %end
other:
  br label %end
end:
  %result = phi i64 [ 10, %one ], [ 20, %other ]
  ret i64 %result
})");
}

// Intent: what is executed may be a loop, whose counter begins anew from whichever way it is
// entered, and may be reached from elsewhere too.
TEST(HookSwitch, EntersLoops) {
  behaves(R"(define i64 @f(i64 %x) {
  %few = icmp ult i64 %x, 1
  br i1 %few, label %loop, label %ask
ask:
  %twice = mul i64 %x, 2
  %asked = call i32 @gnomon_burst_begin_with(ptr null, i64 %twice, i64 1, i64 0, i64 0)
  %execute = icmp ne i32 %asked, 0
  br i1 %execute, label %loop, label %end
loop:
  %i = phi i64 [ 0, %ask ], [ 40, %0 ], [ %next, %loop ]
  %sum = phi i64 [ 3, %ask ], [ 4, %0 ], [ %more, %loop ]
  %next = add i64 %i, 1
  %more = add i64 %sum, %i
  %again = icmp ult i64 %next, 7
  br i1 %again, label %loop, label %end
end:
  %result = phi i64 [ 1000, %ask ], [ %more, %loop ]
  call void @gnomon_burst_end(ptr null)
  ret i64 %result
})");
}

// Intent: an answer that is more than branched on is 1 where nobody was asked, and what is done
// either way is done.
TEST(HookSwitch, AnswersOneWhereNobodyIsAsked) {
  constexpr const char *Asked = "  %asked = call i32 @gnomon_burst_begin(ptr null, i64 4)\n";
  for (const char *rest : {
           "%wide = zext i32 %asked to i64\n %result = add i64 %wide, 7",
           "%wide = zext i32 %asked to i64\n %again = zext i32 %asked to i64\n"
           "%result = add i64 %wide, %again",
           "%no = icmp eq i32 %asked, 0\n %result = zext i1 %no to i64",
           "%result = add i64 %x, 3", // it is not asked for at all
       })
    behaves(std::string("define i64 @f(i64 %x) {\n") + Asked + rest + "\n ret i64 %result\n}");
  // %go is what is executed; the last uses are those of the branch.
  for (const auto &[between, result] : std::vector<std::pair<std::string, const char *>>{
           {"store i64 5, ptr @memory\n %no = icmp eq i32 %asked, 0", "load i64, ptr @memory"},
           {"%no = icmp eq i32 %asked, 0\n store i64 5, ptr @memory", "load i64, ptr @memory"},
           {"%no = icmp eq i32 %asked, 0", "zext i1 %no to i64"},
           {"%no = icmp eq i32 %asked, 0", "zext i32 %asked to i64"},
           {"%no = icmp ne i32 %asked, %second", "add i64 %x, 3"},
       })
    behaves(std::string("define i64 @f(i64 %x) {\n  %second = trunc i64 %x to i32\n"
                        "  br label %ask\ngo:\n  %result = ") +
            result + "\n  ret i64 %result\nask:\n" + Asked + between +
            "\n br i1 %no, label %skip, label %go\nskip:\n  ret i64 77\n}");
}

// Intent: what a point decides is what was computed where points are off.
TEST(HookSwitch, GivesWhatWasComputed) {
  const std::string text = R"(define i64 @f(i64 %x) {
  %computed = add i64 %x, 3
  %given = call i64 @gnomon_decide(ptr null, i64 %computed)
  %more = add i64 %given, %computed
  ret i64 %more
})";
  EXPECT_EQ(play(text, true, {false, 0, 4}), (Outcome{14, 0}));
  EXPECT_EQ(play(text, true, {true, 0, 4}), (Outcome{56, 7}));
}

// Intent: the same of an array: it is the program's own where points are off.
TEST(HookSwitch, GivesTheProgramsArray) {
  const std::string text = R"(@array = global i64 5
define i64 @f(i64 %x) {
  %comm = add i64 %x, 3
  %given = call ptr @gnomon_decide_each(ptr null, i64 %comm, i32 0, ptr @array)
  %number = load i64, ptr %given
  ret i64 %number
})";
  EXPECT_EQ(play(text, true, {false, 0, 4}), (Outcome{5, 0}));
  EXPECT_EQ(play(text, true, {true, 0, 4}), (Outcome{11, 7}));
}

// Intent: hooks that answer nothing stand behind the question too, in the order that they had.
TEST(HookSwitch, SilentHooksToo) {
  behaves(R"(define i64 @f(i64 %x) {
  call void @gnomon_phase(i32 1)
  %more = add i64 %x, 1
  call void @gnomon_burst_end(ptr null)
  %narrow = trunc i64 %more to i32
  call void @gnomon_phase(i32 %narrow)
  ret i64 %more
})");
}

// Intent: what is computed for a hook alone is computed behind the question, unless something in
// between writes what it reads; what others use, or what does something itself, stays.
TEST(HookSwitch, ComputesArgumentsOnlyWhereTheyAreAsked) {
  const std::string text = R"(
define i64 @count() {
  %old = load i64, ptr @memory
  %new = add i64 %old, 1
  store i64 %new, ptr @memory
  ret i64 %new
}
define i64 @thrower(i64 %x) memory(none) {
  ret i64 %x
}
define i64 @f(i64 %x) {
  %early = load i64, ptr @memory
  %counted = call i64 @count()
  %late = load i64, ptr @memory
  %own = mul i64 %late, %x
  %shared = mul i64 %x, 3
  %sum = add i64 %early, %shared
  %both = add i64 %sum, %own
  %thrown = call i64 @thrower(i64 %x)
  %mine = add i64 %both, %thrown
  %all = add i64 %mine, %counted
  %asked = call i32 @gnomon_burst_begin(ptr null, i64 %all)
  %execute = icmp ne i32 %asked, 0
  br i1 %execute, label %go, label %end
go:
  store i64 1, ptr @memory
  br label %end
end:
  %memory = load i64, ptr @memory
  %result = add i64 %memory, %shared
  ret i64 %result
})";
  behaves(text);
  for (const char *last : {"", "%no = add i32 %asked, 1\n store i32 %no, ptr @answer\n"}) {
    std::string other = text;
    other.insert(other.find("  %execute"), last); // no branch on the answer alone
    behaves(other);
    Parsed parsed(Hooks + other);
    parsed.switchHooks();
    const llvm::BasicBlock *asked = parsed.named("asked").getParent();
    for (const char *sunk : {"late", "own", "sum", "both", "mine", "all"})
      EXPECT_EQ(parsed.named(sunk).getParent(), asked) << sunk;
    for (const char *kept : {"early", "counted", "shared", "thrown"})
      EXPECT_NE(parsed.named(kept).getParent(), asked) << kept;
  }
}

// Intent: modules without switches stay as they are, and so does what is no call of a hook.
TEST(HookSwitch, LeavesOthersAlone) {
  auto without = [](std::string text, const std::string &line) {
    return text.erase(text.find(line), line.size());
  };
  const std::string text = R"(define i64 @f(i64 %x) {
  %given = call i64 @gnomon_decide(ptr null, i64 %x)
  call void @g(ptr @gnomon_burst_end)
  ret i64 %given
}
declare void @g(ptr)
)";
  Parsed none(without(Hooks + text, "@gnomon.bursts.on = global i32 0\n"));
  EXPECT_FALSE(none.switchHooks());
  EXPECT_EQ(none.module->getFunction("f")->size(), 1u);
  Parsed noPoints(without(Hooks + text, "@gnomon.points.on = global i32 0\n"));
  EXPECT_TRUE(noPoints.switchHooks());
  EXPECT_EQ(noPoints.module->getFunction("f")->size(), 1u);
  Parsed both(Hooks + text);
  both.switchHooks();
  EXPECT_EQ(both.module->getFunction("f")->size(), 3u); // the point's three
}

} // namespace
