// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/ProfileFile.h"

#include "output/File.h"
#include "support/Error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace gnomon::output {
namespace {

using process::burst::Profile;
using process::burst::ProfileBurst;
using process::burst::ProfileRow;
using Json = nlohmann::ordered_json;

constexpr int Version = 1;

/// Reads the members of one object; \p where names it in errors: "bursts[3].rows[0]".
class Reader {
public:
  Reader(const std::string &path, const Json &object, std::string where)
      : path_(path), object_(object), where_(std::move(where)) {
    if (!object.is_object())
      fail("", "must be an object");
  }

  [[noreturn]] void fail(const std::string &field, const std::string &what) const {
    std::string name = where_;
    if (!field.empty())
      name += (name.empty() ? "" : ".") + field;
    throw InputError(path_, 0, (name.empty() ? "the file" : name) + ": " + what);
  }

  bool has(const char *field) const { return object_.contains(field); }
  const Json &member(const char *field) const {
    auto found = object_.find(field);
    if (found == object_.end())
      fail(field, "is missing");
    return *found;
  }
  /// At least \p least.
  double number(const char *field, double least) const {
    const Json &value = member(field);
    if (!value.is_number())
      fail(field, "must be a number");
    const auto result = value.get<double>();
    if (!std::isfinite(result) || result < least)
      fail(field, least < 0 ? "must be -1 or more" : "must be 0 or more");
    return result;
  }
  int64_t integer(const char *field, int64_t least, int64_t most) const {
    const Json &value = member(field);
    if (!value.is_number_integer() || value.get<int64_t>() < least || value.get<int64_t>() > most)
      fail(field, fmt::format("must be a whole number from {} to {}", least, most));
    return value.get<int64_t>();
  }
  std::string text(const char *field) const {
    const Json &value = member(field);
    if (!value.is_string())
      fail(field, "must be a text");
    return value.get<std::string>();
  }
  /// Calls \p read with a Reader for each element of a list of objects.
  template <class Read> void each(const char *field, Read read) const {
    const Json &list = member(field);
    if (!list.is_array())
      fail(field, "must be a list");
    for (size_t i = 0; i < list.size(); ++i)
      read(Reader(path_, list[i],
                  fmt::format("{}{}{}[{}]", where_, where_.empty() ? "" : ".", field, i)));
  }

private:
  const std::string &path_;
  const Json &object_;
  std::string where_;
};

/// Makes the document, and tells the line of what is wrong with it.
class Builder : public nlohmann::detail::json_sax_dom_parser<Json> {
public:
  Builder(Json &made, const std::string &path, const std::string &text)
      : json_sax_dom_parser(made), path_(path), text_(text) {}

  template <class Error>
  [[noreturn]] bool parse_error(size_t byte, const std::string &token, const Error &error) {
    const size_t end = std::min(byte, text_.size());
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(end), '\n');
    const bool range = std::is_same_v<Error, Json::out_of_range>;
    throw InputError(path_, static_cast<int>(line),
                     range ? fmt::format("'{}' is out of range", token.substr(0, 80))
                           : "this is not JSON as --record-profile writes it");
  }

private:
  const std::string &path_, &text_;
};

ProfileRow readRow(const Reader &reader) {
  ProfileRow row;
  row.bucket = static_cast<int>(reader.integer("bucket", -1, 64));
  row.warmth = static_cast<int>(reader.integer("warmth", -1, 2));
  row.instances = static_cast<uint64_t>(reader.integer("instances", 0, INT64_MAX));
  row.secondsPerWork = reader.number("seconds_per_work", -1);
  row.secondsPerInstruction = reader.number("seconds_per_instruction", -1);
  row.spread = reader.number("spread", 0);
  return row;
}

ProfileBurst readBurst(const Reader &reader) {
  ProfileBurst burst;
  burst.key.name = reader.text("name");
  burst.key.file = reader.text("file");
  burst.key.function = reader.text("function");
  burst.key.line = static_cast<uint32_t>(reader.integer("line", 0, UINT32_MAX));
  burst.key.ordinal = static_cast<uint32_t>(reader.integer("ordinal", 0, UINT32_MAX));
  // Profiles of earlier versions lack it.
  if (reader.has("memory_share")) {
    burst.memoryShare = reader.number("memory_share", -1);
    if (burst.memoryShare > 1)
      reader.fail("memory_share", "must be 1 or less");
  }
  reader.each("rows", [&](const Reader &row) { burst.rows.push_back(readRow(row)); });
  return burst;
}

} // namespace

Profile readProfile(const std::string &path) {
  const std::string text = readFile(path);
  Json json;
  Builder builder(json, path, text);
  Json::sax_parse(text, &builder);
  const Reader reader(path, json, "");
  if (reader.integer("gnomon_profile", 0, INT64_MAX) != Version)
    reader.fail(
        "gnomon_profile",
        fmt::format("this version of gnomon reads version {}; record the profile again", Version));
  Profile profile;
  profile.path = path;
  profile.program = reader.text("program");
  profile.hostSpeedFlops = reader.number("host_speed_flops", 0);
  if (profile.hostSpeedFlops == 0)
    reader.fail("host_speed_flops", "must be more than 0");
  profile.gapSecondsPerInstruction = reader.number("gap_seconds_per_instruction", 0);
  profile.meanSecondsPerInstruction = reader.number("mean_seconds_per_instruction", 0);
  profile.meanSecondsPerWork = reader.number("mean_seconds_per_work", 0);
  reader.each("bursts", [&](const Reader &burst) { profile.bursts.push_back(readBurst(burst)); });
  return profile;
}

std::string profileJson(const Profile &profile) {
  Json bursts = Json::array();
  for (const ProfileBurst &burst : profile.bursts) {
    Json rows = Json::array();
    for (const ProfileRow &row : burst.rows)
      rows.push_back({{"bucket", row.bucket},
                      {"warmth", row.warmth},
                      {"instances", row.instances},
                      {"seconds_per_work", row.secondsPerWork},
                      {"seconds_per_instruction", row.secondsPerInstruction},
                      {"spread", row.spread}});
    bursts.push_back({{"function", burst.key.function},
                      {"file", burst.key.file},
                      {"line", burst.key.line},
                      {"ordinal", burst.key.ordinal},
                      {"name", burst.key.name},
                      {"memory_share", burst.memoryShare},
                      {"rows", std::move(rows)}});
  }
  const Json json = {{"gnomon_profile", Version},
                     {"program", profile.program},
                     {"host_speed_flops", profile.hostSpeedFlops},
                     {"gap_seconds_per_instruction", profile.gapSecondsPerInstruction},
                     {"mean_seconds_per_instruction", profile.meanSecondsPerInstruction},
                     {"mean_seconds_per_work", profile.meanSecondsPerWork},
                     {"bursts", std::move(bursts)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gnomon::output
