// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Windows. `rma::Shared` is what all ranks of a window have in common: where each one's memory
/// lies, the locks, the ends; `mpi::Win`, what a handle names, is one rank's end of it.
///
/// All ranks are in one process, so an operation finds its target's memory by itself. That a rank
/// learns of something only when a message has told it is the business of those who use this.
#pragma once

#include "mpi/Attribute.h"
#include "mpi/Error.h"
#include "mpi/Info.h"
#include "mpi/comm/Comm.h"
#include "mpi/request/Waiting.h"
#include "rma/Epoch.h"
#include "rma/Locks.h"
#include "rma/Reached.h"
#include "rma/WaitNote.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gnomon::rma {

struct Operation;

/// The ABI's MPI_WIN_FLAVOR_*.
enum class Flavor : int { Create = 311, Allocate = 312, Dynamic = 313, Shared = 314 };

/// One rank's part of a window.
struct Side {
  void *base = nullptr;
  int64_t bytes = 0;
  int64_t displacementUnit = 1;
  std::map<uintptr_t, int64_t> attached; ///< of a dynamic window: start → bytes
};

struct MemoryDeleter {
  void operator()(void *memory) const;
};
/// Memory that a window has allocated, zero at first.
using Memory = std::unique_ptr<void, MemoryDeleter>;

struct Shared : std::enable_shared_from_this<Shared> {
  Shared(mpi::MembersRef members, Flavor flavor);

  mpi::MembersRef members;
  Flavor flavor;
  std::vector<Side> sides;      ///< by rank
  std::vector<mpi::Win *> ends; ///< by rank; null once freed
  Locks locks;
  std::vector<Memory> memory; ///< freed with the last end
  int attended = 0;           ///< ranks that have made their ends

  /// The address of \p displacement on \p target (bytes from there on not checked).
  char *address(int target, int64_t displacement) const;
  /// Whether the bytes [from, to) that lie around address() belong to the target's part.
  bool covers(int target, const char *from, const char *to) const;
};

/// What an origin knows of its operations on one target, which are numbered in the order of their
/// calls. Several threads of the origin may wait for their ends at once.
struct Target {
  uint64_t issued = 0;             ///< since the window was made
  Reached applied;                 ///< at the target
  Reached finished;                ///< applied, and the answer is there if there is one
  Reached freed;                   ///< the origin's and the result's buffer are not in use
  uint64_t flying = 0;             ///< under way
  std::deque<Operation *> queued;  ///< what waits for its turn
  std::deque<Operation *> ordered; ///< accumulates on their way, in the order of their calls
  /// Operations below unanswered that have no answer are known to have taken effect when a word of
  /// the target says so: asked for, and come, up to these numbers.
  uint64_t unanswered = 0, asked = 0, acknowledged = 0;
  /// What happens once all operations below a number are applied.
  std::multimap<uint64_t, std::function<void()>> whenApplied;

  bool isIdle() const { return finished.below() == issued; }
};

/// What a rank has been told by a peer, in active target synchronisation.
struct Told {
  uint64_t posts = 0;             ///< MPI_Win_post that no MPI_Win_start has used
  std::deque<uint64_t> completes; ///< of each MPI_Win_complete: what the peer had issued by then
};

} // namespace gnomon::rma

namespace gnomon::mpi {

class Win {
public:
  Win(std::shared_ptr<rma::Shared> shared, Comm &comm);
  ~Win();
  Win(const Win &) = delete;
  Win &operator=(const Win &) = delete;

  Comm &comm() const { return comm_; } ///< its own, which nobody else uses
  process::Rank &owner() const { return comm_.owner(); }
  int rank() const { return comm_.rank(); }
  int size() const { return comm_.size(); }
  rma::Shared &shared() const { return *shared_; }
  const std::shared_ptr<rma::Shared> &sharedRef() const { return shared_; }
  rma::Side &side() const { return shared_->sides[static_cast<size_t>(rank())]; }
  /// Whether displacements count from a base: those of a dynamic window are addresses.
  bool hasDisplacements() const { return shared_->flavor != rma::Flavor::Dynamic; }
  rma::Target &target(int rank) { return targets_[rank]; }
  std::map<int, rma::Target> &targets() { return targets_; }
  rma::Told &told(int peer) { return told_[peer]; }

  /// Parks the calling thread until ready() holds. Who changes what it depends on calls stir().
  template <class Ready> void await(const rma::WaitNote &note, Ready ready) {
    if (ready())
      return;
    Waiting waiting(owner(), note);
    await([](const void *condition) { return (*static_cast<const Ready *>(condition))(); }, &ready);
  }
  /// Wakes those in await() for whom what they wait for holds.
  void stir();

  MPI_Win handle = nullptr;
  std::string name;
  Errhandler *errhandler; ///< counted
  AttributeSet attributes;
  Info info;
  rma::Epoch epoch;
  // Of all targets together.
  uint64_t unfinished = 0, local = 0;
  std::set<int> grantedLocks; ///< targets whose word a lock waits for, and it has come
  uint32_t number = 0;        ///< of --comm-trace: the n-th window of its rank
  // What predefined attributes point to.
  intptr_t sizeAttribute = 0;
  int unitAttribute = 0, flavorAttribute = 0, modelAttribute = 0;
  // Polling of window memory (Synchronise.h).
  uint64_t failedTests = 0, failedSyncs = 0, progressAtSync = 0;

private:
  using Condition = bool (*)(const void *);
  void await(Condition condition, const void *argument);

  std::shared_ptr<rma::Shared> shared_;
  Comm &comm_;
  std::map<int, rma::Target> targets_;
  std::map<int, rma::Told> told_;
  /// A thread in await().
  struct Waiter {
    kernel::Fiber *fiber;
    Condition condition;
    const void *argument;
  };
  std::vector<Waiter> waiters_; ///< in the order in which they came
};

/// "window 'halo'", or "window 3": for messages.
std::string describe(const Win &win);

/// Whom an error on the window concerns.
ErrorTarget errorTarget(const Win &win);

/// An error of the user's in a call on \p win, noted for the entry to raise on its error handler.
int failOn(Win &win, int errorClass, std::string detail);

} // namespace gnomon::mpi

namespace gnomon::rma {

/// Collective over \p comm: makes this rank's end of a window, whose parts are not there yet.
mpi::Win &makeWindow(mpi::Comm &comm, Flavor flavor, const mpi::Info *info, const char *function);
/// Collective, after each rank has filled in its side: tells all ranks of all sides.
void exchangeSides(mpi::Win &win);
/// Collective: all ranks have come.
void meet(mpi::Win &win);
/// Frees this rank's end.
void destroyWindow(mpi::Win &win);
/// Takes over the hints of \p info (may be null) that windows know; \p first: and sets the others
/// to what they are by default.
void setHints(mpi::Win &win, const mpi::Info *info, bool first);
/// \p bytes of zeroed memory, null when there is none.
Memory allocate(int64_t bytes);

} // namespace gnomon::rma
