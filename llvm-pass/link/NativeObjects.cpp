// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/NativeObjects.h"
#include "facts/MpiNames.h"

#include "link/LinkLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;

namespace gnomon {
namespace {

bool startsWithAny(StringRef text, std::initializer_list<StringRef> prefixes) {
  return any_of(prefixes, [&](StringRef prefix) { return text.starts_with(prefix); });
}

/// What the compiler adds to every link. Its state is the runtime's business (interposed functions,
/// gn_swap).
bool isLanguageRuntime(StringRef file) {
  if (file.ends_with("crt1.o"))
    return true;
  return startsWithAny(file, {"crt", "clang_rt.", "libclang_rt.", "libflang_rt.", "libgcc",
                              "libc_nonshared", "libstdc++", "libsupc++", "libc++", "libgnomon",
                              "libomp.", "libgomp.", "libiomp"});
}

/// Sections that are written by the loader only, and lists that libc walks.
bool isWrittenByProgram(const ELFSectionRef &section) {
  if (!(section.getFlags() & ELF::SHF_WRITE) || !(section.getFlags() & ELF::SHF_ALLOC))
    return false;
  Expected<StringRef> name = section.getName();
  if (!name) {
    consumeError(name.takeError());
    return false;
  }
  return !startsWithAny(*name, {".data.rel.ro", ".init_array", ".fini_array", ".preinit_array",
                                ".ctors", ".dtors", ".tm_clone_table", "__llvm_", "__sancov_"});
}

/// Made by the compiler in each object; no state.
bool isCompilersVariable(StringRef name) {
  return name.empty() || startsWithAny(name, {".L", "DW.ref.", "__llvm_", "_ZStL8__ioinit"});
}

bool isVariable(const ELFObjectFileBase &file, const ELFSymbolRef &symbol, uint32_t flags) {
  if (flags & SymbolRef::SF_Common)
    return true;
  uint8_t type = symbol.getELFType();
  // Assembly often leaves out the type.
  bool mayBe = type == ELF::STT_OBJECT || type == ELF::STT_TLS ||
               (type == ELF::STT_NOTYPE && (flags & SymbolRef::SF_Global));
  Expected<section_iterator> section = symbol.getSection();
  if (!section) {
    consumeError(section.takeError());
    return false;
  }
  return mayBe && *section != file.section_end() && isWrittenByProgram(ELFSectionRef(**section));
}

template <typename Named> StringRef nameOf(const Named &item) {
  Expected<StringRef> name = item.getName();
  if (name)
    return *name;
  consumeError(name.takeError());
  return {};
}

/// Of a shared library, those that it shows to others.
ELFObjectFileBase::elf_symbol_iterator_range symbolsOf(const ELFObjectFileBase &file) {
  return file.getEType() == ELF::ET_DYN ? file.getDynamicSymbolIterators() : file.symbols();
}

/// The pass has seen it: as bitcode in this link, or in a link before, which left a call of the
/// runtime.
bool isSeen(const ELFObjectFileBase &file) {
  return any_of(file.sections(),
                [](const SectionRef &section) { return nameOf(section) == ".llvm.lto"; }) ||
         any_of(symbolsOf(file), [](const ELFSymbolRef &symbol) {
           return nameOf(symbol) == "gnomon_register_module";
         });
}

void addSymbol(NativeObject &object, const ELFObjectFileBase &file, const ELFSymbolRef &symbol) {
  Expected<uint32_t> flags = symbol.getFlags();
  Expected<StringRef> name = symbol.getName();
  if (!flags || !name) {
    consumeError(flags.takeError());
    consumeError(name.takeError());
    return;
  }
  if (*flags & SymbolRef::SF_FormatSpecific)
    return;
  if (*flags & SymbolRef::SF_Undefined)
    return object.uses.push_back(name->str());
  if (*flags & SymbolRef::SF_Global)
    object.defines.push_back(name->str());
  if (isVariable(file, symbol, *flags) && !isCompilersVariable(*name))
    object.variables.push_back(name->str());
}

/// A shared library with state of its own is normal: libc is one. What it takes from the program is
/// not, nor that it is a part of the program, which calls of MPI tell.
void restrictToShared(NativeObject &object) {
  // C++ merges what several outputs define (inline variables, statics of templates).
  copy_if(object.defines, std::back_inserter(object.uses),
          [](StringRef name) { return name.starts_with("_Z"); });
  object.defines.clear();
  if (none_of(object.uses, isMpiName))
    object.variables.clear();
}

uint64_t stateBytesOf(const ELFObjectFileBase &file) {
  uint64_t bytes = 0;
  for (const SectionRef &section : file.sections()) {
    StringRef name = nameOf(section);
    if (isWrittenByProgram(ELFSectionRef(section)) && !startsWithAny(name, {".got", ".dynamic"}))
      bytes += section.getSize();
  }
  return bytes;
}

void readObject(MemoryBufferRef buffer, std::string name, bool lazy,
                std::vector<NativeObject> &objects, std::vector<NativeLibrary> &libraries) {
  file_magic magic = identify_magic(buffer.getBuffer());
  if (magic != file_magic::elf_relocatable && magic != file_magic::elf_shared_object)
    return;
  Expected<std::unique_ptr<ObjectFile>> file = ObjectFile::createELFObjectFile(buffer);
  if (!file)
    return consumeError(file.takeError()); // the linker will say what is wrong with it
  auto &elf = cast<ELFObjectFileBase>(**file);
  if (isSeen(elf))
    return;
  NativeObject object{std::move(name), !lazy, {}, {}, {}};
  for (const ELFSymbolRef &symbol : symbolsOf(elf))
    addSymbol(object, elf, symbol);
  if (elf.getEType() == ELF::ET_DYN) {
    libraries.push_back({object.name, stateBytesOf(elf), object.defines});
    restrictToShared(object);
  }
  objects.push_back(std::move(object));
}

void readArchive(MemoryBufferRef buffer, StringRef name, bool lazy,
                 std::vector<NativeObject> &objects, std::vector<NativeLibrary> &libraries) {
  Expected<std::unique_ptr<Archive>> archive = Archive::create(buffer);
  if (!archive)
    return consumeError(archive.takeError());
  Error error = Error::success();
  for (const Archive::Child &child : (*archive)->children(error)) {
    Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
    Expected<StringRef> memberName = child.getName();
    if (member && memberName)
      readObject(*member, (name + "(" + sys::path::filename(*memberName) + ")").str(), lazy,
                 objects, libraries);
    consumeError(member.takeError());
    consumeError(memberName.takeError());
  }
  consumeError(std::move(error));
}

std::vector<NativeObject> readAll(std::vector<NativeLibrary> &libraries) {
  std::vector<NativeObject> objects;
  LinkLine line;
  if (line.has("-static"))
    return objects; // refused (Refusals); libc's members would only hide that
  for (const LinkInput &input : line.inputs()) {
    StringRef name = sys::path::filename(input.path);
    if (isLanguageRuntime(name))
      continue;
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
        MemoryBuffer::getFile(input.path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      continue;
    if (identify_magic((*buffer)->getBuffer()) == file_magic::archive)
      readArchive(**buffer, name, input.lazyMembers, objects, libraries);
    else
      readObject(**buffer, name.str(), input.lazyObject, objects, libraries);
  }
  return objects;
}

} // namespace

NativeObjects::NativeObjects(const Module &module) : objects_(readAll(libraries_)) {
  select(module);
  for (auto [index, object] : enumerate(objects_))
    for (const std::vector<std::string> *names : {&object.uses, &object.defines})
      for (const std::string &name : *names)
        users_.try_emplace(name, index);
}

/// Leaves the objects that the link needs: the linker takes a member of an archive for a symbol
/// that is still missing.
void NativeObjects::select(const Module &module) {
  StringMap<size_t> lazy;
  for (auto [index, object] : enumerate(objects_))
    if (!object.linked)
      for (const std::string &name : object.defines)
        lazy.try_emplace(name, index);

  std::vector<std::string> wanted;
  for (const GlobalValue &global : module.global_values())
    if (global.isDeclaration() && !global.getName().starts_with("llvm."))
      wanted.push_back(global.getName().str());
  const Function *main = module.getFunction("main");
  if (!main || main->isDeclaration())
    wanted.push_back("main"); // the C library's start wants it
  for (const NativeObject &object : objects_)
    if (object.linked)
      wanted.insert(wanted.end(), object.uses.begin(), object.uses.end());
  while (!wanted.empty()) {
    auto found = lazy.find(wanted.back());
    wanted.pop_back();
    if (found == lazy.end() || objects_[found->second].linked)
      continue;
    NativeObject &object = objects_[found->second];
    object.linked = true;
    wanted.insert(wanted.end(), object.uses.begin(), object.uses.end());
  }
  erase_if(objects_, [](const NativeObject &object) { return !object.linked; });
}

StringRef NativeObjects::userOf(StringRef symbol) const {
  auto found = users_.find(symbol);
  return found == users_.end() ? StringRef() : StringRef(objects_[found->second].name);
}

} // namespace gnomon
