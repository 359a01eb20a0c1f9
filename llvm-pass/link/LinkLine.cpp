// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/LinkLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Where -l looks, in the order of the line; empty when there is no such file.
std::string findLibrary(StringRef name, ArrayRef<std::string> directories, bool isStatic) {
  SmallVector<std::string, 2> files;
  if (name.consume_front(":"))
    files.push_back(name.str());
  else if (isStatic)
    files = {("lib" + name + ".a").str()};
  else
    files = {("lib" + name + ".so").str(), ("lib" + name + ".a").str()};
  for (const std::string &directory : directories)
    for (const std::string &file : files) {
      SmallString<256> path(directory);
      sys::path::append(path, file);
      if (sys::fs::exists(path))
        return path.str().str();
    }
  return {};
}

bool isOneOf(StringRef option, std::initializer_list<StringRef> options) {
  return is_contained(options, option);
}

} // namespace

LinkLine::LinkLine() {
  // A file of /proc has no size to be mapped by.
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!text)
    return;
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<StringRef, 0> words;
  (*text)->getBuffer().split(words, '\0');
  if (!words.empty() && words.back().empty())
    words.pop_back(); // behind the last terminator
  if (words.empty() || !sys::path::filename(words.front()).contains("ld"))
    return;
  SmallVector<const char *, 0> pointers;
  for (StringRef word : drop_begin(words))
    pointers.push_back(saver.save(word).data());
  cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, pointers);
  arguments_.assign(pointers.begin(), pointers.end());
}

bool LinkLine::has(StringRef option) const { return is_contained(arguments_, option); }

StringRef LinkLine::output() const {
  StringRef name = "a.out";
  for (size_t i = 0; i < arguments_.size(); ++i) {
    StringRef word = arguments_[i];
    if (isOneOf(word, {"-o", "--output"}) && i + 1 < arguments_.size())
      name = arguments_[++i];
    else if (word.consume_front("--output="))
      name = word;
  }
  return name;
}

unsigned LinkLine::partitions() const {
  unsigned number = 1; // the last one counts
  for (StringRef word : arguments_) {
    word.consume_front("-");
    word.consume_front("-");
    word.consume_front("plugin-opt=");
    if (word.consume_front("lto-partitions="))
      word.getAsInteger(10, number);
  }
  return number;
}

std::vector<LinkInput> LinkLine::inputs() const {
  // lld knows all directories before it looks for the first library.
  std::vector<std::string> directories;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    StringRef word = arguments_[i];
    if (word == "-L" && i + 1 < arguments_.size())
      directories.push_back(arguments_[++i]);
    else if (word.consume_front("-L"))
      directories.push_back(word.str());
  }

  std::vector<LinkInput> result;
  bool lazyObject = false, lazyMembers = true;
  bool isStatic = has("-static") || has("-r");
  for (size_t i = 0; i < arguments_.size(); ++i) {
    StringRef word = arguments_[i];
    if (isOneOf(word, {"-o", "--output", "-L"}))
      ++i; // an output of an earlier link is no input
    else if (isOneOf(word, {"--start-lib", "-start-lib", "--end-lib", "-end-lib"}))
      lazyObject = word.contains("start");
    else if (isOneOf(word, {"--whole-archive", "-whole-archive"}))
      lazyMembers = false;
    else if (isOneOf(word, {"--no-whole-archive", "-no-whole-archive"}))
      lazyMembers = true;
    else if (isOneOf(word, {"-Bstatic", "-dn", "-non_shared"}))
      isStatic = true;
    else if (isOneOf(word, {"-Bdynamic", "-dy", "-call_shared"}))
      isStatic = false;
    else if (word == "-l" && i + 1 < arguments_.size())
      result.push_back(
          {findLibrary(arguments_[++i], directories, isStatic), lazyObject, lazyMembers});
    else if (word.consume_front("-l"))
      result.push_back({findLibrary(word, directories, isStatic), lazyObject, lazyMembers});
    else if (!word.starts_with("-"))
      result.push_back({word.str(), lazyObject, lazyMembers});
  }
  erase_if(result, [](const LinkInput &input) { return input.path.empty(); });
  return result;
}

} // namespace gnomon
