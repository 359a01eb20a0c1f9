// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Scope.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using gnomon::Scope;

namespace {

/// Functions of one block to some hundreds.
struct Program {
  llvm::LLVMContext context;
  llvm::Module module{"program", context};
  std::vector<llvm::Function *> functions;
  std::vector<const llvm::BasicBlock *> blocks;

  Program() {
    llvm::FunctionType *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
    for (int count : {1, 63, 64, 65, 300}) {
      functions.push_back(
          llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module));
      for (int i = 0; i < count; ++i)
        blocks.push_back(llvm::BasicBlock::Create(context, "", functions.back()));
    }
  }
};

// Intent: a scope holds what was put into it, block by block or many at a time, and nothing else; a
// copy goes its own way.
TEST(Scope, HoldsWhatWasPutIntoIt) {
  const Program program;
  std::mt19937 random(3);
  Scope scope;
  std::set<const llvm::BasicBlock *> held;
  auto someBlock = [&] { return program.blocks[random() % program.blocks.size()]; };
  for (int round = 0; round < 300; ++round) {
    const llvm::BasicBlock *block = someBlock();
    EXPECT_EQ(scope.contains(block), held.contains(block));
    EXPECT_EQ(scope.insert(block), held.insert(block).second);
    for (const llvm::BasicBlock *each : program.blocks)
      ASSERT_EQ(scope.contains(each), held.contains(each));
  }
  Scope copy = scope;
  const llvm::Function &last = *program.functions.back();
  std::vector<const llvm::BasicBlock *> all;
  for (const llvm::BasicBlock &block : last)
    all.push_back(&block);
  copy.insert(last, all);
  for (const llvm::BasicBlock *each : program.blocks) {
    EXPECT_EQ(scope.contains(each), held.contains(each));
    EXPECT_EQ(copy.contains(each), held.contains(each) || each->getParent() == &last);
  }
}

// Intent: a function that was asked about before it had a block in the scope is asked about anew.
TEST(Scope, ForgetsThatAFunctionHadNothing) {
  const Program program;
  Scope scope;
  for (const llvm::Function *function : program.functions) {
    const llvm::BasicBlock *block = &function->back();
    EXPECT_FALSE(scope.contains(block));
    scope.insert(*function, {});
    EXPECT_FALSE(scope.contains(block));
    scope.insert(block);
    EXPECT_TRUE(scope.contains(block));
    EXPECT_EQ(scope.contains(&function->front()), function->size() == 1);
  }
}

} // namespace
