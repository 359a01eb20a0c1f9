// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Profiles of links and hosts: trace, trace_connect, and the attributes that name a file.
#include "platform/FileText.h"
#include "platform/xml/Reading.h"
#include "support/Error.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace gnomon::platform::xml {

namespace {

bool fits(ProfileKind kind, double value) {
  return kind != ProfileKind::Bandwidth || value >= LeastRate;
}

/// Puts the profile to work on links or hosts of consecutive positions of \p targets.
void use(Reading &reading, Element element, ProfileKind kind, uint32_t profile,
         std::span<const uint32_t> targets) {
  const Profile &found = reading.draft.profiles[profile];
  for (const Profile::Step &step : found.steps)
    if (!fits(kind, step.value))
      throw InputError(
          found.file, step.line,
          fmt::format("profile: a bandwidth must be above zero, {} bytes/s or more; to cut a link "
                      "off, give it a profile of its state",
                      formatNumber(LeastRate)));
  if (found.periodSeconds > 0 && kind == ProfileKind::Speed &&
      std::all_of(found.steps.begin(), found.steps.end(),
                  [](const Profile::Step &step) { return step.value == 0; }))
    throw InputError(found.file, found.steps.back().line,
                     "profile: a speed that stays zero for ever: nothing would end");
  for (uint32_t target : targets) {
    const ProfileUse made{kind, target, profile};
    if (!reading.profiled.insert(uint64_t{target} << 8 | static_cast<uint8_t>(kind)).second)
      reading.document.fail(element, "a second profile of the same kind for '" +
                                         reading.draft.profileTargetName(made) + "'");
    reading.draft.profileUses.push_back(made);
  }
}

uint32_t addProfile(Reading &reading, Profile profile) {
  reading.draft.profiles.push_back(std::move(profile));
  return static_cast<uint32_t>(reading.draft.profiles.size() - 1);
}

std::vector<uint32_t> linksOf(const NamedLink &link) {
  return link.splitDuplex ? std::vector<uint32_t>{link.up, link.down} : std::vector{link.up};
}

void connect(Reading &reading, Element element) {
  Fields fields(reading.document, element, {"kind", "trace", "element"});
  const std::string name = fields.text("kind", "HOST_AVAIL"), trace = fields.text("trace");
  struct Entry {
    std::string_view name;
    ProfileKind kind;
  };
  static constexpr Entry Kinds[] = {{"HOST_AVAIL", ProfileKind::HostState},
                                    {"SPEED", ProfileKind::Speed},
                                    {"LINK_AVAIL", ProfileKind::LinkState},
                                    {"BANDWIDTH", ProfileKind::Bandwidth},
                                    {"LATENCY", ProfileKind::Latency}};
  const auto *entry = std::find_if(std::begin(Kinds), std::end(Kinds),
                                   [&](const Entry &known) { return known.name == name; });
  if (entry == std::end(Kinds))
    fields.fail("kind: unknown '" + name +
                "'; there are HOST_AVAIL, SPEED, LINK_AVAIL, BANDWIDTH and LATENCY");
  auto found = reading.traces.find(trace);
  if (found == reading.traces.end())
    fields.fail("unknown trace '" + trace + "'");
  if (entry->kind != ProfileKind::Speed && entry->kind != ProfileKind::HostState)
    return use(reading, element, entry->kind, found->second,
               linksOf(reading.symbols.link(fields, "element")));
  const HostIndex host = reading.draft.zones->hostAt(reading.symbols.point(fields, "element"));
  if (host == NoIndex)
    fields.fail("'" + fields.text("element") + "' is not a host");
  use(reading, element, entry->kind, found->second, std::span(&host, 1));
}

} // namespace

std::string resolveFile(const Fields &fields, const Document &document, const char *attribute,
                        const std::string &name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::path(document.file()).parent_path();
  // A file of somebody else must not make this machine's files be read, whose lines messages quote.
  for (const fs::path &base : {folder.empty() ? fs::path(".") : folder, fs::path(".")}) {
    if (!fs::exists(base / name, ignored))
      continue;
    const fs::path path = fs::canonical(base / name, ignored), tree = fs::canonical(base, ignored);
    if (std::mismatch(tree.begin(), tree.end(), path.begin(), path.end()).first != tree.end())
      fields.fail(std::string(attribute) + ": '" + name +
                  "' is outside the folder of the platform file; put it there");
    return base == "." ? name : (base / name).string();
  }
  return name;
}

void readTrace(Reading &reading, Element element) {
  Fields fields(reading.document, element, {"id", "file", "periodicity"}, {},
                Fields::Text::Allowed);
  const std::string id = fields.text("id"), file = fields.text("file", "");
  const std::string body = element.text();
  Profile profile;
  if (!file.empty()) {
    const std::string path = resolveFile(fields, reading.document, "file", file);
    profile = parseProfile(readText(path), path, 1, 0);
  } else if (body.find_first_not_of(" \t\r\n") != std::string::npos) {
    const std::string periodicity = fields.text("periodicity", "0");
    double period = 0;
    try {
      period = periodicity.starts_with('-') ? 0 : parseNumber(periodicity);
    } catch (const NumberError &error) {
      fields.fail("periodicity: " + std::string(error.what()));
    }
    profile =
        parseProfile(body, reading.document.file(), reading.document.textLine(element), period);
  } else {
    fields.fail("'trace' needs the attribute 'file', or steps inside it");
  }
  if (!reading.traces.try_emplace(id, addProfile(reading, std::move(profile))).second)
    fields.fail("a second trace named '" + id + "'");
}

void connectTraces(Reading &reading) {
  for (Element element : reading.connections)
    connect(reading, element);
}

void readProfileFile(Reading &reading, Fields &fields, const char *attribute, ProfileKind kind,
                     std::span<const uint32_t> targets) {
  const std::string file = fields.text(attribute, "");
  if (file.empty())
    return;
  const std::string path = resolveFile(fields, reading.document, attribute, file);
  std::string text;
  try {
    text = readText(path);
  } catch (const InputError &error) {
    fields.fail(std::string(attribute) + ": " + error.what());
  }
  use(reading, fields.element(), kind, addProfile(reading, parseProfile(text, path, 1, 0)),
      targets);
}

void readHostProfiles(Reading &reading, Fields &fields, PointIndex point) {
  const HostIndex host = reading.draft.zones->hostAt(point);
  readProfileFile(reading, fields, "speed_file", ProfileKind::Speed, std::span(&host, 1));
  if (fields.text("speed_file", "").empty()) // the old name
    readProfileFile(reading, fields, "availability_file", ProfileKind::Speed, std::span(&host, 1));
  readProfileFile(reading, fields, "state_file", ProfileKind::HostState, std::span(&host, 1));
}

} // namespace gnomon::platform::xml
