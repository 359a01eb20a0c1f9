// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The arrays that ranks share under `--shadow`. A site is a place of the program that allocates
/// memory (gnomon/Fold.h). The k-th block that a rank has of one site and one size (an eighth of a
/// power of two apart), and the k-th of every other rank, are one region of shared pages: P ranks × s
/// bytes become s.
///
/// Folding begins with the run, with what the program may do without any decision given; with the
/// first burst that is skipped on any rank where something counts on right data until then
/// (decisions that are compared, instances that are measured, files that are read back). From then on
///   - a block that is allocated at a site whose phase every rank has entered is a region itself,
///     at one address for all ranks: no mapping of its own;
///   - a block that was allocated before shows the region's pages in place of its own, which go
///     back to the system. That takes two mappings a block; where the kernel has no more to give
///     (vm.max_map_count), and of a small block, its pages are given back, and it gets new ones
///     where it is used again.
/// Ranks that are measured (keepers) keep arrays of their own, so that their caches are the
/// program's.
///
/// Where instances are measured, folding comes in two steps. First, while much is still executed, only
/// blocks are folded that are allocated from then on: to find other pages at an address that it uses
/// costs a rank time that is none of the program's (docs/performance/folding.md). When hardly
/// anything is executed any more (settle), older blocks are folded too.
#pragma once

#include "gnomon/Fold.h"
#include "gnomon/Module.h"
#include "process/fold/LocalBlocks.h"
#include "process/fold/SharedPages.h"
#include "support/SpinLock.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gnomon::process::fold {

/// Which of a site's plans holds: without decisions or with them; and while bursts are executed whose safety rests on
/// folded memory (GNOMON_BURST_UNSAFE), or when they are only skipped any more.
enum class Plan : uint8_t {
  Plain = GNOMON_PLAN_PLAIN,
  Decided = GNOMON_PLAN_DECIDED,
  Skipped = GNOMON_PLAN_SKIPPED,
  DecidedSkipped = GNOMON_PLAN_DECIDED_SKIPPED,
};
/// What is shared: blocks that are allocated from now on, or older ones too.
enum class Extent : uint8_t { New, All };
/// Where a rank's own block lies. Movable: it begins and ends somewhere in pages of anonymous memory, and release is
/// called before it is freed, so that other pages may be mapped over it. NoAddresses: it would be so, but for a limit on
/// addresses (ulimit -v).
enum class Place : uint8_t { Fixed, Movable, NoAddresses };

struct Settings {
  size_t leastBytes = 0;       ///< smaller blocks are left alone
  size_t leastMappedBytes = 0; ///< older blocks that are smaller are not worth two mappings
  /// A test of what is known of the program: blocks of any size are filled with bytes of 0xff (a
  /// floating-point number that is none, an address that faults) where they would be shared.
  bool poisons = false;
  /// Large blocks are one small window that is shown again and again. Where computation is measured they are not: their
  /// data would lie in caches as the program's never does.
  bool windows = false;
};

/// What a run says of a site.
struct SiteReport {
  std::string function, file;
  uint32_t line = 0;
  uint64_t blocks = 0, bytes = 0; ///< asked for, over all ranks
  uint64_t foldedBytes = 0;       ///< of those that were folded
  uint64_t givenBackBytes = 0;    ///< of which got no mapping: their pages were given back
  uint64_t noAddressBytes = 0;    ///< of all: for want of addresses each rank keeps its own
  bool foldable = false;          ///< from `phase` on
  std::string why;    ///< its contents must be right, for ever or before that phase; empty: never
  uint32_t phase = 0; ///< from which on it may be folded
};

struct Report {
  bool active = false;           ///< --fold was on
  uint64_t residentBytes = 0;    ///< of all that is shared
  std::vector<SiteReport> sites; ///< with blocks, in the order of their first
  uint64_t bytes = 0, foldedBytes = 0;
  uint64_t noAddressBytes = 0;        ///< of what could be shared
  uint64_t addressLimit = UINT64_MAX; ///< because of which; UINT64_MAX: there is none
};

/// Of one simulation. What malloc and free ask may come from any thread.
class FoldedMemory {
public:
  /// A window is so large, or a part of its block, that there are so many of one block, and of all, at most.
  static constexpr size_t WindowBytes = size_t{1} << 20;
  static constexpr uint64_t MostWindowsOfBlock = 64, MostWindows = 8192;

  explicit FoldedMemory(Settings settings) : settings_(settings) {}

  /// Rank \p rank is measured, and keeps what it has.
  void keep(uint32_t rank);
  /// From now on blocks are folded, as \p plan says, which holds more than the one before.
  /// \p reached: the phase that every rank has entered.
  void begin(Plan plan, uint32_t reached, Extent extent = Extent::All);
  bool begun() const { return begun_; }
  Plan plan() const { return plan_; }
  /// Older blocks are folded too.
  void settle();
  uint32_t reached() const { return reached_; }
  /// Every rank has entered phase \p reached.
  void reach(uint32_t reached);
  /// There are new ranks, and every rank has entered phase \p reached only. What is folded stays so.
  void passAgain(uint32_t reached);

  /// A block of \p bytes at \p site for \p rank, where it can be folded at once; null: it is to be
  /// allocated as ever, and noted.
  void *allocate(uint32_t rank, gnomon_fold_site &site, size_t bytes);
  /// Whether a block that allocate does not give may be folded later, and should have pages that can be (Place::Movable).
  bool wantsPages(uint32_t rank, const gnomon_fold_site &site);
  /// \p block was allocated at \p site by \p rank.
  void note(uint32_t rank, gnomon_fold_site &site, void *block, size_t bytes, Place place);
  /// \p rank is about to free \p block. True: it is free now, and came from allocate. Otherwise it
  /// has pages of its own again, and is forgotten.
  bool release(uint32_t rank, void *block);
  /// Bytes of a block that came from allocate; 0 for another.
  size_t capacity(const void *block);
  bool isShared(const void *block) const { return pages_.contains(block); }
  /// Whether [address, address + bytes) lies in one folded block.
  bool isFolded(const void *address, uint64_t bytes);

  /// Arrays on stacks.
  LocalBlocks &locals() { return locals_; }
  size_t leastBytes() const { return settings_.leastBytes; }
  bool poisons() const { return settings_.poisons; }
  Report report();

private:
  /// Of one rank, in its own memory.
  struct Block {
    uint32_t rank;
    uint32_t site; ///< its number
    size_t bytes;
    uint32_t ordinal = 0; ///< of its region, while it is folded
    bool folded = false;
    bool mapped = false; ///< shows the region's pages
  };
  struct Region {
    uint32_t site;
    size_t bytes;
    uint32_t ordinal;
  };
  struct Site {
    gnomon_fold_site *record;
    SiteReport sum;
  };
  /// Site, bytes of a region.
  using Size = std::pair<uint32_t, size_t>;
  static Size sizeOf(const Block &block);

  uint32_t numberOf(gnomon_fold_site &record);
  Site &asked(gnomon_fold_site &record, size_t bytes);
  void addFolded(Site &site, size_t bytes) const;
  bool mayFold(const Site &site) const;
  bool keeps(uint32_t rank) const {
    return rank < keepers_.size() && keepers_[rank] && !settings_.poisons;
  }
  /// The next region of that size that the rank does not use; null: none is to be had.
  char *take(uint32_t rank, Size size, uint32_t &ordinal);
  char *makeRegion(size_t bytes);
  void give(uint32_t rank, Size size, uint32_t ordinal);
  void fold(char *address, Block &block);
  void foldAll();

  const Settings settings_;
  SpinLock lock_;
  SharedPages pages_;
  LocalBlocks locals_{*this};
  std::vector<Site> sites_;
  std::map<uintptr_t, Block> blocks_;                           ///< by address
  std::map<Size, std::vector<char *>> sizes_;                   ///< regions, by ordinal
  std::map<uintptr_t, Region> regions_;                         ///< by address
  std::map<std::pair<uint32_t, Size>, std::vector<bool>> used_; ///< by rank: which ordinals
  std::vector<bool> keepers_;
  uint64_t mappings_ = 0;          ///< that may still be made over older blocks
  uint64_t windows_ = MostWindows; ///< and of windows
  uint32_t reached_ = 0;
  Plan plan_ = Plan::Plain;
  Extent extent_ = Extent::All;
  bool begun_ = false;
};

/// Null where nothing is folded in this run.
FoldedMemory *memory();
/// Makes it, or takes it away.
void install(std::unique_ptr<FoldedMemory> memory);

/// The site whose allocation is under way on this thread; null: none.
gnomon_fold_site *pendingSite();
void clearPendingSite();

namespace detail {
/// Asked for each buffer of each message; the memory that it is about is one a process, too.
extern constinit bool any;
} // namespace detail

/// Whether some block has been folded, on any rank.
inline bool any() { return detail::any; }
/// Whether the bytes lie in one folded block: nothing of them has to be copied.
bool isFolded(const void *address, uint64_t bytes);

} // namespace gnomon::process::fold
