// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The one file that includes nlohmann-json.
#include "output/Summary.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon::output {
namespace {

std::string toJson(const Summary &summary) {
  nlohmann::ordered_json json = {
      {"simulated_time", summary.simulatedSeconds},
      {"ranks", summary.ranks},
      {"messages", summary.messages},
      {"bytes", summary.bytes},
      {"wall_seconds", summary.wallSeconds},
      {"cpu_seconds", summary.cpuSeconds},
      {"peak_rss_bytes", summary.peakResidentBytes},
      {"exit_code", summary.exitCode},
      {"complete", summary.complete},
  };
  return json.dump(2) + "\n";
}

/// By system calls: libgnomon's own write() and close() belong to the ranks.
bool writeAndClose(int descriptor, std::string_view text) {
  bool good = true;
  while (good && !text.empty()) {
    long written = syscall(SYS_write, descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    good = written > 0;
    if (good)
      text.remove_prefix(static_cast<size_t>(written));
  }
  int saved = errno;
  bool closed = syscall(SYS_close, descriptor) == 0;
  if (!good)
    errno = saved;
  return good && closed;
}

/// /dev/stdout, a pipe: nothing that a rename could replace.
bool isSpecial(const std::string &path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

} // namespace

std::string writeJson(const Summary &summary, const std::string &path) {
  bool direct = isSpecial(path);
  std::string target = direct ? path : path + ".tmp" + std::to_string(syscall(SYS_getpid));
  int descriptor = open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = descriptor >= 0 && writeAndClose(descriptor, toJson(summary));
  if (good && !direct)
    good = rename(target.c_str(), path.c_str()) == 0;
  if (good)
    return {};
  std::string error = "cannot write " + path + ": " + std::strerror(errno);
  if (!direct)
    unlink(target.c_str());
  return error;
}

} // namespace gnomon::output
