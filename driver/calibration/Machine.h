// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The figures of a machine as a platform file: a flat cluster, and the parameters of a network
/// model in `<config>`. One table (Machine.cpp) says which parameter comes from which figure, and
/// for which model.
///
/// For segments a + b / B between hosts, links of latency L and bandwidth B_l, the model `smpi`
/// (docs/models.md, section 3) takes  f_lat 2 L + (b + 16) / (f_bw B_l).  So
///     f_bw = B / B_l       f_lat = (a - 16 / B) / 2 L       above (threshold of b) + 16 bytes
/// For the model `ports` the links' bandwidth is that of frames, and half of L their latency
/// (PortsFigures.h). A level segment has no B: f_bw is then so great that b / B is a ten-thousandth of a.
/// Worked example: a = 100 us, B = 100 MB/s, L = 49.92 us, B_l = 125 MB/s: f_bw = 0.8, f_lat = 1.
#pragma once

#include "calibration/PortsFigures.h"

#include <optional>
#include <string>
#include <vector>

namespace gnomon::calibration {

enum class Model : uint8_t { Smpi, Ports };

std::string_view nameOf(Model model);

/// Bytes that the model adds to each message.
double addedBytesOf(Model model);

struct Wishes {
  std::optional<Model> model; ///< nothing: as \p naturalModel finds
  uint64_t hosts = 0;         ///< 0: as many as were measured
  uint64_t cores = 1;
  std::string speed = "1Gf";
  std::string slowness; ///< of busy cores, as models/Slowness.h reads it; empty: none
};

struct Setting {
  std::string key, value;
  std::string why; ///< what it is, for the reader of the file
};

/// `ports` where the shortest messages between hosts take 10 us or more, as over TCP, else `smpi`,
/// whose factors follow any protocol. Nothing measured between hosts: `smpi`.
Model naturalModel(const measurements::Measurements &measured);

/// What is written, to the digit: texts of XML attributes; empty: none.
struct Machine {
  Model model = Model::Smpi;
  uint64_t hosts = 2, cores = 1;
  std::string speed, bandwidth, latency, limiter, loopbackBandwidth, loopbackLatency;
  std::vector<Setting> settings;

  /// The value of a key; empty: it is not set.
  std::string setting(std::string_view key) const;
  /// An attribute's number, of bytes/s or seconds; 0: none.
  static double numberOf(const std::string &attribute);
};

/// May add to the figures' remarks. Throws InputError for what the model cannot have.
Machine machineOf(Figures &figures, const measurements::Measurements &measured,
                  const Wishes &wishes, Model model);

/// The platform file; what was measured where stands in its comment.
std::string machineXml(const Machine &machine, const Figures &figures,
                       const measurements::Measurements &measured);

} // namespace gnomon::calibration
