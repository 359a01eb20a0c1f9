// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: samples of any format are understood or refused with an InputError that names the file,
// whatever they hold; and a machine that follows from them has figures that a platform can have.
#include "calibration/Plot.h"
#include "calibration/Report.h"
#include "measurements/Readers.h"
#include "support/Error.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

using namespace gnomon;
using namespace gnomon::calibration;

namespace {

void require(bool holds) {
  if (!holds)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  try {
    measurements::Collector collector;
    measurements::readText(text, "fuzz", collector);
    const measurements::Measurements measured = collector.finish({"fuzz"});
    for (const Model model : {Model::Smpi, Model::Ports}) {
      Wishes wishes;
      wishes.model = model;
      const Result result = calibrate(measured, {}, wishes);
      const double latency = Machine::numberOf(result.machine.latency);
      const double bandwidth = Machine::numberOf(result.machine.bandwidth);
      require(latency >= 0 && latency < 100 && bandwidth > 0 && std::isfinite(bandwidth));
      require(!machineXml(result.machine, result.figures, measured).empty());
      require(!renderText(result, "fuzz.xml").empty() && !renderJson(result).empty());
      require(!renderSvg(result).empty());
    }
  } catch (const InputError &error) {
    require(error.file() == "fuzz");
  }
  return 0;
}
