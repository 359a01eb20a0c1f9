// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/Table.h"

#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gnomon::sweep {
namespace {

using Cells = std::vector<std::string>;

/// The columns behind those of the axes.
struct Column {
  const char *text, *csv;
  bool isNumber;
};
constexpr Column Columns[] = {{"simulated time", "simulated_time", true},
                              {"ratio", "ratio", true},
                              {"messages", "messages", true},
                              {"exit code", "exit_code", true},
                              {"error", "error", false}};

/// How many characters a terminal shows of \p text.
size_t width(const std::string &text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string timeText(const Row::Result &result) {
  return fmt::format("{:.9g} s", result.simulatedSeconds);
}

Cells textCells(const Table &table, const Row &row) {
  Cells cells = row.values;
  const std::optional<double> ratio = table.ratio(row);
  cells.push_back(row.result ? timeText(*row.result) : "-");
  cells.push_back(ratio ? fmt::format("{:.4f}", *ratio) : "-");
  cells.push_back(row.result ? std::to_string(row.result->messages) : "-");
  cells.push_back(std::to_string(*row.exitCode));
  cells.push_back(row.error);
  return cells;
}

std::string quoted(const std::string &field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos)
    return field;
  std::string result = "\"";
  for (char c : field)
    result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

std::string csvLine(Cells fields) {
  std::ranges::transform(fields, fields.begin(), quoted);
  return fmt::format("{}\n", fmt::join(fields, ","));
}

std::string incomplete(const Table &table) {
  return fmt::format("INCOMPLETE: {} of {} combinations", table.known(), table.rows.size());
}

nlohmann::ordered_json originJson(const Origin &origin) {
  nlohmann::ordered_json json{{"gnomon", origin.gnomon},
                              {"options", origin.options},
                              {"arguments", origin.arguments},
                              {"files", nlohmann::ordered_json::array()}};
  for (const Origin::File &file : origin.files)
    json["files"].push_back({{"name", file.name}, {"hash", file.hash}});
  return json;
}

nlohmann::ordered_json rowJson(const Table &table, const Row &row) {
  nlohmann::ordered_json json;
  json["values"] = row.values;
  json["simulated_time"] = json["ratio"] = nullptr;
  json["ranks"] = json["messages"] = json["bytes"] = nullptr;
  if (row.result) {
    json["simulated_time"] = row.result->simulatedSeconds;
    json["ranks"] = row.result->ranks;
    json["messages"] = row.result->messages;
    json["bytes"] = row.result->bytes;
  }
  if (const std::optional<double> ratio = table.ratio(row))
    json["ratio"] = *ratio;
  json["exit_code"] = *row.exitCode;
  json["error"] = nullptr;
  if (!row.error.empty())
    json["error"] = row.error;
  return json;
}

} // namespace

size_t Table::known() const {
  return static_cast<size_t>(
      std::ranges::count_if(rows, [](const Row &row) { return row.exitCode.has_value(); }));
}

bool Table::allSucceeded() const {
  return std::ranges::all_of(rows, [](const Row &row) { return row.result.has_value(); });
}

std::optional<double> Table::ratio(const Row &row) const {
  if (rows.empty() || !rows[0].result || !row.result || rows[0].result->simulatedSeconds == 0)
    return std::nullopt;
  return row.result->simulatedSeconds / rows[0].result->simulatedSeconds;
}

std::string renderLine(const Row &row) {
  return fmt::format("{}: {}", fmt::join(row.values, ", "),
                     row.result ? timeText(*row.result) : row.error);
}

std::string renderText(const Table &table) {
  std::vector<Cells> lines(1);
  for (const Axis &axis : table.axes)
    lines[0].push_back(axis.name);
  for (const Column &column : Columns)
    lines[0].emplace_back(column.text);
  for (const Row &row : table.rows)
    if (row.exitCode)
      lines.push_back(textCells(table, row));
  if (std::ranges::all_of(table.rows, [](const Row &row) { return row.error.empty(); }))
    for (Cells &cells : lines)
      cells.pop_back(); // nobody needs the column
  std::string text;
  for (const Cells &cells : lines) {
    std::string line;
    for (size_t at = 0; at < cells.size(); ++at) {
      size_t widest = 0;
      for (const Cells &other : lines)
        widest = std::max(widest, width(other[at]));
      const std::string blanks(widest - width(cells[at]), ' ');
      const bool right = at >= table.axes.size() && Columns[at - table.axes.size()].isNumber;
      line += (at == 0 ? "" : "  ") + (right ? blanks + cells[at] : cells[at] + blanks);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text + (table.complete() ? "" : incomplete(table) + "\n");
}

std::string renderCsv(const Table &table) {
  Cells head;
  for (const Axis &axis : table.axes)
    head.push_back(axis.name);
  for (const Column &column : Columns)
    head.emplace_back(column.csv);
  std::string text = csvLine(head);
  for (const Row &row : table.rows) {
    if (!row.exitCode)
      continue;
    Cells cells = row.values;
    const std::optional<double> ratio = table.ratio(row);
    cells.push_back(row.result ? formatNumber(row.result->simulatedSeconds) : "");
    cells.push_back(ratio ? formatNumber(*ratio) : "");
    cells.push_back(row.result ? std::to_string(row.result->messages) : "");
    cells.push_back(std::to_string(*row.exitCode));
    cells.push_back(row.error);
    text += csvLine(cells);
  }
  return text + (table.complete() ? "" : "# " + incomplete(table) + "\n");
}

std::string renderJson(const Table &table) {
  nlohmann::ordered_json json;
  json["version"] = 1;
  json["input"] = table.input;
  json["kind"] = table.isTrace ? "trace" : "program";
  json["origin"] = originJson(table.origin);
  json["complete"] = table.complete();
  json["combinations"] = table.rows.size();
  json["axes"] = nlohmann::ordered_json::array();
  for (const Axis &axis : table.axes)
    json["axes"].push_back({{"name", axis.name}, {"values", axis.values}});
  json["rows"] = nlohmann::ordered_json::array();
  for (const Row &row : table.rows)
    if (row.exitCode)
      json["rows"].push_back(rowJson(table, row));
  json["host"] = {{"jobs", table.jobs}, {"wall_seconds", table.wallSeconds}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace gnomon::sweep
