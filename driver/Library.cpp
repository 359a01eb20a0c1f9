// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Library.h"

#include "Installation.h"
#include "Message.h"

#include <dlfcn.h>

namespace gnomon::driver {
namespace {

/// The function \p name of the library.
template <class Function> Function *find(const char *name) {
  const auto path = Installation::ofThisProgram().prefix() / "lib/libgnomon.so";
  void *library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    fail("cannot load '{}': {}", path.string(), dlerror());
  void *function = dlsym(library, name);
  if (!function)
    fail("'{}' is of another version", path.string());
  return reinterpret_cast<Function *>(function);
}

} // namespace

std::string describeCollectives(const std::string &collective) {
  auto *describe = find<const char *(const char *, int *)>("gnomon_describe_collectives");
  int known = 0;
  const char *text = describe(collective.c_str(), &known);
  if (!known)
    fail("{}", text);
  return text;
}

bool LibraryAlgorithms::check(const std::string &collective, const std::string &algorithm) const {
  auto *ask = find<const char *(const char *, const char *, int *)>("gnomon_check_algorithm");
  int known = 0;
  const std::string error = ask(collective.c_str(), algorithm.c_str(), &known);
  if (!error.empty())
    fail("{}", error);
  return known != 0;
}

} // namespace gnomon::driver
