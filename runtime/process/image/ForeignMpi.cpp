// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By the dynamic linker's list of what is loaded. An implementation defines the PMPI names itself;
/// tools and libraries that use MPI only refer to them.
#include "process/image/ForeignMpi.h"

#include <dlfcn.h>
#include <link.h>
#include <string_view>

namespace gnomon::process {
namespace {

/// What is loaded with the program, which comes first and has no name.
const link_map *loadedFirst() {
  link_map *first = nullptr;
  void *program = dlopen(nullptr, RTLD_LAZY);
  if (program && dlinfo(program, RTLD_DI_LINKMAP, &first) != 0)
    first = nullptr;
  return first;
}

const link_map *fileOf(const void *address) {
  Dl_info info{};
  void *file = nullptr;
  const bool found = address && dladdr1(address, &info, &file, RTLD_DL_LINKMAP) != 0;
  return found ? static_cast<const link_map *>(file) : nullptr;
}

bool definesMpi(const link_map &file) {
  void *handle = dlopen(file.l_name, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return false;
  const bool defines = fileOf(dlsym(handle, "PMPI_Init")) == &file;
  dlclose(handle);
  return defines;
}

/// Where \p file's dynamic section says \p tag; null when it does not.
const ElfW(Dyn) * entryOf(const link_map &file, ElfW(Sxword) tag) {
  for (const ElfW(Dyn) *entry = file.l_ld; entry && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == tag)
      return entry;
  return nullptr;
}

std::string_view baseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool asksFor(const link_map &file, std::string_view name) {
  const ElfW(Dyn) *strings = entryOf(file, DT_STRTAB);
  // The kernel's own object keeps an offset there, and needs nothing.
  if (!strings || strings->d_un.d_ptr < file.l_addr)
    return false;
  const auto *text = reinterpret_cast<const char *>(strings->d_un.d_ptr);
  for (const ElfW(Dyn) *entry = file.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED && baseName(text + entry->d_un.d_val) == name)
      return true;
  return false;
}

/// The name by which others need it.
std::string_view sonameOf(const link_map &file) {
  const ElfW(Dyn) *strings = entryOf(file, DT_STRTAB), *name = entryOf(file, DT_SONAME);
  if (!strings || !name)
    return baseName(file.l_name);
  return reinterpret_cast<const char *>(strings->d_un.d_ptr) + name->d_un.d_val;
}

} // namespace

std::vector<ForeignMpi> foreignMpis() {
  static const char here = 0;
  const link_map *first = loadedFirst(), *own = fileOf(&here);
  std::vector<ForeignMpi> found;
  for (const link_map *file = first ? first->l_next : nullptr; file; file = file->l_next) {
    if (file == own || !definesMpi(*file))
      continue;
    found.push_back({file->l_name, {}});
    for (const link_map *other = first; other; other = other->l_next)
      if (other != file && asksFor(*other, sonameOf(*file)))
        found.back().askedBy.emplace_back(other == first ? "the program" : other->l_name);
  }
  return found;
}

} // namespace gnomon::process
