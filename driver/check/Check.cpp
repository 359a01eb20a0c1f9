// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Check.h"

#include "draw/Drawing.h"
#include "draw/Quantities.h"
#include "platform/HostFile.h"
#include "support/Error.h"

namespace gnomon::check {

using draw::formatBandwidth, draw::formatBytesRate, draw::formatCount, draw::formatFlops,
    draw::formatSeconds, draw::withoutPlace;
namespace {

/// "bandwidth: not a number" names an attribute in front.
Finding refusal(const InputError &error) {
  Finding finding{Lint::BadInput,
                  error.file(),
                  error.line(),
                  "",
                  withoutPlace(error.what(), error.file(), error.line()),
                  ""};
  const size_t colon = finding.text.find(": ");
  const std::string_view word = std::string_view(finding.text).substr(0, colon);
  if (colon != std::string::npos && !word.empty() &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos) {
    finding.attribute = word;
    finding.text.erase(0, colon + 2);
  }
  return finding;
}

void checkHostFile(const std::string &file, const platform::Platform &platform,
                   Findings &findings) {
  try {
    placeRanks(platform::readHostFile(file), platform, 1);
  } catch (const InputError &error) {
    findings.push_back(refusal(error));
  }
}

} // namespace

Outcome checkPlatform(const std::string &text, const Wishes &wishes, const Algorithms &algorithms) {
  Outcome outcome;
  Checked &checked = outcome.checked;
  checked.file = text;
  try {
    const platform::Platform platform = platform::load(text);
    const Survey routes = survey(platform);
    checked.summary = summarise(platform, routes);
    checked.findings = lint(platform, routes, algorithms);
    if (!wishes.hostFile.empty())
      checkHostFile(wishes.hostFile, platform, checked.findings);
    if (wishes.drawing)
      outcome.svg = draw::draw(platform);
  } catch (const InputError &error) {
    checked.findings.push_back(refusal(error));
  }
  return outcome;
}

} // namespace gnomon::check
