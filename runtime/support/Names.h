// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names and words that a user types.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon {

/// "; did you mean 'a' or 'b'?" with the names nearest to \p name by edit distance (Levenshtein
/// 1966), or an empty text when none is near. Costs O(total length of the names × length of name).
std::string didYouMean(std::string_view name, std::span<const std::string_view> known);

/// \p words as a shell would take them.
std::string shellText(const std::vector<std::string> &words);

} // namespace gnomon
