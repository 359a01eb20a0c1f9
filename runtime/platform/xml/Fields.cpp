// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/xml/Fields.h"

#include "platform/Draft.h"
#include "support/Names.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::platform::xml {

namespace {

/// A latency above this is more likely a mistaken unit than a link.
constexpr double StrangeLatencySeconds = 60;

const char *bareUnit(Unit unit) {
  switch (unit) {
  case Unit::Seconds:
    return "seconds";
  case Unit::BytesPerSecond:
    return "bytes/s";
  default:
    return "flop/s";
  }
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// For elements that SimGrid has or once had.
std::string remedy(std::string_view element) {
  if (element == "actor" || element == "process")
    return ": programs are started by `gnomon run -n N`; take it out of the platform";
  if (element == "storage" || element == "storage_type" || element == "mount")
    return ": SimGrid removed it in version 3.27; write a disk inside the host";
  if (element == "include")
    return ": SimGrid removed it in version 3.18; put the included lines here";
  return "";
}

/// Cuts the text before the next comma off.
std::string_view takeItem(std::string_view &list) {
  std::string_view item = list.substr(0, list.find(','));
  list.remove_prefix(std::min(list.size(), item.size() + 1));
  return item;
}

} // namespace

Fields::Fields(Document &document, Element element, Names attributes, Names children, Text text)
    : document_(document), element_(element) {
  for (Attribute attribute = element.firstAttribute(); attribute; attribute = attribute.next()) {
    for (Attribute later = attribute.next(); later; later = later.next())
      if (later.name() == attribute.name())
        fail("attribute " + quoted(attribute.name()) + " of " + quoted(element.name()) +
             " stands twice");
    if (std::find(attributes.begin(), attributes.end(), attribute.name()) == attributes.end())
      fail("attribute " + quoted(attribute.name()) + " of " + quoted(element.name()) +
           " is not supported" +
           didYouMean(attribute.name(), std::vector<std::string_view>(attributes)));
  }
  checkChildren(children, text);
}

void Fields::checkChildren(Names supported, Text text) const {
  if (text == Text::Refused && element_.hasText())
    fail("text inside " + quoted(element_.name()) + " is not understood");
  for (Element child : element_.children())
    if (std::find(supported.begin(), supported.end(), child.name()) == supported.end())
      document_.fail(child, "element " + quoted(child.name()) + " is not supported in " +
                                quoted(element_.name()) + remedy(child.name()));
}

std::string Fields::text(const char *attribute) const {
  const char *found = element_.attribute(attribute);
  if (!found || !*found)
    fail(quoted(element_.name()) + " needs the attribute " + quoted(attribute));
  return found;
}

std::string Fields::text(const char *attribute, const char *fallback) const {
  const char *found = element_.attribute(attribute);
  return found ? found : fallback;
}

double Fields::quantity(const char *attribute, Unit unit, Least least) {
  const std::string value = text(attribute);
  Quantity parsed;
  try {
    parsed = parseQuantity(value, unit);
  } catch (const NumberError &error) {
    fail(std::string(attribute) + ": " + error.what());
  }
  if (least == Least::AboveZero && parsed.value <= 0)
    fail(std::string(attribute) + ": must be above zero, found " + quoted(value));
  if (!parsed.hadUnit)
    note(Note::Kind::NoUnit, attribute,
         "\"" + value + "\" has no unit, taken in " + bareUnit(unit));
  if (unit == Unit::Seconds && parsed.value > StrangeLatencySeconds)
    note(Note::Kind::Strange, attribute, "\"" + value + "\" is more than a minute: is that meant?");
  return parsed.value;
}

double Fields::quantity(const char *attribute, Unit unit, Least least, double fallback) {
  return has(attribute) ? quantity(attribute, unit, least) : fallback;
}

double Fields::speed() {
  const std::string list = text("speed");
  uint64_t wanted = 0;
  try {
    const std::string pstate = text("pstate", "0");
    wanted = parseInteger(std::string_view(pstate).substr(0, pstate.find('.'))); // DTD: "0.0"
    std::string_view rest = list;
    if (list.find(',') != std::string::npos)
      document_.noteOnce(element_, "of a list of speeds only the one that pstate selects (the "
                                   "first by default) has an effect");
    for (uint64_t i = 0; !rest.empty(); ++i) {
      std::string_view item = takeItem(rest);
      item.remove_prefix(std::min(item.size(), item.find_first_not_of(' ')));
      Quantity parsed = parseQuantity(item, Unit::FlopsPerSecond);
      if (parsed.value <= 0)
        fail("speed: must be above zero, found " + quoted(list));
      if (i != wanted)
        continue;
      if (!parsed.hadUnit)
        note(Note::Kind::NoUnit, "speed", "\"" + list + "\" has no unit, taken in flop/s");
      return parsed.value;
    }
  } catch (const NumberError &error) {
    fail(std::string("speed: ") + error.what());
  }
  fail(fmt::format("pstate: there is no speed number {} in {}", wanted, quoted(list)));
}

uint32_t Fields::cores() const {
  constexpr uint64_t MaxCores = 1 << 20;
  uint64_t count = 0;
  try {
    count = parseInteger(text("core", "1"));
  } catch (const NumberError &error) {
    fail(std::string("core: ") + error.what());
  }
  if (count == 0 || count > MaxCores)
    fail(fmt::format("core: must be between 1 and {}", MaxCores));
  return static_cast<uint32_t>(count);
}

Sharing Fields::sharing(const std::string &value) const {
  if (value == "SHARED")
    return Sharing::Shared;
  if (value == "FATPIPE")
    return Sharing::FatPipe;
  if (value == "WIFI")
    fail("sharing_policy: 'WIFI' is not supported: there is no model of wireless networks; take "
         "SHARED and the rate that the stations get together");
  fail("sharing_policy: " + quoted(value) +
       " is not supported; there are SHARED, FATPIPE and, for links and clusters, SPLITDUPLEX");
}

std::vector<uint64_t> Fields::radical() const {
  const std::string list = text("radical");
  std::vector<uint64_t> numbers;
  std::string_view rest = list;
  while (!rest.empty()) {
    std::string_view item = takeItem(rest);
    size_t dash = item.find('-');
    uint64_t first = 0, last = 0;
    try {
      first = parseInteger(item.substr(0, dash));
      last = dash == std::string_view::npos ? first : parseInteger(item.substr(dash + 1));
    } catch (const NumberError &error) {
      fail("radical: " + std::string(error.what()) + " in " + quoted(list));
    }
    if (last < first)
      fail("radical: the range " + quoted(item) + " runs backwards");
    if (last - first >= MaxHosts || numbers.size() + (last - first) >= MaxHosts)
      fail(fmt::format("radical: {} makes more than {} hosts, which is the limit", quoted(list),
                       MaxHosts));
    for (uint64_t i = 0; i <= last - first; ++i) // last may be the greatest number there is
      numbers.push_back(first + i);
  }
  return numbers;
}

} // namespace gnomon::platform::xml
