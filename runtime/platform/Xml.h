// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// SimGrid's platform files, DTD 4.1. Read: platform, config, zone (AS) with routing Full, Floyd,
/// Dijkstra, DijkstraCache, Cluster, Vivaldi or None, host, disk, router, peer, link (SHARED,
/// FATPIPE, SPLITDUPLEX), route, zoneRoute (ASroute), bypassRoute, bypassZoneRoute
/// (bypassASroute), link_ctn, cluster (FLAT, TORUS, FAT_TREE, DRAGONFLY), cabinet, backbone,
/// host_link, prop, trace, trace_connect, and the attributes that name files of profiles. Every
/// other element or attribute is an InputError that names it, and where there is one, the remedy
/// (WIFI, actor, storage, include). What has no effect is noted once.
///
/// Differences from SimGrid (more in docs/models.md, section 7): names may be used before they are
/// declared; routes that are missing between hosts are reported when the file is read; Floyd and
/// Dijkstra are both solved by Floyd's algorithm (equal lengths may be broken differently).
#pragma once

#include "platform/Platform.h"

namespace gnomon::platform {

/// Throws InputError with \p file and line.
Platform loadXml(const std::string &text, const std::string &file);

/// The <config> of a file that may have nothing else. Throws InputError with \p file and line.
std::vector<ConfigEntry> loadConfig(const std::string &text, const std::string &file);

} // namespace gnomon::platform
