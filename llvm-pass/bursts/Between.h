// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Code between bursts: each rank passes it as often, whatever is skipped.
#pragma once

#include "bursts/Regions.h"
#include "slice/Program.h"

namespace gnomon {

class Between {
public:
  Between(const Program &program, const Regions &regions)
      : program_(program), regions_(regions), inner_(functionsCalled(program, regions)) {}
  bool contains(const llvm::Instruction &instruction) const {
    return !inner_.contains(instruction.getFunction()) && regions_.of(instruction) < 0 &&
           !program_.isError(*instruction.getParent());
  }

private:
  const Program &program_;
  const Regions &regions_;
  llvm::DenseSet<const llvm::Function *> inner_; ///< functions that bursts call
};

} // namespace gnomon
