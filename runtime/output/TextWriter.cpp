// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/TextWriter.h"

#include "support/Write.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>
#include <zstd.h>

namespace gnomon::output {

/// A zstd stream and the buffer that it writes to.
struct TextWriter::Compressor {
  ZSTD_CCtx *context = ZSTD_createCCtx();
  std::vector<char> buffer = std::vector<char>(ZSTD_CStreamOutSize());
  ~Compressor() { ZSTD_freeCCtx(context); }

  /// Compresses \p text; \p end also ends the stream. \p put takes what comes out.
  template <class Put> void run(std::string_view text, bool end, Put put) {
    ZSTD_inBuffer in = {text.data(), text.size(), 0};
    size_t left = 1;
    while (end ? left != 0 : in.pos < in.size) {
      ZSTD_outBuffer out = {buffer.data(), buffer.size(), 0};
      left = ZSTD_compressStream2(context, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
      put(std::string_view(buffer.data(), out.pos));
      if (ZSTD_isError(left)) // Only for want of memory: the file stays short, and nobody opens it.
        return;
    }
  }
};

bool isSpecialFile(const std::string &path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

TextWriter::TextWriter(const std::string &path)
    : path_(path), target_(path), named_(isSpecialFile(path)) {
  if (!named_)
    target_ += fmt::format(".tmp{}", syscall(SYS_getpid));
  descriptor_ = open(target_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    fail();
  if (path.ends_with(".zst"))
    compressor_ = std::make_unique<Compressor>();
}

TextWriter::~TextWriter() {
  if (descriptor_ >= 0)
    syscall(SYS_close, descriptor_);
  if (!named_)
    unlink(target_.c_str());
}

void TextWriter::fail() {
  if (error_.empty())
    error_ = fmt::format("cannot write {}: {}", path_, std::strerror(errno));
}

void TextWriter::put(std::string_view bytes) {
  if (error_.empty() && !writeFully(descriptor_, bytes))
    fail();
}

void TextWriter::write(std::string_view text) {
  if (compressor_)
    compressor_->run(text, false, [this](std::string_view bytes) { put(bytes); });
  else
    put(text);
}

std::string TextWriter::close() {
  if (compressor_)
    compressor_->run({}, true, [this](std::string_view bytes) { put(bytes); });
  if (descriptor_ >= 0 && syscall(SYS_close, descriptor_) != 0)
    fail();
  descriptor_ = -1;
  if (error_.empty() && !named_) {
    if (rename(target_.c_str(), path_.c_str()) == 0)
      named_ = true;
    else
      fail();
  }
  return error_;
}

} // namespace gnomon::output
