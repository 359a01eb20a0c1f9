// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The standard streams of a launched run. C's stdout becomes one FILE that all ranks share: its
/// write function appends to the current rank's lines, and the switch hook empties its buffer
/// before another rank runs. So printf costs what it always costs, and there is no FILE per rank.
/// stderr likewise, unbuffered. Rank 0 keeps the real stdin; the others read end of file. C++'s
/// streams get buffers that pass everything to stdout, stderr and stdin as those pointers stand at
/// the time, so that both languages keep one order.
#include "process/ranks/Streams.h"

#include "process/image/Real.h"
#include "process/ranks/Simulation.h"
#include "support/Write.h"

#include <cerrno>
#include <climits>
#include <cwchar>
#include <iostream>
#include <streambuf>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon::process {

FILE *sharedOutput = nullptr;
FILE *sharedError = nullptr;

namespace {

/// A rank's unfinished line is emitted as it is once it is longer.
constexpr size_t LongestLine = 64 << 10;

FILE *emptyInput = nullptr;
/// Whose output drainShared hands over; null: the current rank's.
Rank *drained = nullptr;

template <int Descriptor> ssize_t takeOutput(void *, const char *text, size_t bytes) {
  Rank *rank = drained ? drained : currentRank();
  if (rank)
    appendOutput(*rank, Descriptor, {text, bytes});
  else if (!writeFully(Descriptor, {text, bytes}))
    return 0;
  return static_cast<ssize_t>(bytes);
}

ssize_t readNothing(void *, char *, size_t) { return 0; }

FILE *openCookie(const char *mode, cookie_io_functions_t functions) {
  return fopencookie(nullptr, mode, functions);
}

class OutputBuffer : public std::streambuf {
public:
  explicit OutputBuffer(FILE **file) : file_(file) {}

protected:
  int_type overflow(int_type c) override {
    return traits_type::eq_int_type(c, traits_type::eof()) ? sync() : fputc(c, *file_);
  }
  std::streamsize xsputn(const char *text, std::streamsize bytes) override {
    return static_cast<std::streamsize>(fwrite(text, 1, static_cast<size_t>(bytes), *file_));
  }
  int sync() override { return fflush(*file_); }

private:
  FILE **file_;
};

class InputBuffer : public std::streambuf {
protected:
  int_type underflow() override { return ungetc(getc(stdin), stdin); }
  int_type uflow() override { return getc(stdin); }
  int_type pbackfail(int_type c) override { return ungetc(c, stdin); }
  std::streamsize xsgetn(char *text, std::streamsize bytes) override {
    return static_cast<std::streamsize>(fread(text, 1, static_cast<size_t>(bytes), stdin));
  }
};

/// std::wcout and its kin: converted by the C locale, written as bytes (a FILE cannot be both wide
/// and narrow).
class WideBuffer : public std::wstreambuf {
public:
  explicit WideBuffer(FILE **file) : file_(file) {}

protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof()))
      return sync() == 0 ? traits_type::not_eof(c) : traits_type::eof();
    char bytes[MB_LEN_MAX];
    size_t count = wcrtomb(bytes, traits_type::to_char_type(c), &state_);
    return count != static_cast<size_t>(-1) && fwrite(bytes, 1, count, *file_) == count
               ? c
               : traits_type::eof();
  }
  int sync() override { return fflush(*file_); }

private:
  FILE **file_;
  mbstate_t state_{};
};

/// Never destroyed: libc's exit flushes std::cout after everything else.
struct Buffers {
  OutputBuffer output{&stdout}, error{&stderr};
  InputBuffer input;
  WideBuffer wideOutput{&stdout}, wideError{&stderr};
  std::wstreambuf *oldWideOutput = nullptr, *oldWideError = nullptr, *oldWideLog = nullptr;
  std::streambuf *oldInput = nullptr, *oldOutput = nullptr, *oldError = nullptr, *oldLog = nullptr;
};
Buffers *buffers = nullptr;

} // namespace

void installStreams(Simulation &simulation) {
  if (!simulation.sink)
    return;
  fflush(stdout);
  std::cout.flush();
  if (!sharedOutput) {
    sharedOutput = openCookie("w", {nullptr, takeOutput<1>, nullptr, nullptr});
    sharedError = openCookie("w", {nullptr, takeOutput<2>, nullptr, nullptr});
    emptyInput = openCookie("r", {readNothing, nullptr, nullptr, nullptr});
    static char buffer[16 << 10];
    GNOMON_REAL(setvbuf)(sharedOutput, buffer, _IOLBF, sizeof buffer);
    GNOMON_REAL(setvbuf)(sharedError, nullptr, _IONBF, 0);
    buffers = new Buffers;
  }
  for (auto &rank : simulation.world.ranks)
    giveStreams(*rank);
  buffers->oldInput = std::cin.rdbuf(&buffers->input);
  buffers->oldOutput = std::cout.rdbuf(&buffers->output);
  buffers->oldError = std::cerr.rdbuf(&buffers->error);
  buffers->oldLog = std::clog.rdbuf(&buffers->error);
  buffers->oldWideOutput = std::wcout.rdbuf(&buffers->wideOutput);
  buffers->oldWideError = std::wcerr.rdbuf(&buffers->wideError);
  buffers->oldWideLog = std::wclog.rdbuf(&buffers->wideError);
}

void giveStreams(Rank &rank) {
  if (!outputSink())
    return;
  Swapped &own = rank.swapped;
  own.standardInput = rank.number == 0 ? stdin : emptyInput;
  own.standardOutput = sharedOutput;
  own.standardError = sharedError;
}

void uninstallStreams(Simulation &simulation) {
  if (!simulation.sink || !buffers || !buffers->oldOutput)
    return;
  std::cin.rdbuf(buffers->oldInput);
  std::cout.rdbuf(buffers->oldOutput);
  std::cerr.rdbuf(buffers->oldError);
  std::clog.rdbuf(buffers->oldLog);
  std::wcout.rdbuf(buffers->oldWideOutput);
  std::wcerr.rdbuf(buffers->oldWideError);
  std::wclog.rdbuf(buffers->oldWideLog);
  buffers->oldOutput = nullptr;
}

[[gnu::noinline]] static void flushShared(Rank &rank) {
  drained = &rank;
  int saved = errno;
  fflush(sharedOutput);
  errno = saved;
  drained = nullptr;
}

void drainShared(Rank &rank) {
  if (sharedOutput && sharedOutput->_IO_write_ptr != sharedOutput->_IO_write_base) [[unlikely]]
    flushShared(rank);
}

/// Follows dup2(1, 2) and dup2(2, 1).
static int resolveAlias(const LibcState &libc, int descriptor) {
  int target = libc.redirected[static_cast<size_t>(descriptor)];
  return target <= aliasOf(0) ? aliasOf(0) - target : descriptor;
}

bool captured(const Rank &rank, int descriptor) {
  if (!outputSink() || !rank.libc)
    return false;
  auto index = static_cast<size_t>(descriptor);
  return rank.libc->redirected[index] < 0 && !rank.libc->closed[index];
}

void appendOutput(Rank &rank, int descriptor, std::string_view text) {
  LibcState &libc = *rank.libc;
  auto index = static_cast<size_t>(descriptor);
  if (libc.closed[index])
    return;
  if (!captured(rank, descriptor)) {
    int target = libc.redirected[index];
    writeFully(target >= 0 ? target : descriptor, text);
    return;
  }
  descriptor = resolveAlias(libc, descriptor);
  if (descriptor == 0) // a copy of the standard input: nobody reads there
    return;
  std::string &partial = (*libc.lines)[static_cast<size_t>(descriptor) - 1].partial;
  size_t end = text.rfind('\n');
  if (end == std::string_view::npos && partial.size() + text.size() < LongestLine) {
    partial.append(text);
    return;
  }
  size_t whole = end == std::string_view::npos ? text.size() : end + 1;
  OutputSink &sink = *simulation()->sink;
  if (partial.empty()) {
    sink.write(dateOf(rank), descriptor, text.substr(0, whole));
  } else {
    partial.append(text.substr(0, whole));
    sink.write(dateOf(rank), descriptor, partial);
    partial.clear();
  }
  partial.append(text.substr(whole));
}

void flushLines(Rank &rank) {
  if (!simulation()->sink || !rank.libc || !rank.libc->lines.ifMade())
    return;
  for (int descriptor = 1; descriptor <= 2; ++descriptor) {
    std::string &partial = (*rank.libc->lines)[static_cast<size_t>(descriptor) - 1].partial;
    if (!partial.empty())
      simulation()->sink->write(dateOf(rank), descriptor, partial);
    partial.clear();
  }
}

} // namespace gnomon::process
