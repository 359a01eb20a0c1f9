// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the time of a stretch (what a rank computes between two calls of the runtime) differs from
/// what the bursts' rates say. A burst takes another time where other bursts stand before it; and
/// ranks wait for the slowest of them, so that a run in which each stretch took its mean would end
/// too early.
///
/// From stretches in which everything was executed, T seconds where the rates say C:
///
/// *Shapes.* Stretches of one shape met the same bursts equally often. The mean of the latest 64
/// is kept: S = mean (T − g) / mean C, with C by the rates as they are at the end and g the code
/// between bursts (Calibration). Shapes with less than four stretches have Σ (T − g) / Σ C of all
/// those that met the same burst first.
///
/// *Ranks* differ for good (their data lie elsewhere). m_r = Σ T / Σ C of rank r has the variance
/// v_r = Σ (T − m_r C)² / (Σ C)²; with m and V mean and variance of the m_r over ranks, the
/// variance between ranks is t = max(0, V − mean of v_r), and the rank's factor is shrunk towards 1
/// by what is noise (empirical Bayes: Efron and Morris 1975, Data analysis using Stein's
/// estimator):
///
///   F_r = 1 + t / (t + v_r) (m_r / m − 1)        1 for ranks with less than four stretches
///
/// Shapes that met the same burst first and differ little are charged alike (evenOut), as ranks and
/// equal work are: each was seen at another moment of the host, for which other ranks would wait.
///
/// *Chance.* A skipped stretch is charged C S F_r q, with q drawn from the latest 64 T / F_r of its
/// shape, divided by their mean, so that the draws change no sum; 1 with less than eight of them.
/// They are taken in the order in which they were seen: what slowed down one stretch often slowed
/// down the next ones, of other ranks, too, and ranks that are late together wait for none. Quantiles
/// of an earlier run are taken by the golden ratio's multiples, evenly and the same in each run.
///
/// *Equal work* (EqualWork.h) is charged its mean over all ranks, and what is left of chance in it is that
/// few had done it yet: as the run goes on, it vanishes. So each such T counts as the mean of those of
/// the latest 64 that are the same work, for a rank's factor of all; draws and ranks differ by what
/// instructions tell.
///
/// A stretch of more than twice its shape's median was interrupted: it counts as the median.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace gnomon::process::burst {

class Variation {
public:
  /// What tells stretches apart.
  struct Kind {
    uint32_t first = 0; ///< the burst that it met first
    uint64_t shape = 0; ///< a number that depends on which kinds of bursts it met how often
  };
  /// A kind of burst in a stretch.
  struct Term {
    uint32_t kind = 0;
    double work = 0;
    uint32_t times = 0; ///< instances
  };

  /// A stretch of \p rank took \p seconds; the rates say \p charged. \p volume: where it is known what bursts
  /// executed in it, stretches of one shape vary for a part by that.
  /// \p equalWork: the number of the work whose mean it was charged; 0: it was charged what it took.
  void add(uint32_t rank, Kind kind, double seconds, double charged, std::span<const Term> terms,
           double volume = 1, uint32_t equalWork = 0);
  /// Shapes whose S lies nearer to that of all with the same first burst than \p far, as a share of it, have that.
  void evenOut(double far) { evenOut_ = far; }
  /// Finds the ranks' factors from all stretches so far.
  void weighRanks();
  /// Finds the shapes' factors. \p rateOf: seconds a unit of work of a kind of burst; \p restOf:
  /// seconds between bursts in a stretch, by the burst that it meets first.
  void weighShapes(const std::function<double(uint32_t)> &rateOf,
                   const std::function<double(uint32_t)> &restOf);

  /// q of stretches that met the burst \p first first, whatever their shapes: evenly spread quantiles, of mean 1. Empty
  /// where too few are known.
  std::vector<double> chancesOf(uint32_t first) const;
  /// Those of an earlier run, for shapes that this one does not know.
  void giveChances(uint32_t first, std::vector<double> chances);

  double rankFactor(uint32_t rank) const;
  /// S F_r q for a stretch that was skipped.
  double draw(uint32_t rank, Kind kind);

private:
  /// Σ T, Σ C, Σ T², Σ T C, Σ C².
  struct Sums {
    uint32_t count = 0;
    double seconds = 0, charged = 0, squares = 0, products = 0, chargedSquares = 0;

    void add(double seconds, double charged);
    /// The stretches of \p work again, each of which took \p seconds.
    void addEqual(const Sums &work, double seconds);
  };
  struct OfRank {
    Sums own;                       ///< of stretches that were charged what they took
    std::map<uint32_t, Sums> equal; ///< of the others, by their work
    double factor = 1;
  };
  /// Stretches of one shape, or that met one burst first.
  struct Seen {
    double seconds = 0; ///< T / F_r
    uint32_t equalWork = 0;
  };
  struct Group {
    uint32_t first = 0;
    uint64_t count = 0;
    double seconds = 0;               ///< Σ T
    std::map<uint32_t, double> works; ///< Σ w by kind of burst
    std::vector<Seen> latest;
    double factor = 1;           ///< S
    std::vector<double> chances; ///< q
    uint64_t draws = 0;
  };
  static void addTo(Group &group, uint32_t first, double seconds, Seen latest,
                    std::span<const Term> terms);
  static std::vector<Seen> oldestFirst(const Group &group);
  static std::vector<double> chances(std::vector<Seen> latest, double &mean);
  static void evenOut(std::vector<Seen> &latest);
  static double nextOf(Group &group);
  static double drawFrom(Group &group);
  static void weighShape(Group &group, double charged, double rest);
  void evenOut(Group &shape) const;

  Sums sumsOf(const OfRank &rank) const;

  double evenOut_ = 0; ///< 0: each shape has its own
  std::vector<OfRank> ranks_;
  std::map<uint32_t, Sums> equal_; ///< over all ranks
  std::unordered_map<uint64_t, Group> shapes_;
  std::vector<Group> firsts_;
};

} // namespace gnomon::process::burst
