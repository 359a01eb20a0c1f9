// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The outermost element of a platform file.
#include "platform/Xml.h"

#include "platform/xml/Reading.h"
#include "support/Error.h"

#include <fmt/format.h>

namespace gnomon::platform {

namespace xml {

namespace {

void readConfig(Reading &reading, Element element) {
  Fields(reading.document, element, {"id"}, {"prop"});
  for (Element child : element.children()) {
    Fields prop(reading.document, child, {"id", "value"});
    reading.config.push_back({prop.text("id"), prop.text("value", ""), reading.document.file(),
                              reading.document.line(child)});
  }
}

void readRoot(Reading &reading) {
  Element root = reading.document.root();
  if (root.name() != "platform")
    reading.document.fail(root, "expected the element 'platform', found '" +
                                    std::string(root.name()) + "'");
  Fields platform(reading.document, root, {"version"},
                  {"config", "zone", "AS", "cluster", "trace", "trace_connect", "random"});
  if (std::string version = platform.text("version");
      version != "4" && version != "4.0" && version != "4.1")
    platform.fail("platform version '" + version + "' is not supported; there are 4 and 4.1");
  for (Element child : root.children())
    reading.namesMatter |= child.name() == "trace_connect";
  Element top;
  for (Element child : root.children()) {
    if (child.name() == "config") {
      readConfig(reading, child);
      continue;
    }
    if (child.name() == "random") { // SimGrid reads over it, too
      reading.document.noteOnce(child, "'random' has no effect");
      continue;
    }
    if (child.name() == "trace") {
      readTrace(reading, child);
      continue;
    }
    if (child.name() == "trace_connect") {
      reading.connections.push_back(child);
      continue;
    }
    if (top)
      reading.document.fail(child, "a platform has one outermost zone; put these into one");
    top = child;
    if (child.name() == "cluster")
      readCluster(reading, child, NoIndex);
    else
      readZone(reading, child, NoIndex, 1);
  }
  connectTraces(reading);
}

} // namespace

void Reading::countHosts(Element element, uint64_t more) {
  hostCount += more;
  if (hostCount > MaxHosts)
    document.fail(element,
                  fmt::format("the platform has more than {} hosts, which is the limit", MaxHosts));
}

void readProperties(Reading &reading, Element element) {
  for (Element child : element.children()) {
    if (child.name() != "prop")
      continue;
    Fields prop(reading.document, child, {"id", "value"});
    if (prop.text("id", "") == "remote_disk")
      reading.document.noteOnce(child, "property 'remote_disk' has no effect: files are on the "
                                       "host's own disks, or on those of --io-servers");
    reading.document.noteOnce(child, "properties (<prop>) have no effect", Note::Kind::Properties);
  }
}

} // namespace xml

Platform loadXml(const std::string &text, const std::string &file) {
  xml::Document document(text, file);
  xml::Reading reading(document);
  xml::readRoot(reading);
  if (reading.draft.hosts.empty())
    throw InputError(file, 0, "the platform has no hosts");
  Platform platform = reading.draft.finish(file);
  platform.setConfig(std::move(reading.config));
  platform.setNotes(document.takeNotes());
  return platform;
}

std::vector<ConfigEntry> loadConfig(const std::string &text, const std::string &file) {
  xml::Document document(text, file);
  xml::Reading reading(document);
  xml::readRoot(reading);
  return std::move(reading.config);
}

} // namespace gnomon::platform
