// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/InputCheck.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::process::burst {
namespace {

/// "the file a", "the files a, b and 3 more".
std::string theFiles(const std::vector<std::string> &names) {
  constexpr size_t Most = 5;
  const bool isOne = names.size() == 1 && filesNamed(names[0]) == 0;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), Most); ++i)
    text += (i ? ", " : "") + names[i];
  if (names.size() > Most)
    text += fmt::format(" and {} more", names.size() - Most);
  return fmt::format("the {} {}", isOne ? "file" : "files", text);
}

bool areMany(const std::vector<std::string> &names) {
  return names.size() > 1 || filesNamed(names[0]) > 0;
}

} // namespace

std::vector<std::string> InputDifferences::sentences() const {
  constexpr const char *So = "what is given is an assumption";
  std::vector<std::string> all;
  auto add = [&](const std::vector<std::string> &names, const char *ofOne, const char *ofMany) {
    if (!names.empty())
      all.push_back(fmt::format("{} {}: {}", theFiles(names), areMany(names) ? ofMany : ofOne, So));
  };
  add(changed, "differs from the one recorded", "differ from those recorded");
  add(missing, "was read when decisions were recorded, and is not there",
      "were read when decisions were recorded, and are not there, or not all");
  add(unrecorded, "was not read when decisions were recorded",
      "were not read when decisions were recorded");
  add(unread, "was read when decisions were recorded, and is not read now",
      "were read when decisions were recorded, and are not read now, or not all");
  return all;
}

InputCheck::InputCheck(const std::vector<InputLog> &recorded) {
  for (const InputLog &log : recorded) {
    Recorded one{log.path, State::Same, {}};
    std::vector<FileContents> now;
    for (const std::string &path : pathsOf(log)) {
      FileKey key;
      const std::optional<FileContents> contents = contentsOf(path, &key);
      if (!contents) {
        one.state = State::Missing;
        continue;
      }
      now.push_back(*contents);
      one.keys.push_back(key);
      keys_.insert(key);
    }
    if (one.state == State::Same && together(now) != log.contents)
      one.state = State::Changed;
    recorded_.push_back(std::move(one));
  }
}

InputDifferences InputCheck::before() const {
  InputDifferences found;
  for (const Recorded &one : recorded_)
    if (one.state == State::Changed)
      found.changed.push_back(one.path);
    else if (one.state == State::Missing)
      found.missing.push_back(one.path);
  return found;
}

InputDifferences InputCheck::after(const std::vector<InputFile> &files) const {
  std::set<FileKey> read;
  InputDifferences found;
  for (const InputFile &file : files) {
    read.insert(file.key);
    if (!knows(file))
      found.unrecorded.push_back(file.path);
  }
  for (const Recorded &one : recorded_) {
    const bool isRead = std::all_of(one.keys.begin(), one.keys.end(),
                                    [&](const FileKey &key) { return read.contains(key); });
    if (one.state == State::Missing)
      found.missing.push_back(one.path);
    else if (!isRead)
      found.unread.push_back(one.path);
    else if (one.state == State::Changed)
      found.changed.push_back(one.path);
  }
  return found;
}

} // namespace gnomon::process::burst
