// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Routes as text, for tests: "a_UP backbone b_DOWN".
#pragma once

#include "platform/Platform.h"
#include "platform/Xml.h"

#include <string>

inline std::string routeText(const gnomon::platform::Platform &platform, const char *from,
                             const char *to) {
  gnomon::platform::Route route;
  platform.route(platform.findHost(from).value(), platform.findHost(to).value(), route);
  std::string text;
  for (auto link : route.links)
    text += (text.empty() ? "" : " ") + platform.links()[link].name.str();
  return text;
}

/// A platform from what stands inside `<platform>`.
inline gnomon::platform::Platform inPlatform(const std::string &content) {
  return gnomon::platform::loadXml("<platform version=\"4.1\">\n" + content + "</platform>\n",
                                   "test.xml");
}
