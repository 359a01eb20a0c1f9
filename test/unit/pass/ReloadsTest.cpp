// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Reloads.h"

#include "slice/MemoryUse.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

using namespace gnomon;

namespace {

/// What all programs here have: places of which @place, @pair and @list are written by main alone,
/// before it calls @f; functions that write nothing (@quiet) and other places (@elsewhere).
constexpr const char *Common = R"(
@place = internal global i64 0
@pair = internal global { i64, i64 } zeroinitializer
@list = internal global ptr null
@other = internal global i64 0
@real = internal global double 0.0
declare ptr @malloc(i64)
declare i32 @MPI_Recv(ptr, i32, ptr, i32, i32, ptr, ptr)
define i32 @main(i32 %argc, ptr %argv) {
  %n = sext i32 %argc to i64
  store i64 %n, ptr @place
  store i64 %n, ptr @pair
  store double 1.0, ptr @real
  %node = call ptr @malloc(i64 16)
  store ptr %node, ptr @list
  store ptr %node, ptr %node
  %number = getelementptr i8, ptr %node, i64 8
  store i64 %n, ptr %number
  %c = icmp eq i32 %argc, 1
  call void @f(i1 %c, i64 %n)
  ret i32 0
}
define internal void @quiet() {
  ret void
}
define internal void @elsewhere() {
  store i64 1, ptr @other
  ret void
}
define internal void @use(i64 %x) {
  store i64 %x, ptr @other
  ret void
}
)";

class Code {
public:
  explicit Code(const std::string &text, const char *piece = nullptr) {
    llvm::SMDiagnostic error;
    module_ = llvm::parseAssemblyString(Common + text, error, context_);
    std::string message;
    llvm::raw_string_ostream stream(message);
    if (!module_)
      error.print("test", stream);
    else
      llvm::verifyModule(*module_, &stream);
    if (!message.empty())
      throw std::logic_error(message + text);
    externals_ = std::make_unique<Externals>(*module_);
    pointsTo_ = std::make_unique<PointsTo>(*module_, *externals_);
    program_ = std::make_unique<Program>(*module_, *pointsTo_, *externals_,
                                         llvm::ArrayRef<llvm::BasicBlock *>(), ClockReadings{});
    memory_ =
        std::make_unique<MemoryUse>(*program_, *externals_, [piece](const llvm::BasicBlock &block) {
          return piece && block.getName().starts_with(piece) ? 1 : -1;
        });
  }

  /// The name of the load that stands for the phi of that name; "": none does.
  std::string of(const char *phi) const {
    for (llvm::Function &function : *module_)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (instruction.getName() == phi) {
          const llvm::LoadInst *load = memory_->reloadOf(llvm::cast<llvm::PHINode>(instruction));
          EXPECT_EQ(memory_->reloadOf(llvm::cast<llvm::PHINode>(instruction)), load);
          return load ? load->getName().str() : "";
        }
    throw std::logic_error(phi);
  }

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<Externals> externals_;
  std::unique_ptr<PointsTo> pointsTo_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<MemoryUse> memory_;
};

/// @f: %phi is %first, or %again where something was done in between.
std::string readAgain(const std::string &first, const std::string &between,
                      const std::string &again, const std::string &type = "i64") {
  return "define internal void @f(i1 %c, i64 %n) {\nentry:\n" + first +
         "  br i1 %c, label %then, label %join\nthen:\n" + between + again +
         "  br label %join\njoin:\n  %phi = phi " + type +
         " [ %first, %entry ], [ %again, %then ]\n"
         "  ret void\n}\n";
}
constexpr const char *First = "  %first = load i64, ptr @place\n";
constexpr const char *Again = "  %again = load i64, ptr @place\n";

// Intent: a place that nobody writes while the function runs holds what it held, whoever is called
// and whoever wrote it before.
TEST(Reloads, AreTheFirstLoad) {
  for (const char *between : {"", "  call void @quiet()\n", "  call void @elsewhere()\n",
                              "  store i64 %first, ptr @other\n"})
    EXPECT_EQ(Code(readAgain(First, between, Again)).of("phi"), "first") << between;
}

// Intent: who writes the place while the function runs makes it another: the function, one that it
// calls, or one that that calls; whether before, in between or behind.
TEST(Reloads, AreNoneOfWhatIsWritten) {
  const std::string writes = R"(
define internal void @writes() {
  store i64 1, ptr @place
  ret void
}
define internal void @deeper() {
  call void @quiet()
  call void @writes()
  ret void
}
@table = internal global ptr @writes
)";
  for (const char *between :
       {"  store i64 1, ptr @place\n", "  call void @writes()\n", "  call void @deeper()\n",
        "  %target = load ptr, ptr @table\n  call void %target()\n"})
    EXPECT_EQ(Code(writes + readAgain(First, between, Again)).of("phi"), "") << between;
  EXPECT_EQ(
      Code(writes + readAgain("  call void @writes()\n" + std::string(First), "", Again)).of("phi"),
      "");
  EXPECT_EQ(Code(writes + readAgain(First, "", Again)).of("phi"), "first");
}

// Intent: MPI writes what it was handed when it likes, whoever handed it over.
TEST(Reloads, AreNoneOfWhatMpiWrites) {
  auto received = [](const char *place) {
    return std::string("define void @receive() {\n  %r = call i32 @MPI_Recv(ptr ") + place +
           ", i32 1, ptr null, i32 0, i32 0, ptr null, ptr null)\n  ret void\n}\n" +
           readAgain(First, "", Again);
  };
  EXPECT_EQ(Code(received("@place")).of("phi"), "");
  EXPECT_EQ(Code(received("@other")).of("phi"), "first");
}

// Intent: unknown code writes when it likes, too.
TEST(Reloads, AreNoneOfWhatIsVisible) {
  const std::string visible = "@visible = external global i64\n";
  EXPECT_EQ(Code(visible + readAgain("  %first = load i64, ptr @visible\n", "",
                                     "  %again = load i64, ptr @visible\n"))
                .of("phi"),
            "");
}

// Intent: another place, a part of it, and a reading that is told to be one of its own, are no
// reading of the same; of numbers only whole ones and addresses are followed.
TEST(Reloads, AreOfOnePlace) {
  const std::string gep = "  %second = getelementptr i8, ptr @pair, i64 8\n";
  EXPECT_EQ(
      Code(readAgain("  %first = load i64, ptr @pair\n", gep, "  %again = load i64, ptr %second\n"))
          .of("phi"),
      "");
  EXPECT_EQ(Code(readAgain(gep + "  %first = load i64, ptr %second\n",
                           "  %same = getelementptr { i64, i64 }, ptr @pair, i64 0, i32 1\n",
                           "  %again = load i64, ptr %same\n"))
                .of("phi"),
            "first");
  EXPECT_EQ(Code(readAgain(First, "", "  %again = load i64, ptr @other\n")).of("phi"), "");
  EXPECT_EQ(Code(readAgain(First, "",
                           "  %half = load i32, ptr @place\n"
                           "  %again = zext i32 %half to i64\n"))
                .of("phi"),
            "");
  EXPECT_EQ(Code(readAgain(First, "", "  %again = load volatile i64, ptr @place\n")).of("phi"), "");
  EXPECT_EQ(Code(readAgain(First, "", "  %again = add i64 %n, 0\n")).of("phi"), "");
  EXPECT_EQ(Code(readAgain("  %first = load double, ptr @real\n", "",
                           "  %again = load double, ptr @real\n", "double"))
                .of("phi"),
            "");
  EXPECT_EQ(Code(readAgain("  %first = load ptr, ptr @list\n", "",
                           "  %again = load ptr, ptr @list\n", "ptr"))
                .of("phi"),
            "first");
}

// Intent: an address may have been read itself, and again, four deep; beyond that nobody looks.
TEST(Reloads, FollowAddressesThatWereReadAgain) {
  auto chain = [](const std::string &name, int loads) {
    std::string text, from = "@list";
    for (int i = 1; i < loads; ++i) {
      const std::string to = "%" + name + std::to_string(i);
      text += "  " + to + " = load ptr, ptr " + from + "\n";
      from = to;
    }
    return text + "  %" + name + ".number = getelementptr i8, ptr " + from + ", i64 8\n  %" + name +
           " = load i64, ptr %" + name + ".number\n";
  };
  for (int loads : {2, 3, 4})
    EXPECT_EQ(Code(readAgain(chain("first", loads), "", chain("again", loads))).of("phi"), "first")
        << loads;
  EXPECT_EQ(Code(readAgain(chain("first", 5), "", chain("again", 5))).of("phi"), "");
  EXPECT_EQ(Code(readAgain(chain("first", 2), "", chain("again", 3))).of("phi"), "");
}

// Intent: an address that is itself a choice between readings of one place is that reading.
TEST(Reloads, FollowAddressesThatAreChoices) {
  EXPECT_EQ(Code(R"(define internal void @f(i1 %c, i64 %n) {
entry:
  %list = load ptr, ptr @list
  %a = getelementptr i8, ptr %list, i64 8
  %first = load i64, ptr %a
  br i1 %c, label %then, label %join
then:
  call void @quiet()
  %list.again = load ptr, ptr @list
  br label %join
join:
  %chosen = phi ptr [ %list, %entry ], [ %list.again, %then ]
  br i1 %c, label %once, label %end
once:
  %b = getelementptr i8, ptr %chosen, i64 8
  %again = load i64, ptr %b
  br label %end
end:
  %phi = phi i64 [ %first, %join ], [ %again, %once ]
  ret void
})")
                .of("phi"),
            "first");
}

// Intent: the number of an address is followed to the address that was read; a part of it, or another number that was read
// in its place, is not.
TEST(Reloads, AreOfNumbersOfAddresses) {
  auto numbers = [](const std::string &first, const std::string &again) {
    return Code("define internal void @f(i1 %c, i64 %n) {\nentry:\n  %first = load ptr, ptr "
                "@list\n" +
                first + "  br i1 %c, label %then, label %join\nthen:\n  call void @quiet()\n" +
                again +
                "  br label %join\njoin:\n  %phi = phi i64 [ %a, %entry ], [ %b, %then ]\n"
                "  ret void\n}\n")
        .of("phi");
  };
  const std::string first = "  %a = ptrtoint ptr %first to i64\n",
                    again = "  %again = load ptr, ptr @list\n";
  EXPECT_EQ(numbers(first, again + "  %b = ptrtoint ptr %again to i64\n"), "first");
  EXPECT_EQ(numbers(first, "  %again = load ptr, ptr %first\n  %b = ptrtoint ptr %again to i64\n"),
            "");
  EXPECT_EQ(numbers(first, "  %b = load i64, ptr @list\n"), "");
  const std::string half = "  %half = ptrtoint ptr %first to i32\n  %a = zext i32 %half to i64\n";
  EXPECT_EQ(numbers(half, again + "  %b = ptrtoint ptr %again to i64\n"), "");
}

// Intent: phis of phis are followed, round a loop too; not without end.
TEST(Reloads, FollowPhis) {
  EXPECT_EQ(Code(R"(define internal void @f(i1 %c, i64 %n) {
entry:
  %first = load i64, ptr @place
  br label %loop
loop:
  %phi = phi i64 [ %first, %entry ], [ %next, %back ]
  %i = phi i64 [ 0, %entry ], [ %i.next, %back ]
  br i1 %c, label %then, label %back
then:
  %again = load i64, ptr @place
  br label %back
back:
  %next = phi i64 [ %phi, %loop ], [ %again, %then ]
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
})")
                .of("phi"),
            "first");
  auto row = [](int phis) {
    std::string text = "define internal void @f(i1 %c, i64 %n) {\nb0:\n" + std::string(First) +
                       "  br i1 %c, label %t1, label %b1\n";
    std::string before = "%first";
    for (int i = 1; i <= phis; ++i) {
      const std::string n = std::to_string(i), next = std::to_string(i + 1);
      const std::string phi = i == phis ? "%phi" : "%p" + n;
      text += "t" + n + ":\n  br label %b" + n + "\nb" + n + ":\n  " + phi + " = phi i64 [ " +
              before + ", %b" + std::to_string(i - 1) + " ], [ " + before + ", %t" + n + " ]\n" +
              (i == phis ? "  ret void\n}"
                         : "  br i1 %c, label %t" + next + ", label %b" + next + "\n");
      before = phi;
    }
    return text;
  };
  EXPECT_EQ(Code(row(64)).of("phi"), "first");
  EXPECT_EQ(Code(row(65)).of("phi"), "");
}

// Intent: the load must have been passed each time that the phi is: on all ways to it, and in the
// same round of loops.
TEST(Reloads, StandOnAllWaysToThePhi) {
  EXPECT_EQ(Code(R"(define internal void @f(i1 %c, i64 %n) {
entry:
  br i1 %c, label %one, label %two
one:
  %first = load i64, ptr @place
  br label %join
two:
  %again = load i64, ptr @place
  br label %join
join:
  %phi = phi i64 [ %first, %one ], [ %again, %two ]
  ret void
})")
                .of("phi"),
            "");
  // Behind the loop; inside it, the phi of the same round.
  const Code loop(R"(define internal void @f(i1 %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %back ]
  %first = load i64, ptr @place
  br i1 %c, label %then, label %back
then:
  %again = load i64, ptr @place
  br label %back
back:
  %inside = phi i64 [ %first, %loop ], [ %again, %then ]
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  br i1 %c, label %once, label %last
once:
  %late = load i64, ptr @place
  br label %last
last:
  %behind = phi i64 [ %first, %end ], [ %late, %once ]
  ret void
})");
  EXPECT_EQ(loop.of("inside"), "first");
  EXPECT_EQ(loop.of("behind"), "");
}

// Intent: a load in a piece that is left out whole stands for phis of that piece only; one outside
// stands for phis inside, too.
TEST(Reloads, StayInTheirPiece) {
  const std::string text = R"(define internal void @f(i1 %c, i64 %n) {
PIECE.entry:
  %first = load i64, ptr @place
  br i1 %c, label %PIECE.then, label %PIECE.join
PIECE.then:
  %again = load i64, ptr @place
  br label %PIECE.join
PIECE.join:
  %inside = phi i64 [ %first, %PIECE.entry ], [ %again, %PIECE.then ]
  br i1 %c, label %then, label %join
then:
  %late = load i64, ptr @place
  br label %join
join:
  %behind = phi i64 [ %first, %PIECE.join ], [ %late, %then ]
  ret void
})";
  const Code cut(text, "PIECE"), whole(text), other(text, "join");
  EXPECT_EQ(cut.of("inside"), "first");
  EXPECT_EQ(cut.of("behind"), "");
  EXPECT_EQ(whole.of("behind"), "first");
  EXPECT_EQ(other.of("behind"), "first");
}

// Intent: a function that may lead to very many is taken to write any place.
TEST(Reloads, AreNoneWhereVeryMuchRuns) {
  auto many = [](int functions) {
    std::string text = "declare void @last()\n", calls;
    for (int i = 0; i < functions; ++i) {
      const std::string name = "@quiet" + std::to_string(i);
      text += "define internal void " + name + "() {\n  ret void\n}\n";
      calls += "  call void " + name + "()\n";
    }
    return text + readAgain(First, calls, Again);
  };
  EXPECT_EQ(Code(many(255)).of("phi"), "first"); // and @f itself
  EXPECT_EQ(Code(many(256)).of("phi"), "");
}

} // namespace
