// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Collective buffering: the ranks of a collective access hand their parts to a few aggregators,
/// which alone use the disks, for large contiguous pieces (Thakur, Gropp & Lusk, "Data Sieving and
/// Collective I/O in ROMIO", 1999, section 4: two-phase I/O).
///
/// The bytes from the first to the last that any rank names are cut into one domain per aggregator,
/// of equal length but the last; each aggregator goes through its domain in rounds of
/// cb_buffer_size bytes. With b_iak what rank i moves in round k of aggregator a, a write takes
///     T = max over a of  sum over k of ( max over i != a of net(i -> a, b_iak)
///                                        + disk_a(sum over i of b_iak) )
/// and a read the same with the disk first and the network the other way. All ranks end together.
/// net is the network model's time of such messages among all others under way (an aggregator's own
/// bytes cost nothing), disk_a the time that Charge.h gives a's host for these bytes. Rounds
/// without bytes cost nothing. Aggregators do not wait for each other between rounds, as ROMIO's
/// do.
///
/// Worked example: 4 ranks on 4 hosts write a block of 1 MB each, in turns of 1 kB; cb_nodes = 1,
/// links of 100 MB/s that share nothing but rank 0's, disks of 50 MB/s: 3 MB / 100 MB/s, then
/// 4 MB / 50 MB/s: 0.11 s.
#pragma once

#include "io/Charge.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gnomon::io {

/// ROMIO's hints.
struct Buffering {
  enum class Use : uint8_t {
    Automatic, ///< when the ranks' parts interleave
    Enable,
    Disable
  };
  Use reads = Use::Automatic, writes = Use::Automatic; ///< romio_cb_read, romio_cb_write
  int64_t nodes = 0;                                   ///< cb_nodes; 0: one a host
  int64_t bufferBytes = int64_t{16} << 20;             ///< cb_buffer_size

  static Buffering of(const mpi::Info &hints);
};

/// Bytes [begin, end) of a file; equal: none.
struct Span {
  int64_t begin = 0, end = 0;
};

/// Whether accesses to \p spans (by rank) are to be buffered.
bool wantsBuffering(Buffering::Use use, const std::vector<Span> &spans);

/// The first rank of each host (given by rank), in the order of ranks; at most \p most (0: all).
std::vector<int> aggregatorsOf(const std::vector<platform::HostIndex> &hosts, int64_t most);

/// One collective access.
class TwoPhase : public std::enable_shared_from_this<TwoPhase> {
public:
  /// Of all ranks of \p file, within \p whole.
  TwoPhase(const File &file, models::DiskModel::Direction direction, Span whole,
           const Buffering &buffering);

  /// \p rank moves \p parts; \p request (may be null: it has nothing to wait for) is completed at
  /// the end. The last rank to come starts it.
  void join(int rank, const std::vector<Span> &parts, mpi::Request *request);

private:
  struct Round {
    std::map<int, uint64_t> bytesOf; ///< by rank
    std::vector<Span> parts;
  };
  struct Aggregator {
    int rank;
    std::map<int64_t, Round> rounds; ///< to come; the first is under way
    int left = 0;                    ///< messages under way
  };

  void next(Aggregator &aggregator);
  void exchange(Aggregator &aggregator);
  void onMessage(uint64_t aggregator);
  void useDisks(Aggregator &aggregator);
  void onDisks(uint64_t aggregator);
  void endRound(Aggregator &aggregator);
  void complete();

  models::DiskModel::Direction direction_;
  std::shared_ptr<SharedFile> shared_;
  Footprint nothing_; ///< knows the file's stripes
  int64_t begin_, domainBytes_, bufferBytes_;
  std::vector<platform::HostIndex> hosts_; ///< by rank
  std::vector<Aggregator> aggregators_;
  std::vector<mpi::Request *> requests_;
  size_t joined_ = 0, ended_ = 0;
  std::shared_ptr<TwoPhase> self_; ///< while it is under way
};

} // namespace gnomon::io
