// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The calls of NPB LU's sweeps on a grid of ranks: wavefronts over 31 planes down and up, an
/// exchange of faces, now and then a reduction; and how long SimGrid's text of the same is.
#pragma once

#include "trace/Record.h"

#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <random>

namespace gnomon::trace::bench {

class LuTrace {
public:
  struct Settings {
    uint32_t columns = 8, rows = 8, iterations = 250;
    bool countsText = true; ///< textBytes() is asked for
    double variation = 0; ///< volumes of computation vary by this part of them, evenly up and down
  };
  LuTrace(Sink &sink, const Settings &settings) : sink_(sink), settings_(settings) {
    using enum Kind;
    const Field count{"buf.count", Count}, size{"buf.size", Size}, tag{"tag", Tag},
        comm{"comm", Comm}, request{"request", Request};
    recv_ = sink.function({"MPI_Recv", {count, size, {"source", Peer}, tag, comm}});
    send_ = sink.function({"MPI_Send", {count, size, {"dest", Peer}, tag, comm}});
    irecv_ = sink.function({"MPI_Irecv", {count, size, {"source", Peer}, tag, comm, request}});
    wait_ = sink.function({"MPI_Wait", {request}});
    reduce_ = sink.function({"MPI_Allreduce", {count, size, {"op", Text}, comm}});
    compute_ = sink.function({std::string(ComputeFunction),
                              {{"burst", Text}, {"instructions", Real}, {"seconds", Real}}});
    init_ = sink.function({"MPI_Init", {}});
    finalize_ = sink.function({"MPI_Finalize", {}});
    lower_ = sink.text("lu.f:120 blts");
    upper_ = sink.text("lu.f:240 buts");
    sum_ = sink.text("MPI_SUM");
  }

  /// Appends all records of all ranks, rank by rank.
  void run() {
    for (uint32_t rank = 0; rank < settings_.columns * settings_.rows; ++rank)
      runRank(rank);
  }
  uint64_t records() const { return records_; }
  /// Of the lines that SimGrid would write.
  uint64_t textBytes() const { return textBytes_; }

private:
  static constexpr int Planes = 31;
  static constexpr int64_t Face = 150, Volume = 60000, Exchange = 2500, Double = 8;

  void put(uint32_t function, std::initializer_list<int64_t> values) {
    sink_.append(rank_, {function, {values.begin(), values.size()}});
    ++records_;
  }
  template <class... T> void line(fmt::format_string<T...> format, T &&...arguments) {
    if (settings_.countsText)
      textBytes_ += fmt::formatted_size(format, std::forward<T>(arguments)...);
  }
  void recv(int from, int tag) {
    if (from < 0)
      return;
    put(recv_, {Face, Double, from, tag, World});
    line("{} recv {} {} 150 6\n", rank_, from, tag);
  }
  void send(int to, int tag, int64_t count) {
    if (to < 0)
      return;
    put(send_, {count, Double, to, tag, World});
    line("{} send {} {} {} 6\n", rank_, to, tag, count);
  }
  void compute(int64_t burst) {
    auto volume = Volume;
    if (settings_.variation > 0)
      volume = static_cast<int64_t>(
          Volume * std::uniform_real_distribution<double>(1 - settings_.variation,
                                                          1 + settings_.variation)(random_));
    put(compute_, {burst, std::bit_cast<int64_t>(static_cast<double>(volume)),
                   std::bit_cast<int64_t>(std::numeric_limits<double>::quiet_NaN())});
    line("{} compute {}\n", rank_, volume);
  }
  void sweep(int first, int second, int third, int fourth, int tag, int64_t burst) {
    for (int plane = 0; plane < Planes; ++plane) {
      recv(first, tag);
      recv(second, tag);
      compute(burst);
      send(third, tag, Face);
      send(fourth, tag, Face);
    }
  }
  void exchange(std::initializer_list<int> neighbours) {
    int64_t request = 0;
    for (int from : neighbours)
      if (from >= 0) {
        put(irecv_, {Exchange, Double, from, 2, World, ++request});
        line("{} irecv {} 2 2500 6\n", rank_, from);
      }
    for (int to : neighbours)
      send(to, 2, Exchange);
    request = 0;
    for (int from : neighbours)
      if (from >= 0) {
        put(wait_, {++request});
        line("{} wait {} {} 2\n", rank_, from, rank_);
      }
  }
  void runRank(uint32_t rank) {
    rank_ = rank;
    const int columns = static_cast<int>(settings_.columns), at = static_cast<int>(rank);
    const int x = at % columns, y = at / columns;
    const int north = y > 0 ? at - columns : -1;
    const int south = y < static_cast<int>(settings_.rows) - 1 ? at + columns : -1;
    const int west = x > 0 ? at - 1 : -1, east = x < columns - 1 ? at + 1 : -1;
    put(init_, {});
    line("{} init\n", rank_);
    for (uint32_t iteration = 0; iteration < settings_.iterations; ++iteration) {
      sweep(north, west, south, east, 0, lower_);
      sweep(south, east, north, west, 1, upper_);
      exchange({north, south, west, east});
      if (iteration % 10 == 0) {
        put(reduce_, {5, Double, sum_, World});
        line("{} allreduce 5 0 6\n", rank_);
      }
    }
    put(finalize_, {});
    line("{} finalize\n", rank_);
  }

  Sink &sink_;
  Settings settings_;
  std::mt19937_64 random_{1};
  uint32_t recv_, send_, irecv_, wait_, reduce_, compute_, init_, finalize_, rank_ = 0;
  int64_t lower_, upper_, sum_;
  uint64_t records_ = 0, textBytes_ = 0;
};

} // namespace gnomon::trace::bench
