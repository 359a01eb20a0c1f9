// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finding a program and reading its ELF headers (System V gABI, chapters 4 and 5).
#include "Program.h"

#include "Message.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace gnomon::driver {

static bool isExecutableFile(const std::string &path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

static std::string searchPath(const std::string &name) {
  const char *variable = std::getenv("PATH");
  std::istringstream directories(variable ? variable : "/bin:/usr/bin");
  for (std::string directory; std::getline(directories, directory, ':');) {
    const std::string candidate = (directory.empty() ? "." : directory) + "/" + name;
    if (isExecutableFile(candidate))
      return candidate;
  }
  return "";
}

std::string findProgram(const std::string &name) {
  if (name.find('/') == std::string::npos) {
    const std::string found = searchPath(name);
    if (found.empty())
      fail("program '{}' is not in PATH{}", name,
           std::filesystem::exists(name) ? "; did you mean './" + name + "'?" : "");
    return found;
  }
  std::error_code error;
  if (!std::filesystem::exists(name, error))
    fail("program '{}' does not exist", name);
  if (std::filesystem::is_directory(name, error))
    fail("'{}' is a directory, not a program", name);
  if (!isExecutableFile(name))
    fail("'{}' is not executable", name);
  return name;
}

namespace {

/// The file's bytes, handed out only in whole objects that lie inside it.
class Bytes {
public:
  explicit Bytes(const std::string &path) : stream_(path, std::ios::binary) {
    if (!stream_)
      fail("cannot read '{}'", path);
    stream_.seekg(0, std::ios::end);
    size_ = static_cast<uint64_t>(stream_.tellg());
  }

  template <typename Object> std::optional<Object> at(uint64_t offset) {
    Object object;
    if (size_ < sizeof object || offset > size_ - sizeof object)
      return std::nullopt;
    stream_.seekg(static_cast<std::streamoff>(offset));
    stream_.read(reinterpret_cast<char *>(&object), sizeof object);
    return stream_ ? std::optional(object) : std::nullopt;
  }

  std::string stringAt(uint64_t offset) {
    std::string text;
    for (auto byte = at<char>(offset); byte && *byte; byte = at<char>(++offset))
      text += *byte;
    return text;
  }

  /// As much of it as the file has.
  std::string textAt(uint64_t offset, uint64_t size) {
    std::string text(offset < size_ ? std::min(size, size_ - offset) : 0, '\0');
    stream_.seekg(static_cast<std::streamoff>(offset));
    stream_.read(text.data(), static_cast<std::streamsize>(text.size()));
    stream_.clear(); // a short read leaves zeros
    return text;
  }

private:
  std::ifstream stream_;
  uint64_t size_ = 0;
};

// File offset of the address, by the loadable segment that holds it.
std::optional<uint64_t> offsetOf(const std::vector<Elf64_Phdr> &segments, uint64_t address) {
  for (const Elf64_Phdr &segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

void readDynamic(Bytes &bytes, const std::vector<Elf64_Phdr> &segments, const Elf64_Phdr &dynamic,
                 ElfSummary &summary) {
  std::vector<uint64_t> names;
  std::optional<uint64_t> strings;
  uint64_t stringBytes = 0;
  for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.p_filesz; at += sizeof(Elf64_Dyn)) {
    const auto entry = bytes.at<Elf64_Dyn>(dynamic.p_offset + at);
    if (!entry || entry->d_tag == DT_NULL)
      break;
    if (entry->d_tag == DT_NEEDED)
      names.push_back(entry->d_un.d_val);
    if (entry->d_tag == DT_STRTAB)
      strings = offsetOf(segments, entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRSZ)
      stringBytes = entry->d_un.d_val;
  }
  summary.isDynamic = true;
  if (!strings)
    return;
  for (uint64_t name : names)
    summary.needed.push_back(bytes.stringAt(*strings + name));
  summary.dynamicStrings = bytes.textAt(*strings, stringBytes);
}

} // namespace

ElfSummary readElf(const std::string &path) {
  Bytes bytes(path);
  ElfSummary summary;
  const auto header = bytes.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return summary;
  summary.isElf = true;
  summary.isNative = header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_machine == EM_X86_64;
  if (!summary.isNative)
    return summary;
  std::vector<Elf64_Phdr> segments;
  for (unsigned i = 0; i < header->e_phnum; ++i)
    if (const auto segment = bytes.at<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr)))
      segments.push_back(*segment);
  for (const Elf64_Phdr &segment : segments) {
    if (segment.p_type != PT_DYNAMIC)
      continue;
    readDynamic(bytes, segments, segment, summary);
  }
  return summary;
}

bool ElfSummary::names(const std::string &symbol) const {
  // The table begins with a zero byte, and each string in it ends with one.
  const std::string whole = std::string(1, '\0') + symbol + std::string(1, '\0');
  return dynamicStrings.find(whole) != std::string::npos;
}

/// Libraries that tell which MPI a program was linked with.
struct KnownMpi {
  const char *libraryPrefix;
  const char *name;
};

static const KnownMpi knownMpis[] = {
    {"libmpich", "MPICH"},   {"libmpi.so.12", "MPICH"},    {"libmpi.so.40", "Open MPI"},
    {"libmpi_", "Open MPI"}, {"libmpi.so", "another MPI"}, {"libsimgrid", "SMPI"},
};

static bool startsWith(const std::string &text, const char *prefix) {
  return text.compare(0, std::strlen(prefix), prefix) == 0;
}

static std::string otherMpiOf(const ElfSummary &elf) {
  for (const KnownMpi &mpi : knownMpis)
    for (const std::string &library : elf.needed)
      if (startsWith(library, mpi.libraryPrefix))
        return mpi.name;
  return "";
}

void checkProgram(const std::string &path) {
  static const char remedy[] = "build it with the flag that 'gnomon --flag' prints";
  const ElfSummary elf = readElf(path);
  if (!elf.isElf)
    fail("'{}' is not a program but a script or data; name the program itself", path);
  if (!elf.isNative)
    fail("'{}' is built for another machine; {}", path, remedy);
  const bool builtWithFlag =
      std::any_of(elf.needed.begin(), elf.needed.end(),
                  [](const std::string &library) { return startsWith(library, "libgnomon.so"); });
  const std::string otherMpi = otherMpiOf(elf);
  if (builtWithFlag && !otherMpi.empty())
    fail("'{}' is linked with {} beside Gnomon; take {}'s library off its link line", path,
         otherMpi, otherMpi);
  // The pass makes main a call of gnomon_start. A main that lives in a library is the runtime's to
  // judge.
  if (builtWithFlag && !elf.names("gnomon_start") && !elf.names("main"))
    fail("the main of '{}' was linked without Gnomon's pass (-fno-lto, -flto=thin, or an object "
         "compiled without the flag), so its ranks would share all variables; compile everything "
         "with the flag that 'gnomon --flag' prints, without those options, and link it again",
         path);
  if (builtWithFlag)
    return;
  if (!otherMpi.empty())
    fail("'{}' is built with {}; {}", path, otherMpi, remedy);
  if (!elf.isDynamic)
    fail("'{}' is statically linked and not built for Gnomon; {}, without -static", path, remedy);
  fail("'{}' is not built for Gnomon; {}", path, remedy);
}

} // namespace gnomon::driver
