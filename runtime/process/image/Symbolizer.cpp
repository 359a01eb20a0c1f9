// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/Symbolizer.h"

#include "process/image/Programs.h"
#include "process/image/Real.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <map>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gnomon::process {
namespace {

struct Place {
  std::string module; ///< path of the loaded file
  uintptr_t offset;   ///< in the file's own address space
};

struct PlaceSearch {
  uintptr_t address;
  Place place;
};

int findPlace(dl_phdr_info *info, size_t, void *data) {
  auto *search = static_cast<PlaceSearch *>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &header = info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || search->address < begin ||
        search->address >= begin + header.p_memsz)
      continue;
    search->place = {*info->dlpi_name ? originalFile(info->dlpi_name) : "/proc/self/exe",
                     search->address - info->dlpi_addr};
    return 1;
  }
  return 0;
}

std::string realPath(const std::string &path) {
  char buffer[4096];
  ssize_t length = readlink(path.c_str(), buffer, sizeof buffer);
  return length > 0 ? std::string(buffer, static_cast<size_t>(length)) : path;
}

std::string demangle(const char *name) {
  int status = 0;
  char *plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && plain ? plain : name;
  free(plain);
  return result;
}

std::string fromDynamicSymbols(uintptr_t address) {
  Dl_info info{};
  char text[64];
  if (dladdr(reinterpret_cast<void *>(address), &info) && info.dli_sname) {
    std::snprintf(text, sizeof text, "+0x%zx",
                  static_cast<size_t>(address - reinterpret_cast<uintptr_t>(info.dli_saddr)));
    return demangle(info.dli_sname) + text;
  }
  std::snprintf(text, sizeof text, "0x%zx", static_cast<size_t>(address));
  return text;
}

constexpr double HelperSeconds = 30;
std::atomic<double> helpersUntil{__builtin_huge_val()};
/// Also its process group: what it starts itself ends with it.
std::atomic<pid_t> helper{0};

double monotonicSeconds() {
  timespec now{};
  GNOMON_REAL(clock_gettime)(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Starts a program whose standard output is \p output; 0 when it cannot be started.
pid_t startHelper(std::vector<std::string> command, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char *> arguments;
  for (std::string &word : command)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ) != 0)
    child = 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

/// Everything up to the end, or nothing when that does not come before \p until.
std::string readBefore(double until, int descriptor) {
  std::string output;
  char buffer[4096];
  for (;;) {
    const double left = until - monotonicSeconds();
    pollfd readable{descriptor, POLLIN, 0};
    const int ready =
        left > 0 ? GNOMON_REAL(poll)(&readable, 1, static_cast<int>(left * 1000) + 1) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return {};
    const ssize_t got = GNOMON_REAL(read)(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return output;
    output.append(buffer, static_cast<size_t>(got));
  }
}

/// Standard output of a child process; empty when the program cannot be started, or has not ended
/// in time.
std::string outputOf(const std::vector<std::string> &command) {
  const double until = std::min(monotonicSeconds() + HelperSeconds, helpersUntil.load());
  int pipeEnds[2];
  if (monotonicSeconds() >= until || pipe2(pipeEnds, O_CLOEXEC) != 0)
    return {};
  const pid_t child = startHelper(command, pipeEnds[1]);
  const pid_t interrupted = helper.exchange(child); // a report in the middle of another one
  GNOMON_REAL(close)(pipeEnds[1]);
  std::string output;
  if (child != 0)
    output = readBefore(until, pipeEnds[0]);
  GNOMON_REAL(close)(pipeEnds[0]);
  if (child != 0) {
    endHelper();
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
      continue;
  }
  helper.store(interrupted);
  return output;
}

std::string hexadecimal(uintptr_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<size_t>(value));
  return text;
}

std::vector<std::string> splitLines(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// "dir/dir/file.c:12:7" to "file.c:12"; empty when the line is not known.
std::string shortPlace(std::string place) {
  if (size_t discriminator = place.find(" ("); discriminator != std::string::npos)
    place.resize(discriminator);
  if (place.empty() || place[0] == '?')
    return {};
  place = place.substr(place.rfind('/') + 1);
  size_t first = place.find(':');
  size_t second = first == std::string::npos ? first : place.find(':', first + 1);
  if (second != std::string::npos)
    place.resize(second);
  if (first != std::string::npos && (place.substr(first + 1) == "0" || place[first + 1] == '?'))
    return {};
  return place;
}

/// Of code without line tables: its function. What stands at the edges of a program's code is the
/// last name before all that has none: then the place in the file, and what would tell more.
std::string withoutLine(const std::string &function, const std::string &path, uintptr_t offset) {
  if (function != "_init" && function != "_fini" && function != "_start")
    return "an unknown line in " + function;
  return path.substr(path.rfind('/') + 1) + "+" + hexadecimal(offset) +
         " (compile with -g, and link without -s, to see the line)";
}

/// What the link adds to the name of a static function whose module it cuts (docs/adr/0018):
/// "step.llvm.123"; demangled "step(int) (.llvm.123)" or "step(int) [clone .llvm.123]".
std::string withoutLinkNumber(std::string name) {
  constexpr std::string_view Mark = ".llvm.";
  size_t begin = name.find(Mark);
  if (begin == std::string::npos)
    return name;
  size_t end = std::min(name.find_first_not_of("0123456789", begin + Mark.size()), name.size());
  if (end == begin + Mark.size())
    return name;
  for (const std::string_view open : {" (", " [clone "})
    if (begin >= open.size() && name.compare(begin - open.size(), open.size(), open) == 0) {
      begin -= open.size();
      end = std::min(end + 1, name.size());
    }
  return name.erase(begin, end - begin);
}

/// As the source has it.
std::string functionName(const std::string &symbol) {
  std::string name = withoutLinkNumber(symbol);
  return name == "gnomon.main" ? "main" : name; // the pass's name for the program's main
}

/// Both tools print two lines per address: the function, then file:line.
std::vector<std::string> askTool(const std::string &module, const std::vector<uintptr_t> &offsets) {
  std::string path = realPath(module);
  const std::vector<std::vector<std::string>> tools = {
      {"llvm-symbolizer-22", "--no-inlines", "--output-style=GNU", "--functions=linkage", "-C",
       "--obj=" + path},
      {"addr2line", "-f", "-C", "-e", path},
  };
  for (std::vector<std::string> command : tools) {
    for (uintptr_t offset : offsets)
      command.push_back(hexadecimal(offset));
    std::vector<std::string> lines = splitLines(outputOf(command));
    if (lines.size() < 2 * offsets.size())
      continue;
    std::vector<std::string> result;
    for (size_t i = 0; i < offsets.size(); ++i) {
      std::string place = shortPlace(lines[2 * i + 1]);
      std::string function = functionName(lines[2 * i]);
      bool known = !function.empty() && function[0] != '?';
      if (!place.empty())
        result.push_back(known ? place + " in " + function : place);
      else
        result.push_back(known ? withoutLine(function, path, offsets[i]) : "");
    }
    return result;
  }
  return std::vector<std::string>(offsets.size());
}

} // namespace

void limitHelpers(double wallSeconds) { helpersUntil.store(wallSeconds); }

bool helperRuns() { return helper.load() != 0; }

void endHelper() {
  if (const pid_t running = helper.load())
    syscall(SYS_kill, -running, SIGKILL);
}

std::vector<std::string> describe(std::span<const CodeAddress> addresses) {
  std::vector<std::string> result(addresses.size());
  std::map<std::string, std::vector<size_t>> byModule;
  std::vector<uintptr_t> offsets(addresses.size());
  for (size_t i = 0; i < addresses.size(); ++i) {
    auto address = reinterpret_cast<uintptr_t>(addresses[i].address);
    PlaceSearch search{address - (addresses[i].isReturn && address ? 1 : 0), {}};
    if (!address || !dl_iterate_phdr(findPlace, &search))
      continue;
    offsets[i] = search.place.offset;
    byModule[search.place.module].push_back(i);
  }
  for (const auto &[module, indices] : byModule) {
    std::vector<uintptr_t> asked;
    for (size_t index : indices)
      asked.push_back(offsets[index]);
    std::vector<std::string> texts = askTool(module, asked);
    for (size_t i = 0; i < indices.size(); ++i)
      result[indices[i]] = texts[i];
  }
  for (size_t i = 0; i < addresses.size(); ++i)
    if (result[i].empty())
      result[i] = addresses[i].address
                      ? fromDynamicSymbols(reinterpret_cast<uintptr_t>(addresses[i].address))
                      : "an unknown place";
  return result;
}

std::string describe(const void *returnAddress) {
  CodeAddress one{returnAddress, true};
  return describe(std::span(&one, 1))[0];
}

} // namespace gnomon::process
