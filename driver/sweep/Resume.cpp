// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/Resume.h"

#include "support/Error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace gnomon::sweep {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

class Earlier {
public:
  Earlier(const Json &json, const std::string &file) : json_(json), file_(file) {}

  size_t into(Table &table) const {
    compare("the kind of input", text(json_, "kind"), table.isTrace ? "trace" : "program");
    compareAxes(table.axes);
    compareOrigin(table.origin);
    std::map<Words, size_t> places;
    for (size_t at = 0; at < table.rows.size(); ++at)
      places[table.rows[at].values] = at;
    size_t taken = 0;
    for (const Json &row : array(json_, "rows")) {
      const auto place = places.find(words(row, "values"));
      if (place == places.end())
        damaged("a row has values that are not among those that are varied");
      if (number(row, "exit_code") == 0 && !member(row, "simulated_time").is_null())
        taken += take(row, table.rows[place->second]);
    }
    return taken;
  }

private:
  [[noreturn]] void refuse(const std::string &what) const {
    throw InputError(file_, 0,
                     "--resume: " + what +
                         "; without --resume the sweep begins anew, and "
                         "replaces the file");
  }
  [[noreturn]] void damaged(const std::string &what) const {
    refuse("this is not what 'gnomon sweep --json' writes: " + what);
  }
  [[noreturn]] void differs(const std::string &what, const std::string &then,
                            const std::string &now) const {
    refuse(fmt::format("what this file has comes from something else: {} was {}, and is {}", what,
                       then, now));
  }
  void compare(const std::string &what, const std::string &then, const std::string &now) const {
    if (then != now)
      differs(what, "'" + then + "'", "'" + now + "'");
  }
  void compareWords(const std::string &what, const Words &then, const Words &now) const {
    if (then != now)
      differs(what, fmt::format("'{}'", fmt::join(then, " ")),
              fmt::format("'{}'", fmt::join(now, " ")));
  }

  const Json &member(const Json &json, const char *key) const {
    if (!json.is_object() || !json.contains(key))
      damaged(fmt::format("'{}' is missing", key));
    return json[key];
  }
  std::string text(const Json &json, const char *key) const {
    const Json &value = member(json, key);
    if (!value.is_string())
      damaged(fmt::format("'{}' is no text", key));
    return value.get<std::string>();
  }
  const Json &array(const Json &json, const char *key) const {
    const Json &value = member(json, key);
    if (!value.is_array())
      damaged(fmt::format("'{}' is no list", key));
    return value;
  }
  Words words(const Json &json, const char *key) const {
    Words words;
    for (const Json &word : array(json, key)) {
      if (!word.is_string())
        damaged(fmt::format("'{}' has more than texts", key));
      words.push_back(word.get<std::string>());
    }
    return words;
  }
  uint64_t number(const Json &json, const char *key) const {
    const Json &value = member(json, key);
    if (!value.is_number_unsigned())
      damaged(fmt::format("'{}' is no whole number", key));
    return value.get<uint64_t>();
  }

  void compareAxes(const std::vector<Axis> &axes) const {
    const Json &then = array(json_, "axes");
    Words names, own;
    for (const Json &axis : then)
      names.push_back(text(axis, "name"));
    for (const Axis &axis : axes)
      own.push_back(axis.name);
    compareWords("what is varied", names, own);
    for (size_t at = 0; at < axes.size(); ++at)
      compareWords(fmt::format("the list of values of {}", axes[at].name),
                   words(then[at], "values"), axes[at].values);
  }

  void compareOrigin(const Origin &origin) const {
    if (!json_.contains("origin"))
      refuse("this file does not say what its rows come from: an earlier version wrote it");
    const Json &then = member(json_, "origin");
    compare("the version", text(then, "gnomon"), origin.gnomon);
    compareWords("the list of options", words(then, "options"), origin.options);
    compareWords("the command", words(then, "arguments"), origin.arguments);
    const Json &files = array(then, "files");
    Words names, own;
    for (const Json &file : files)
      names.push_back(text(file, "name"));
    for (const Origin::File &file : origin.files)
      own.push_back(file.name);
    compareWords("the list of files", names, own);
    for (size_t at = 0; at < origin.files.size(); ++at)
      if (text(files[at], "hash") != origin.files[at].hash)
        refuse(fmt::format("'{}' is another file than the one that these rows come from",
                           origin.files[at].name));
  }

  /// 1; 0 where the row is there already.
  size_t take(const Json &json, Row &row) const {
    const Json &time = member(json, "simulated_time");
    if (!time.is_number() || !(time.get<double>() >= 0))
      damaged("'simulated_time' is no time");
    if (row.exitCode)
      return 0;
    row.exitCode = 0;
    row.result = Row::Result{time.get<double>(), number(json, "ranks"), number(json, "messages"),
                             number(json, "bytes")};
    return 1;
  }

  const Json &json_;
  const std::string &file_;
};

} // namespace

size_t resume(Table &table, const std::string &text, const std::string &file) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    throw InputError(
        file, 0, "--resume: this is not what 'gnomon sweep --json' writes: it is no JSON object");
  return Earlier(json, file).into(table);
}

} // namespace gnomon::sweep
