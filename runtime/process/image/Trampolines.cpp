// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instructions that call an internal procedure with its host's variables, for programs that pass
/// one on (gnomon/Hooks.def). They lie here, and not on the rank's stack, which is not executable.
#include "process/image/Real.h"
#include "support/Check.h"

#include <array>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <unordered_map>
#include <utility>

namespace gnomon::process {

namespace {

constexpr size_t SlotBytes = 32;
constexpr size_t ArenaBytes = size_t{64} << 10;

/// Each place of the program's stacks has one slot, which is written anew when the place is: there
/// are never more slots than there were places.
class Trampolines {
public:
  void *make(void *place, const void *function, const void *context) {
    GNOMON_REAL(pthread_mutex_lock)(&mutex_); // OpenMP's threads are real ones
    char *&slot = slots_[place];
    if (!slot)
      slot = carve();
    write(slot, function, context);
    void *const made = slot;
    GNOMON_REAL(pthread_mutex_unlock)(&mutex_);
    return made;
  }

private:
  char *carve() {
    if (next_ == end_) {
      void *arena = mmap(nullptr, ArenaBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      CHECK(arena != MAP_FAILED,
            "the system allows executable memory, which a passed internal procedure needs");
      next_ = static_cast<char *>(arena);
      end_ = next_ + ArenaBytes;
    }
    return std::exchange(next_, next_ + SlotBytes);
  }

  /// mov r11, function; mov r10, context; jmp r11.
  static void write(char *slot, const void *function, const void *context) {
    std::array<unsigned char, 23> code = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0,    0,    0x49, 0xba,
                                          0,    0,    0, 0, 0, 0, 0, 0, 0x49, 0xff, 0xe3};
    memcpy(&code[2], static_cast<const void *>(&function), sizeof function);
    memcpy(&code[12], static_cast<const void *>(&context), sizeof context);
    memcpy(slot, code.data(), code.size());
  }

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::unordered_map<void *, char *> slots_; // looked up only
  char *next_ = nullptr, *end_ = nullptr;
};

Trampolines &trampolines() {
  static Trampolines all;
  return all;
}

} // namespace
} // namespace gnomon::process

extern "C" __attribute__((visibility("default"))) void
gnomon_make_trampoline(void **place, void *function, void *context) {
  *place = gnomon::process::trampolines().make(place, function, context);
}
