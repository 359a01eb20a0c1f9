// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what `gnomon sweep --resume` finds is taken over or refused with an InputError that names
// the file, whatever it holds; rows that are taken have figures that a run can have, and a sweep that
// writes them finds them again.
#include "sweep/Resume.h"

#include "support/Error.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

using namespace gnomon;

namespace {

void require(bool holds) {
  if (!holds)
    std::abort();
}

/// The sweep that the seeds come from (seeds_of_sweep in fuzz.py), before it has any row.
sweep::Table freshTable() {
  sweep::Table table;
  table.input = "lu.gtr";
  table.origin = {
      "1.0", {"-q"}, {}, {{"lu.gtr", "ef46db3751d8e999"}, {"a.xml", "44bc2cf5ad770999"}}};
  table.axes = {{sweep::Axis::Kind::Platform, "platform", "", "", {"a.xml", "default"}, {}},
                {sweep::Axis::Kind::Bandwidth, "link/bw", "", "", {"1x", "2x"}, {1, 2}}};
  for (const std::string &platform : table.axes[0].values)
    for (const std::string &factor : table.axes[1].values)
      table.rows.push_back({{platform, factor}, std::nullopt, std::nullopt, ""});
  return table;
}

void requireSane(const sweep::Table &table, size_t taken) {
  require(table.known() == taken && taken <= table.rows.size());
  for (const sweep::Row &row : table.rows) {
    require(row.exitCode.has_value() == row.result.has_value());
    if (row.result)
      require(row.exitCode == 0 && std::isfinite(row.result->simulatedSeconds) &&
              row.result->simulatedSeconds >= 0);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sweep::Table table = freshTable(), again = freshTable();
  try {
    const size_t taken = sweep::resume(table, {reinterpret_cast<const char *>(data), size}, "fuzz");
    requireSane(table, taken);
    const std::string written = renderJson(table);
    require(sweep::resume(again, written, "written") == taken && renderJson(again) == written);
    require(!renderText(table).empty() && !renderCsv(table).empty());
  } catch (const InputError &error) {
    require(error.file() == "fuzz");
  }
  return 0;
}
