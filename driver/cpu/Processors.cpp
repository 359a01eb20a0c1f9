// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/Processors.h"

#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <set>

namespace gnomon::cpu {
namespace {

std::string modelName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name") && line.find(':') != std::string::npos) {
      const size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
      return begin == std::string::npos ? "" : line.substr(begin);
    }
  return "unknown";
}

std::vector<int> allowedNumbers() {
  std::vector<int> numbers;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &set))
        numbers.push_back(i);
  return numbers.empty() ? std::vector<int>{0} : numbers;
}

std::vector<int> siblingsOf(int number) {
  std::ifstream file(
      fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", number));
  std::string text;
  std::getline(file, text);
  std::vector<int> siblings = readProcessorList(text);
  return siblings.empty() ? std::vector<int>{number} : siblings;
}

/// What one core sees of the cache of \p level. sysconf would say the sum of a machine's.
uint64_t cacheBytes(int number, int level) {
  uint64_t bytes = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string place =
        fmt::format("/sys/devices/system/cpu/cpu{}/cache/index{}/", number, index);
    std::ifstream levelFile(place + "level"), sizeFile(place + "size");
    int found = 0;
    uint64_t kibibytes = 0; // written as 32768K
    if (levelFile >> found && found == level && sizeFile >> kibibytes)
      bytes = std::max(bytes, kibibytes * 1024);
  }
  return bytes;
}

} // namespace

std::vector<int> readProcessorList(const std::string &text) {
  std::vector<int> result;
  try {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      const std::string part = text.substr(begin, end - begin);
      const size_t dash = part.find('-');
      const uint64_t first = parseInteger(part.substr(0, dash));
      const uint64_t last = dash == std::string::npos ? first : parseInteger(part.substr(dash + 1));
      for (uint64_t i = first; i <= last && i < CPU_SETSIZE; ++i)
        result.push_back(static_cast<int>(i));
      begin = end + 1;
    }
  } catch (const NumberError &) {
    return {};
  }
  return result;
}

std::vector<int> coresFirst(const std::vector<int> &numbers,
                            const std::vector<std::vector<int>> &siblings, int &cores) {
  std::vector<int> first, others;
  std::set<int> seen;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const bool isNew = !seen.contains(numbers[i]);
    (isNew ? first : others).push_back(numbers[i]);
    seen.insert(siblings[i].begin(), siblings[i].end());
  }
  cores = static_cast<int>(first.size());
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

Processors processorsOfThisHost() {
  Processors result;
  result.model = modelName();
  const std::vector<int> numbers = allowedNumbers();
  std::vector<std::vector<int>> siblings;
  for (const int number : numbers)
    siblings.push_back(siblingsOf(number));
  result.numbers = coresFirst(numbers, siblings, result.cores);
  result.l2Bytes = cacheBytes(numbers[0], 2);
  result.l3Bytes = cacheBytes(numbers[0], 3);
  return result;
}

} // namespace gnomon::cpu
