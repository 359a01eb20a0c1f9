// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// "Did you mean": the known word closest to a mistyped one.
#pragma once

#include <string>
#include <vector>

namespace gnomon::driver {

/// Number of single-character insertions, deletions, substitutions and swaps of neighbours that
/// make \p b of \p a (optimal string alignment distance). Cost |a|·|b|.
int editDistance(const std::string &a, const std::string &b);

/// The word of \p words nearest to \p word, or empty when none is near (more than a third of its
/// letters differ).
std::string nearest(const std::string &word, const std::vector<std::string> &words);

/// "; did you mean 'x'?" or nothing.
std::string didYouMean(const std::string &word, const std::vector<std::string> &words);

} // namespace gnomon::driver
