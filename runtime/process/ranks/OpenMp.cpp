// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The thread-local storage of clang's OpenMP runtime. OpenMp.h says why it changes hands.
#include "process/ranks/OpenMp.h"

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <vector>

namespace gnomon::process {
namespace {

struct Storage {
  int (*level)() = nullptr; ///< omp_get_level: regions around the caller, those of one thread too
  int (*mostThreads)() = nullptr; ///< omp_get_max_threads
  void (*setThreads)(int) = nullptr;
  char *here = nullptr; ///< of the simulation's thread
  const char *initial = nullptr;
  size_t initialBytes = 0, bytes = 0;        ///< the rest of a new thread's storage is 0
  std::vector<std::unique_ptr<char[]>> free; ///< of threads that are in no region

  std::unique_ptr<char[]> copy() const {
    auto contents = std::make_unique_for_overwrite<char[]>(bytes);
    std::memcpy(contents.get(), here, bytes);
    return contents;
  }
  void becomeNew() const {
    std::memcpy(here, initial, initialBytes);
    std::memset(here + initialBytes, 0, bytes - initialBytes);
  }
};

Storage &storage() {
  static auto &only = *new Storage;
  return only;
}

/// For dl_iterate_phdr: whether this is the object that \p address lies in; notes its storage.
int note(dl_phdr_info *info, size_t, void *address) {
  const ElfW(Phdr) *local = nullptr;
  bool holds = false;
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    if (part.p_type == PT_TLS)
      local = &part;
    else if (part.p_type == PT_LOAD)
      holds |=
          reinterpret_cast<uintptr_t>(address) - (info->dlpi_addr + part.p_vaddr) < part.p_memsz;
  }
  if (!holds || !local || !info->dlpi_tls_data)
    return holds;
  Storage &found = storage();
  found.here = static_cast<char *>(info->dlpi_tls_data);
  found.initial = reinterpret_cast<const char *>(info->dlpi_addr + local->p_vaddr);
  found.initialBytes = local->p_filesz;
  found.bytes = local->p_memsz;
  return 1;
}

} // namespace

bool usesOpenMp() {
  Storage &storage = process::storage();
  void *fork = dlsym(RTLD_DEFAULT, "__kmpc_fork_call");
  if (!fork || storage.here)
    return storage.here;
  storage.level = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_level"));
  storage.mostThreads = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
  storage.setThreads = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  // The call gives this thread its storage, which is allocated when first used.
  if (storage.level && storage.level() == 0)
    dl_iterate_phdr(note, fork);
  return storage.here;
}

std::unique_ptr<char[]> leaveRegion() {
  Storage &storage = process::storage();
  if (!storage.here || storage.level() == 0)
    return nullptr;
  std::unique_ptr<char[]> kept = storage.copy();
  const int threads = storage.mostThreads();
  if (storage.free.empty()) {
    storage.becomeNew();
  } else {
    std::memcpy(storage.here, storage.free.back().get(), storage.bytes);
    storage.free.pop_back();
  }
  storage.setThreads(threads); // as the program asked, whichever rank it did so on
  return kept;
}

void enterRegion(std::unique_ptr<char[]> kept) {
  Storage &storage = process::storage();
  storage.free.push_back(storage.copy());
  std::memcpy(storage.here, kept.get(), storage.bytes);
}

} // namespace gnomon::process
