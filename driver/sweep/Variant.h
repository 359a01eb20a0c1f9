// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A platform with all links, or all hosts, faster or slower: the same text with other figures.
#pragma once

#include <string>
#include <vector>

namespace gnomon::sweep {

/// Factors: of all links' bandwidths and latencies, and of all hosts' speeds.
struct Scale {
  double bandwidth = 1, latency = 1, speed = 1;
  bool changes() const { return bandwidth != 1 || latency != 1 || speed != 1; }
};

/// A one-line platform such as `cluster:n=64,bw=10Gbps,lat=2us`. What cannot be read stays, for the
/// run to say so.
std::string scaledLine(const std::string &line, const Scale &scale);

/// Whether \p platform is one line, and no file.
bool isOneLine(const std::string &platform);

/// \p text is SimGrid's XML: links, the links of clusters, cabinets, backbones and peers, hosts and
/// theirs. Loopbacks and limiters are links. Disks, and what <config> sets, stay. Throws InputError
/// with \p file where figures come from profiles, which are absolute.
std::string scaledXml(const std::string &text, const std::string &file, const Scale &scale);

/// The files with profiles that \p text, SimGrid's XML, names (`availability_file="a.txt"`,
/// `<trace file="…">`), as it names them. Of what is no XML, none.
std::vector<std::string> profilesOf(const std::string &text);

/// The default platform of docs/models.md as one line.
std::string defaultLine(const std::string &hosts, const std::string &speed);

} // namespace gnomon::sweep
