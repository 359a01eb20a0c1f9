// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the blocks of each rank lie. A rank's references to its blocks are written as pages, of
/// PageReferences each, while the trace grows; the index at the file's end refers to the pages, and
/// has the references that filled none. So neither writer nor reader keeps a reference to each
/// block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::trace {

inline constexpr size_t PageReferences = 64;

/// A block or a page in the file.
struct Reference {
  uint64_t place = 0, bytes = 0; ///< of the whole section
  uint64_t records = 0;
};

struct RankIndex {
  std::vector<Reference> pages;
  std::vector<Reference> blocks; ///< after those of the pages

  uint64_t records() const;
};

std::string pageText(const std::vector<Reference> &blocks);
std::string indexText(const std::vector<RankIndex> &ranks);

/// Read them; no reference goes beyond \p fileBytes, and no rank has 2^62 records. Throw Damage.
std::vector<Reference> parsePage(std::string_view bytes, uint64_t fileBytes);
std::vector<RankIndex> parseIndex(std::string_view bytes, uint64_t fileBytes);

} // namespace gnomon::trace
