// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "partitions/Placement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MD5.h"

#include <algorithm>

using namespace llvm;

namespace gnomon {
namespace {

/// The runs when none may weigh more than \p most, which no single item does.
std::vector<size_t> runsUpTo(uint64_t most, ArrayRef<uint64_t> weights) {
  std::vector<size_t> starts{0};
  uint64_t run = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (run + weights[i] > most) {
      starts.push_back(i);
      run = 0;
    }
    run += weights[i];
  }
  return starts;
}

/// SplitModule's rule.
unsigned partitionOf(StringRef name, unsigned partitions) {
  MD5 hash;
  hash.update(name);
  MD5::MD5Result result;
  hash.final(result);
  return (result[0] | (result[1] << 8)) % partitions;
}

} // namespace

std::vector<size_t> evenRuns(ArrayRef<uint64_t> weights, unsigned parts) {
  uint64_t tooLittle = 0, enough = 0;
  for (uint64_t weight : weights) {
    tooLittle = std::max(tooLittle, weight);
    enough += weight;
  }
  while (tooLittle < enough) {
    const uint64_t middle = tooLittle + (enough - tooLittle) / 2;
    if (runsUpTo(middle, weights).size() <= parts)
      enough = middle;
    else
      tooLittle = middle + 1;
  }
  return runsUpTo(enough, weights);
}

Placement::Placement(const Module &module, unsigned partitions) : partitions_(partitions) {
  std::vector<const Function *> functions;
  std::vector<uint64_t> weights;
  for (const Function &function : module)
    if (function.hasLocalLinkage() && !function.hasComdat()) {
      functions.push_back(&function);
      weights.push_back(function.getInstructionCount());
    }
  const std::vector<size_t> starts = evenRuns(weights, partitions);
  for (size_t i = 0; i < functions.size(); ++i)
    places_[functions[i]] = unsigned(upper_bound(starts, i) - starts.begin() - 1);
}

std::string Placement::nameFor(const GlobalValue &symbol, uint64_t number) const {
  const unsigned place = places_.lookup(&symbol);
  // One name in partitions_ has the hash. The limit is for another LLVM, whose hash has none.
  const uint64_t limit = number + uint64_t(64) * partitions_;
  for (;; ++number) {
    std::string name = (symbol.getName() + ".llvm." + Twine(number)).str();
    if (number == limit || partitionOf(name, partitions_) == place)
      return name;
  }
}

} // namespace gnomon
