// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Closing.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gnomon {

void closeBlocks(ArrayRef<BasicBlock *> blocks, BasicBlock &exit) {
  const DenseSet<const BasicBlock *> inside(blocks.begin(), blocks.end());
  const SmallVector<BasicBlock *, 4> before(predecessors(&exit));
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block) {
      SmallVector<Use *, 4> outside;
      for (Use &use : instruction.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        auto *phi = dyn_cast<PHINode>(user);
        if (!inside.contains(phi ? phi->getIncomingBlock(use) : user->getParent()))
          outside.push_back(&use);
      }
      if (outside.empty())
        continue;
      PHINode *phi =
          PHINode::Create(instruction.getType(), unsigned(before.size()), "", exit.begin());
      for (BasicBlock *from : before)
        phi->addIncoming(&instruction, from);
      for (Use *use : outside)
        use->set(phi);
    }
}

} // namespace gnomon
