// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of libc behind the ones that libgnomon exports. libgnomon defines getopt, write,
/// exit and the like for the program; its own code must never call them by name (the program may
/// even define one itself). GNOMON_REAL(write)(fd, buffer, bytes) is the next definition after
/// libgnomon's own, looked up once.
#pragma once

#include <atomic>

namespace gnomon::process {

/// The next definition of \p name after this library's; null when there is none.
void *findNext(const char *name);

template <class Function> class RealFunction {
public:
  constexpr explicit RealFunction(const char *name) : name_(name) {}
  Function *get() {
    Function *found = function_.load(std::memory_order_relaxed);
    if (!found) {
      found = reinterpret_cast<Function *>(findNext(name_));
      function_.store(found, std::memory_order_relaxed);
    }
    return found;
  }

private:
  const char *name_;
  std::atomic<Function *> function_{nullptr};
};

} // namespace gnomon::process

/// The real function of that name, with the type that its header declares.
#define GNOMON_REAL(name)                                                                          \
  ([]() noexcept {                                                                                 \
    static constinit ::gnomon::process::RealFunction<decltype(::name)> real(#name);                \
    return real.get();                                                                             \
  }())
