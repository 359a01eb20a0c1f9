// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SweepOutputs.h"

#include "Message.h"
#include "sweep/Plot.h"
#include "trace/Target.h"

#include <filesystem>
#include <unistd.h>

namespace gnomon::driver {
namespace {

namespace fs = std::filesystem;

/// What went wrong; empty on success.
std::string write(const std::string &file, const std::string &text) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(file, error); // a link stays one
  try {
    trace::FileTarget target(error || fs::is_other(place) ? file : place.string());
    target.write(text);
    return target.finish();
  } catch (const InputError &wrong) {
    return wrong.what();
  }
}

bool writeOrTell(const std::string &file, const std::string &text) {
  if (file.empty())
    return true;
  const std::string wrong = write(file, text);
  if (!wrong.empty())
    fmt::print(stderr, "gnomon: error: {}\n", wrong);
  return wrong.empty();
}

/// A pipe or a device would get one table after another.
bool canBeWrittenAgain(const std::string &file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  return !file.empty() && (fs::is_regular_file(status) || !fs::exists(status));
}

} // namespace

SweepOutputs::SweepOutputs(const SweepCommandLine &line) : line_(line) {
  for (const std::string &file : {line.csv, line.json, line.svg}) {
    const fs::path folder = fs::path(file).parent_path();
    if (!file.empty() && access(folder.empty() ? "." : folder.c_str(), W_OK) != 0)
      fail("sweep: '{}' cannot be written: its folder is not there, or not yours", file);
  }
}

int SweepOutputs::writeIfDue(const sweep::Table &table) {
  const Clock::time_point now = Clock::now();
  if (!changed_)
    return -1;
  if (now < due_)
    return 1 + static_cast<int>(
                   std::chrono::duration_cast<std::chrono::milliseconds>(due_ - now).count());
  changed_ = false;
  std::string wrong;
  if (canBeWrittenAgain(line_.csv))
    wrong = write(line_.csv, sweep::renderCsv(table));
  if (canBeWrittenAgain(line_.json) && wrong.empty())
    wrong = write(line_.json, sweep::renderJson(table));
  if (!wrong.empty() && !told_)
    note("{}; the sweep goes on, and tries it again", wrong);
  told_ |= !wrong.empty();
  const Clock::time_point end = Clock::now();
  due_ = end + 20 * (end - now);
  return -1;
}

bool SweepOutputs::finish(const sweep::Table &table) const {
  return writeOrTell(line_.csv, sweep::renderCsv(table)) &&
         writeOrTell(line_.json, sweep::renderJson(table)) &&
         writeOrTell(line_.svg, line_.svg.empty() ? "" : sweep::renderSvg(table));
}

} // namespace gnomon::driver
