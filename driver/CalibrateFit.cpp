// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon calibrate fit`: the command line of the rooms measurements/ and calibration/.
#include "CalibrateCommands.h"
#include "Message.h"
#include "TextFile.h"
#include "calibration/Plot.h"
#include "calibration/Report.h"
#include "cpu/Reader.h"
#include "measurements/Readers.h"
#include "platform/FileText.h"
#include "support/Names.h"
#include "support/Number.h"

#include <cstdio>

namespace gnomon::driver {
namespace {

/// The place of \p option's value among \p names.
size_t choiceOf(const SubcommandLine &line, std::string_view option,
                const std::vector<std::string_view> &names) {
  const std::string value = line.value(option, names.front());
  for (size_t at = 0; at < names.size(); ++at)
    if (names[at] == value)
      return at;
  fail("calibrate fit: {}: expected {}, found '{}'{}", option, fmt::join(names, " or "), value,
       didYouMean(value, names));
}

calibration::Choice parseChoice(const SubcommandLine &line) {
  calibration::Choice choice;
  choice.method = choiceOf(line, "--method", {"dp", "correlation"}) == 0
                      ? calibration::Method::Bic
                      : calibration::Method::Correlation;
  choice.segments = line.count("--segments", 0, 1, 100);
  try {
    choice.penalty = parseNumber(line.value("--penalty", "1"));
  } catch (const NumberError &error) {
    fail("calibrate fit: --penalty: {}", error.what());
  }
  return choice;
}

/// What the file of --cpu says of a host.
void takeHost(const std::string &file, calibration::Wishes &wishes) {
  const cpu::HostFigures host = cpu::hostFiguresOf(platform::readText(file), file);
  wishes.cores = host.cores;
  wishes.speed = fmt::format("{:.6g}Gf", host.speedFlops / 1e9);
  wishes.slowness = host.slowness;
}

calibration::Wishes parseWishes(const SubcommandLine &line) {
  calibration::Wishes wishes;
  if (line.has("--model"))
    wishes.model = choiceOf(line, "--model", {"smpi", "ports"}) == 0 ? calibration::Model::Smpi
                                                                     : calibration::Model::Ports;
  if (line.has("--cpu"))
    takeHost(line.value("--cpu", ""), wishes);
  wishes.hosts = line.count("--hosts", 0, 1, 1000000);
  wishes.cores = line.count("--cores", wishes.cores, 1, 1000000);
  wishes.speed = line.value("--speed", wishes.speed);
  try {
    if (!(parseQuantity(wishes.speed, Unit::FlopsPerSecond).value > 0))
      fail("calibrate fit: --speed: a speed must be above zero");
  } catch (const NumberError &error) {
    fail("calibrate fit: --speed: {}", error.what());
  }
  return wishes;
}

} // namespace

int calibrateFit(const SubcommandLine &line) {
  if (line.files().empty())
    fail("calibrate fit: no samples; see 'gnomon calibrate --help'");
  if (!line.has("--output"))
    fail("calibrate fit: '-o MACHINE.xml' is missing");
  const calibration::Choice choice = parseChoice(line);
  const calibration::Wishes wishes = parseWishes(line);
  const calibration::Result result =
      calibration::calibrate(measurements::readFiles(line.files()), choice, wishes);
  for (const std::string &text : result.measured.notes)
    note("{}", text);
  const std::string output = line.value("--output", "");
  if (!writeText(output, machineXml(result.machine, result.figures, result.measured)) ||
      (line.has("--json") && !writeText(line.value("--json", ""), renderJson(result))) ||
      (line.has("--plot") && !writeText(line.value("--plot", ""), renderSvg(result))))
    return static_cast<int>(ExitCode::NoOutput);
  std::fputs(renderText(result, output).c_str(), stdout);
  return static_cast<int>(ExitCode::Success);
}

} // namespace gnomon::driver
