// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Wishes.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace gnomon {

BurstOverride wordsFor(const Overrides &overrides, const Region &region) {
  BurstOverride words;
  auto add = [&](const BurstOverride *said) {
    if (said)
      words.merge(*said);
  };
  add(overrides.of(*region.function));
  if (region.call && region.call->getCalledFunction())
    add(overrides.of(*region.call->getCalledFunction()));
  if (region.mark)
    add(&region.mark->words);
  if (region.place)
    add(overrides.of(*region.function, region.place.getLine()));
  // A cost that is given is meant to be charged.
  bool costs = words.flops || (region.mark && region.mark->flops);
  if (costs && words.decision == BurstOverride::Decision::Auto)
    words.decision = BurstOverride::Decision::Skip;
  return words;
}

Wish wishOf(const BurstOverride &words) {
  switch (words.decision) {
  case BurstOverride::Decision::Skip:
    return Wish::Skip;
  case BurstOverride::Decision::Run:
    return Wish::Run;
  case BurstOverride::Decision::Auto:
    return Wish::None;
  }
  return Wish::None;
}

bool isSaid(const BurstOverride &words) {
  return !words.name.empty() || words.decision != BurstOverride::Decision::Auto || words.samples ||
         words.flops;
}

BurstFacts factsFor(const BurstOverride &words, const Region &region, InstanceWork work) {
  BurstFacts facts;
  facts.name = words.name;
  facts.samples = words.samples.value_or(0);
  facts.work = std::move(work);
  facts.flops = words.flops.value_or(-1);
  if (!words.flops && region.mark)
    facts.computedFlops = region.mark->flops;
  return facts;
}

} // namespace gnomon
