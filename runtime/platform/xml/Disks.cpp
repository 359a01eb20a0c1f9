// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Disks of hosts, with the properties that SimGrid's file systems know: mount, size, content; and
/// one of Gnomon's own, access_latency.
#include "platform/xml/Reading.h"

namespace gnomon::platform::xml {

void readDisk(Reading &reading, Element element, HostIndex host) {
  Fields fields(reading.document, element, {"id", "read_bw", "write_bw"}, {"prop"});
  Disk disk;
  disk.name = fields.text("id", "/");
  disk.host = host;
  disk.readBandwidth = fields.quantity("read_bw", Unit::BytesPerSecond, Least::AboveZero);
  disk.writeBandwidth = fields.quantity("write_bw", Unit::BytesPerSecond, Least::AboveZero);
  disk.mountPoint = "/";
  for (Element child : element.children()) {
    Fields prop(reading.document, child, {"id", "value"});
    const std::string id = prop.text("id");
    if (id == "mount")
      disk.mountPoint = prop.text("value");
    else if (id == "content")
      disk.contentFile = resolveFile(prop, reading.document, "value", prop.text("value"));
    else if (id == "size")
      disk.sizeBytes = prop.quantity("value", Unit::Bytes, Least::AboveZero);
    else if (id == "access_latency")
      disk.latencySeconds = prop.quantity("value", Unit::Seconds, Least::Zero);
    else
      reading.document.noteOnce(child, "property '" + id + "' of a disk has no effect");
  }
  const std::vector<Disk> &others = reading.draft.disks; // those of this host are the last ones
  for (auto other = others.rbegin(); other != others.rend() && other->host == host; ++other)
    if (other->name == disk.name)
      fields.fail("a second disk '" + disk.name + "' of one host");
  reading.draft.disks.push_back(std::move(disk));
}

} // namespace gnomon::platform::xml
