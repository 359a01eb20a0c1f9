// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether there is memory for so many ranks, before any of them is made: else the kernel would end
/// the process without a word.
#include "launch/RankOptions.h"
#include "launch/Setup.h"
#include "process/image/Image.h"
#include "process/image/Modules.h"
#include "process/ranks/Memory.h"
#include "support/Error.h"

#include <fmt/format.h>

namespace gnomon::launch {
namespace {

/// A rank's globals: all of them, and the pages that are filled in when it is made; and the pages of
/// initial values that all ranks together have in common.
struct Globals {
  uint64_t bytes = 0, filledBytes = 0, commonBytes = 0;
};

Globals globals(uint32_t ranks) {
  Globals all;
  for (const gnomon_module *module : process::modules()) {
    all.bytes += static_cast<uint64_t>(module->private_end - module->private_begin);
    const process::InitialBytes initial = process::initialBytes(*module, ranks);
    all.filledBytes += initial.each;
    all.commonBytes += initial.together;
  }
  return all;
}

std::string sizeText(double bytes) {
  constexpr double KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
  if (bytes >= GiB)
    return fmt::format("{:.3g} GiB", bytes / GiB);
  return bytes >= MiB ? fmt::format("{:.3g} MiB", bytes / MiB)
                      : fmt::format("{:.3g} KiB", bytes / KiB);
}

[[noreturn]] void refuse(size_t ranks, double needed, const std::string &parts, double free,
                         const std::string &source, const char *remedy) {
  throw InputError("", 0,
                   fmt::format("cannot simulate {} ranks: they need {} at the least ({}), and {} "
                               "{} free; {}",
                               ranks, sizeText(needed), parts, source, sizeText(free), remedy));
}

} // namespace

void checkMemory(const Options &options) {
  const size_t ranks = rankCount(options);
  if (ranks < 2)
    return;
  const auto count = static_cast<double>(ranks);
  const Globals own = globals(static_cast<uint32_t>(ranks));
  const process::FreeMemory memory = process::freeMemory();
  const auto free = static_cast<double>(memory.bytes);
  using process::LeastStackBytes, process::LeastStateBytes;
  const double least =
      count * static_cast<double>(LeastStackBytes + LeastStateBytes + own.filledBytes) +
      static_cast<double>(own.commonBytes);
  if (least > free)
    refuse(ranks, least,
           fmt::format("for each {} of stack, {} of MPI's state and {} of globals",
                       sizeText(LeastStackBytes), sizeText(LeastStateBytes),
                       sizeText(static_cast<double>(own.filledBytes))),
           free, memory.source, "use fewer ranks");
  const double stack = static_cast<double>(stackOptions(options).bytes);
  const double addresses = count * (stack + static_cast<double>(own.bytes));
  if (const uint64_t room = process::freeAddresses(); addresses > static_cast<double>(room))
    refuse(ranks, addresses,
           fmt::format("addresses for each one's stack of {} and its globals of {}",
                       sizeText(stack), sizeText(static_cast<double>(own.bytes))),
           static_cast<double>(room), "the limit on addresses (ulimit -v) leaves",
           "use a smaller --stack-size or fewer ranks");
  const double whole = least + count * static_cast<double>(own.bytes - own.filledBytes);
  if (whole > free && !options.quiet)
    process::printError(fmt::format(
        "gnomon: note: {} ranks with {} of globals each fill {} if they use all of them, and {} {} "
        "free: the run may end without a word when memory runs out\n",
        ranks, sizeText(static_cast<double>(own.bytes)), sizeText(whole), memory.source,
        sizeText(free)));
}

} // namespace gnomon::launch
