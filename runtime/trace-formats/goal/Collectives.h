// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Collectives as messages, for a format that has none: one plain algorithm each.
///
///     MPI_Barrier                         dissemination, messages of a byte   ceil(log2 p) rounds
///     MPI_Bcast, MPI_Reduce               binomial tree                       ceil(log2 p) rounds
///     MPI_Allreduce                       recursive doubling                  log2 p rounds (+2)
///     MPI_Gather(v), MPI_Scatter(v)       the root with each other            p-1 messages
///     MPI_Allgather(v)                    ring                                p-1 rounds
///     MPI_Alltoall(v)                     each with each, all at once         p-1 messages a rank
///     MPI_Reduce_scatter(_block)          pairwise exchange                   p-1 rounds
///     MPI_Scan, MPI_Exscan                chain                               p-1 rounds
///
/// The arithmetic of reductions takes no time.
#pragma once

#include "trace-formats/goal/Graph.h"

#include <functional>
#include <span>

namespace gnomon::trace::goal {

/// A collective of \p size processes as process \p me has to do it.
class Expansion {
public:
  /// \p world gives the rank in MPI_COMM_WORLD of a process.
  Expansion(Graph &graph, uint32_t size, uint32_t me, int64_t tag,
            std::function<uint32_t(uint32_t)> world)
      : graph_(graph), size_(size), me_(me), tag_(tag), world_(std::move(world)) {}

  /// Bytes that a process gives to, or takes from, each process: one number for all, or one each.
  struct Bytes {
    int64_t each = 0;
    std::span<const int64_t> counts; ///< empty: `each`
    int64_t size = 1;                ///< of an element of counts
    int64_t of(uint32_t process) const {
      return process < counts.size() ? counts[process] * size : counts.empty() ? each : 0;
    }
  };

  void barrier();
  void broadcast(uint32_t root, int64_t bytes);
  void reduce(uint32_t root, int64_t bytes);
  void allreduce(int64_t bytes);
  /// \p mine: what this process sends.
  void gather(uint32_t root, int64_t mine, const Bytes &received);
  void scatter(uint32_t root, const Bytes &sent, int64_t mine);
  void allgather(const Bytes &blocks);
  void alltoall(const Bytes &sent, const Bytes &received);
  void reduceScatter(const Bytes &blocks);
  void scan(int64_t bytes);

private:
  void send(uint32_t to, int64_t bytes);
  void receive(uint32_t from, int64_t bytes);
  void exchange(uint32_t to, int64_t sent, uint32_t from, int64_t received);
  uint32_t before(uint32_t distance) const { return (me_ + size_ - distance % size_) % size_; }
  uint32_t after(uint32_t distance) const { return (me_ + distance) % size_; }

  Graph &graph_;
  const uint32_t size_, me_;
  const int64_t tag_;
  const std::function<uint32_t(uint32_t)> world_;
};

} // namespace gnomon::trace::goal
