// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What was measured: raw samples, gathered into series of points. Nothing is subtracted or dropped
/// here; a point keeps its samples, and says their median with its interval.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gnomon::measurements {

/// What was timed; docs/calibration-format.md says exactly what.
enum class Experiment : uint8_t {
  PingPong, ///< half a round trip of MPI_Send and MPI_Recv
  Stream,   ///< messages back to back, one way
  StreamArrival,
  BidirectionalStream,
  Exchange,
  Incast,
  Outcast,
  EagerProbe,
  EagerDelay,
  SendOverhead,        ///< os
  SendArrival,         ///< the same until the message is there
  NonblockingOverhead, ///< ois
  ReceiveOverhead,     ///< or
};
inline constexpr size_t ExperimentCount = 13;

/// As in files: "pingpong".
std::string_view nameOf(Experiment experiment);
/// Whether \p name is that of an experiment, which \p experiment then is.
bool experimentNamed(std::string_view name, Experiment &experiment);

/// Between hosts, or within one.
enum class Place : uint8_t { Inter, Intra };
std::string_view nameOf(Place place);

/// Of the series, in the order in which they are reported.
struct SeriesKey {
  Place place = Place::Inter;
  Experiment experiment = Experiment::PingPong;
  uint32_t ranks = 2;
  friend auto operator<=>(const SeriesKey &, const SeriesKey &) = default;
};

/// The samples of one size, in seconds for one message. With fewer than 6 samples [low, high] holds
/// them all, otherwise it is the 95 % interval of the median.
struct Point {
  uint64_t bytes = 0;
  std::vector<double> seconds; ///< ascending
  double median = 0, low = 0, high = 0;
  double messages = 1; ///< in a timed block, on average

  /// Standard error of the median, as a part of it. 0: not known, because there are fewer than 5
  /// samples.
  double relativeError() const;
};

/// \p bytes with \p seconds, in any order, one or more.
Point makePoint(uint64_t bytes, std::vector<double> seconds, double messages = 1);

struct Series {
  SeriesKey key;
  std::vector<Point> points; ///< by bytes, a size once
  std::string file;          ///< the first that has samples of it

  std::string name() const; ///< "pingpong, 2 ranks, inter"
};

struct Measurements {
  std::vector<Series> series;               ///< by key
  std::map<std::string, std::string> facts; ///< what machine and MPI said of themselves, by key
  std::vector<std::string> files, notes;

  /// The series of an experiment with the fewest ranks; null: there is none.
  const Series *find(Experiment experiment, Place place) const;
  /// The value of a fact; empty: it was not said.
  std::string fact(const std::string &key) const;
  /// The fact as a number; \p without where it was not said, or is none.
  double number(const std::string &key, double without) const;
  /// One reading of the clock, which is in every block that was timed: the mean over the ranks; 0:
  /// not said.
  double timerCostSeconds() const;
};

struct Sample {
  SeriesKey key;
  uint64_t bytes = 0, repetition = 0, count = 1, rank = 0;
  double seconds = 0; ///< of all `count` messages
};

/// Gathers samples. Ranks that timed the same repetition count as one sample, that of the slowest:
/// the experiment lasts until all are done.
class Collector {
public:
  void add(const Sample &sample, const std::string &file);
  void note(std::string text) { notes_.push_back(std::move(text)); }
  void fact(const std::string &key, const std::string &value) { facts_[key] = value; }
  size_t samples() const { return samples_; }

  Measurements finish(std::vector<std::string> files) const;

private:
  /// Of a repetition: the slowest rank; a rank that comes again begins another one, because a
  /// resumed measurement may count anew.
  using Execution = std::pair<uint64_t, uint64_t>; ///< repetition, how often the rank was there
  struct Size {
    std::map<Execution, double> seconds;
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> seen; ///< by repetition and rank
    double count = 0, samples = 0;
  };
  struct Gathered {
    std::map<uint64_t, Size> sizes;
    std::string file;
  };
  std::map<SeriesKey, Gathered> series_;
  std::map<std::string, std::string> facts_;
  std::vector<std::string> notes_;
  size_t samples_ = 0;
};

} // namespace gnomon::measurements
