// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon calibrate measure`: hands out the program that measures a real machine. It cannot be run
/// from here: it is built by that machine's MPI compiler and started by its launcher.
#include "CalibrateCommands.h"
#include "Installation.h"
#include "Message.h"

#include <cstdio>
#include <filesystem>

namespace gnomon::driver {
namespace {

namespace fs = std::filesystem;

/// Copies the sources into \p directory, which is made. Nothing that is there is overwritten.
void copyTo(const fs::path &sources, const fs::path &directory) {
  std::error_code error;
  if (fs::exists(directory, error) &&
      (!fs::is_directory(directory, error) || !fs::is_empty(directory, error)))
    fail("calibrate measure: '{}' is there already; name a new directory", directory.string());
  fs::create_directories(directory, error);
  if (!error)
    fs::copy(sources, directory, error);
  if (error)
    fail("calibrate measure: '{}' cannot be written: {}", directory.string(), error.message());
}

} // namespace

int calibrateMeasure(const SubcommandLine &line) {
  if (!line.files().empty())
    fail("calibrate measure: no file is read, and '{}' is given; '-o {}' copies the program there",
         line.files()[0], line.files()[0]);
  const fs::path sources = Installation::ofThisProgram().prefix() / "share/gnomon/calibrate";
  std::error_code error;
  if (!fs::exists(sources / "measure.c", error))
    fail("calibrate measure: '{}' has no sources: the installation is incomplete",
         sources.string());
  std::string place = sources.string();
  if (line.has("--output")) {
    place = line.value("--output", "");
    copyTo(sources, place);
  }
  fmt::print(
      "The program that measures a machine is in '{}'.\n"
      "Copy that directory to the machine, and there:\n\n"
      "  ./build-and-run.sh mpirun -n 8 --map-by node -- --budget 300\n\n"
      "which builds it with mpicc, runs it for about five minutes on eight ranks, and writes\n"
      "gnomon-calibration.csv. README.md says more. Then, here:\n\n"
      "  gnomon calibrate fit gnomon-calibration.csv -o machine.xml\n",
      place);
  return static_cast<int>(ExitCode::Success);
}

} // namespace gnomon::driver
