// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The modules' gn_swap sections (docs/adr/0004): variables at one address, of which each rank has its own values. Hundreds
/// of bytes, of which a rank changes a few at its start and then none for a long time. So a rank keeps the words in
/// which it differs from what all began with, and a switch writes only those:
///
///   shown   = what was placed last (a copy that stays in the caches)
///   save    : sections = shown? nothing has changed. Else the rank's differences are found anew.
///   place   : the words of the rank before get their initial values, then the next rank's are written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

struct gnomon_module;

namespace gnomon::process {

/// A rank's words that are not as all ranks began with them: the first few where the rank itself lies.
class SwapDifferences {
public:
  struct Word {
    uint64_t value;
    uint32_t place; ///< among all words
  };

  void clear() {
    count_ = 0;
    more_.reset();
  }
  void add(Word word);
  template <class Visit> void forEach(const Visit &visit) const {
    for (uint32_t i = 0; i < count_ && i < Near; ++i)
      visit(Word{values_[i], places_[i]});
    if (more_) [[unlikely]]
      for (const Word &word : *more_)
        visit(word);
  }

private:
  static constexpr size_t Near = 3;
  std::array<uint64_t, Near> values_{};
  std::array<uint32_t, Near> places_{};
  uint32_t count_ = 0;
  std::unique_ptr<std::vector<Word>> more_; ///< behind the first
};

class SwapSections {
public:
  /// What lies in the module's section now is what all ranks begin with. Nothing where it has none.
  void add(const gnomon_module &module);
  bool any() const { return !words_.empty(); }
  /// The rank whose differences \p rank are was placed last, and has run since.
  void save(SwapDifferences &rank) {
    if (!isAsShown()) [[unlikely]]
      findDifferences(rank);
  }
  /// The next rank's values lie in the sections from now on. The one before has been saved.
  void place(const SwapDifferences &rank);

private:
  struct Section {
    char *begin;
    size_t bytes;
    size_t firstWord;
  };
  /// Of a word; the last one of a section may be a part.
  struct Place {
    char *at;
    size_t bytes;
  };

  bool isAsShown() const;
  void findDifferences(SwapDifferences &rank);
  void write(uint32_t place, uint64_t value);

  std::vector<Section> sections_;
  std::vector<Place> words_;
  std::vector<uint64_t> initial_, shown_; ///< by word
  std::vector<uint32_t>
      different_; ///< words of which the initial values do not lie in the sections
};

} // namespace gnomon::process
