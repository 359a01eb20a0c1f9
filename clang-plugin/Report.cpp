// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How `gnomon analyze` prints its findings.

#include "Report.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <array>

namespace gnomon {
namespace {

constexpr int JsonVersion = 1;
constexpr size_t WidestType = 44;
constexpr size_t WidestColumn = 60; // a longer cell stands out instead of moving every other

using TableRow = std::array<std::string, 6>;

// Paths below the working directory are shown relative to it.
std::string shownPath(const std::string &file) {
  llvm::SmallString<256> here;
  if (llvm::sys::fs::real_path(".", here))
    return file;
  llvm::StringRef rest = file;
  if (rest.consume_front(here) && rest.consume_front("/"))
    return rest.str();
  return file;
}

std::string shortened(std::string text) {
  if (text.size() > WidestType)
    text = text.substr(0, WidestType - 3) + "...";
  return text;
}

TableRow rowOf(const StaticVariable &variable) {
  return {variable.name,
          (shownPath(variable.file) + ":" + llvm::Twine(variable.line) + ":" +
           llvm::Twine(variable.column))
              .str(),
          shortened(variable.type),
          variable.bytes ? std::to_string(*variable.bytes) : "?",
          fateWords(variable.fate),
          variable.reason};
}

void printRow(llvm::raw_ostream &out, const TableRow &row, const std::array<size_t, 6> &widths) {
  constexpr size_t Bytes = 3, Last = 5;
  for (size_t i = 0; i < row.size(); ++i) {
    std::string padding(widths[i] - std::min(widths[i], row[i].size()), ' ');
    if (i == Last)
      out << row[i] << '\n';
    else if (i == Bytes)
      out << padding << row[i] << "  ";
    else
      out << row[i] << padding << "  ";
  }
}

// Bytes of which each rank has its own.
uint64_t bytesPerRank(const std::vector<StaticVariable> &variables) {
  uint64_t bytes = 0;
  for (const StaticVariable &variable : variables)
    if (variable.fate == Fate::Privatised || variable.fate == Fate::ThreadLocal)
      bytes += variable.bytes.value_or(0);
  return bytes;
}

} // namespace

void printTable(llvm::raw_ostream &out, const std::vector<StaticVariable> &variables) {
  std::vector<TableRow> rows = {{"variable", "declared at", "type", "bytes", "becomes", "because"}};
  for (const StaticVariable &variable : variables)
    rows.push_back(rowOf(variable));
  std::array<size_t, 6> widths{};
  for (const TableRow &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], std::min(row[i].size(), WidestColumn));
  for (const TableRow &row : rows)
    printRow(out, row, widths);
  size_t privatised =
      std::count_if(variables.begin(), variables.end(), [](const StaticVariable &variable) {
        return variable.fate == Fate::Privatised || variable.fate == Fate::ThreadLocal;
      });
  out << '\n'
      << variables.size() << " variables; each rank has its own copy of " << privatised << " ("
      << bytesPerRank(variables) << " bytes)\n";
}

void printJson(llvm::raw_ostream &out, const std::vector<StaticVariable> &variables,
               const std::vector<std::string> &failed) {
  llvm::json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", JsonVersion);
    json.attributeArray("variables", [&] {
      for (const StaticVariable &variable : variables)
        json.object([&] {
          json.attribute("name", variable.name);
          json.attribute("symbol", variable.symbol);
          json.attribute("file", variable.file);
          json.attribute("line", variable.line);
          json.attribute("column", variable.column);
          json.attribute("type", variable.type);
          json.attribute("bytes", variable.bytes ? llvm::json::Value(*variable.bytes)
                                                 : llvm::json::Value(nullptr));
          json.attribute("storage", storageName(variable.storage));
          json.attribute("thread_local", variable.threadLocal);
          json.attribute("fate", fateName(variable.fate));
          json.attribute("reason", variable.reason);
        });
    });
    json.attributeObject("totals", [&] {
      json.attribute("variables", static_cast<int64_t>(variables.size()));
      json.attribute("privatised_bytes", bytesPerRank(variables));
    });
    json.attributeArray("failed", [&] {
      for (const std::string &file : failed)
        json.value(file);
    });
  });
  out << '\n';
}

} // namespace gnomon
