// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/Programs.h"

#include "process/image/Modules.h"
#include "process/image/Real.h"
#include "support/Error.h"
#include "support/Write.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <optional>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace gnomon::process {
namespace {

struct Program {
  dev_t device;
  ino_t inode;
  std::string path;
  std::string loadedAs;
  gnomon_module *module;
};

/// Program 0 is not in it: its module may be registered later than the first question.
std::vector<Program> &others() {
  static auto *list = new std::vector<Program>;
  return *list;
}

constexpr const char *Remedy = "build it with the flag that 'gnomon --flag' prints";

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  throw InputError("", 0, "cannot run '" + path + "': " + why);
}

/// The bytes of an executable file, with accesses checked against its end.
class Executable {
public:
  explicit Executable(const std::string &path) : path_(path) {
    FILE *file = GNOMON_REAL(fopen)(path.c_str(), "re");
    if (!file)
      refuse(path, std::strerror(errno));
    char block[1 << 16];
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
      bytes_.insert(bytes_.end(), block, block + got);
    GNOMON_REAL(fclose)(file);
    readSegments();
  }

  /// Takes the mark away that makes glibc refuse to load it.
  void becomeLibrary() {
    bool ours = false;
    forEachDynamic([&](Elf64_Dyn &entry) {
      if (entry.d_tag == DT_NEEDED)
        ours |= textAt(entry.d_un.d_val).starts_with("libgnomon.so");
      if (entry.d_tag == DT_FLAGS_1)
        entry.d_un.d_val &= ~uint64_t{DF_1_PIE};
    });
    if (!ours)
      refuse(path_, std::string("it was not built for simulation; ") + Remedy);
  }

  const std::vector<char> &bytes() const { return bytes_; }

private:
  template <class T> T *at(uint64_t offset) {
    return bytes_.size() >= sizeof(T) && offset <= bytes_.size() - sizeof(T)
               ? reinterpret_cast<T *>(bytes_.data() + offset)
               : nullptr;
  }

  void readSegments() {
    const auto *header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
      refuse(path_, "it is not a program but a script or data");
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64)
      refuse(path_, std::string("it is built for another machine; ") + Remedy);
    if (header->e_type != ET_DYN)
      refuse(path_, "it is not position-independent (-no-pie, -static), as a program must be that "
                    "is started beside another");
    for (unsigned i = 0; i < header->e_phnum; ++i)
      if (const auto *segment = at<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr)))
        segments_.push_back(*segment);
    for (const Elf64_Phdr &segment : segments_)
      if (segment.p_type == PT_TLS && segment.p_memsz > 0)
        refuse(path_, "it has thread-local variables of code that was not built with the flag, "
                      "which only the first program of a run may have");
  }

  template <class Visit> void forEachDynamic(Visit visit) {
    for (const Elf64_Phdr &segment : segments_)
      for (uint64_t byte = 0; segment.p_type == PT_DYNAMIC && byte < segment.p_filesz;
           byte += sizeof(Elf64_Dyn))
        if (auto *entry = at<Elf64_Dyn>(segment.p_offset + byte))
          visit(*entry);
  }

  /// A text of the dynamic string table.
  std::string textAt(uint64_t offset) {
    uint64_t table = 0;
    forEachDynamic([&](const Elf64_Dyn &entry) {
      if (entry.d_tag == DT_STRTAB)
        table = entry.d_un.d_ptr;
    });
    for (const Elf64_Phdr &segment : segments_)
      if (segment.p_type == PT_LOAD && table >= segment.p_vaddr &&
          table - segment.p_vaddr < segment.p_filesz) {
        uint64_t begin = segment.p_offset + (table - segment.p_vaddr) + offset;
        if (begin >= bytes_.size())
          break;
        return {bytes_.data() + begin, strnlen(bytes_.data() + begin, bytes_.size() - begin)};
      }
    return {};
  }

  std::string path_;
  std::vector<char> bytes_;
  std::vector<Elf64_Phdr> segments_;
};

/// A file without a name that holds \p bytes. Its descriptor stays open: another file at its number
/// would have its name, by which the loader knows what it has loaded.
std::string nameInMemory(const std::string &path, const std::vector<char> &bytes) {
  int descriptor = memfd_create(path.c_str(), MFD_CLOEXEC);
  if (descriptor < 0)
    refuse(path, std::strerror(errno));
  if (!writeFully(descriptor, {bytes.data(), bytes.size()}))
    refuse(path, std::strerror(errno));
  return fmt::format("/proc/self/fd/{}", descriptor);
}

Program load(const std::string &path, const struct stat &status) {
  Executable file(path);
  file.becomeLibrary();
  Program program{status.st_dev, status.st_ino, path, nameInMemory(path, file.bytes()), nullptr};
  const size_t before = modules().size();
  if (!dlopen(program.loadedAs.c_str(), RTLD_NOW | RTLD_LOCAL))
    refuse(path, dlerror());
  for (size_t i = before; i < modules().size(); ++i)
    if (modules()[i]->main)
      program.module = modules()[i];
  if (!program.module)
    refuse(path, std::string("its main was linked without Gnomon's pass; ") + Remedy);
  return program;
}

bool sameFile(const struct stat &status, const char *path) {
  struct stat other{};
  return stat(path, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino;
}

} // namespace

uint32_t loadProgram(const std::string &path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0)
    refuse(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode) || access(path.c_str(), X_OK) != 0)
    refuse(path, S_ISDIR(status.st_mode) ? "it is a directory" : std::strerror(errno));
  if (sameFile(status, "/proc/self/exe"))
    return 0;
  std::vector<Program> &list = others();
  auto known = std::find_if(list.begin(), list.end(), [&](const Program &program) {
    return program.device == status.st_dev && program.inode == status.st_ino;
  });
  if (known == list.end()) {
    list.push_back(load(path, status));
    known = list.end() - 1;
  }
  return static_cast<uint32_t>(known - list.begin()) + 1;
}

gnomon_module *programModule(uint32_t program) {
  return program == 0 ? mainModule() : others()[program - 1].module;
}

bool belongsTo(const gnomon_module &module, uint32_t program) {
  return !module.main || &module == programModule(program);
}

std::string originalFile(const std::string &loadedName) {
  for (const Program &program : others())
    if (program.loadedAs == loadedName)
      return program.path;
  return loadedName;
}

} // namespace gnomon::process
