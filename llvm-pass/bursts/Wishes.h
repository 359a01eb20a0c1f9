// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What users' words (overrides/Overrides.h) mean for a region: whether it is to be skipped, and what its record says.
#pragma once

#include "bursts/Decide.h"
#include "bursts/Transform.h"
#include "overrides/Overrides.h"

namespace gnomon {

/// What the user says of a region: of the function around it, of the function called, of the
/// statement, of its line.
BurstOverride wordsFor(const Overrides &overrides, const Region &region);

Wish wishOf(const BurstOverride &words);

/// Whether they say anything.
bool isSaid(const BurstOverride &words);

/// What the region's record gets from the words; \p work as in BurstFacts.
BurstFacts factsFor(const BurstOverride &words, const Region &region, InstanceWork work);

} // namespace gnomon
