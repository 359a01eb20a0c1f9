// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Section.h"

#include "support/FileHash.h"
#include "trace/Wire.h"

#include <fmt/format.h>
#include <zstd.h>

namespace gnomon::trace {

namespace {
constexpr size_t HashBytes = sizeof(uint64_t);
constexpr int Level = 3; ///< zstd's own default
} // namespace

bool isHash(uint64_t hash, std::string_view bytes) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  return true;
#else
  return hash == hashOf(bytes);
#endif
}

uint64_t mostBytes(SectionKind kind) {
  const bool ofRank = kind == SectionKind::Block || kind == SectionKind::Page;
  return uint64_t{1} << (ofRank ? 27 : 28);
}

struct Compressor::Context {
  ZSTD_CCtx *zstd = ZSTD_createCCtx();
  ~Context() { ZSTD_freeCCtx(zstd); }
};

Compressor::Compressor(Method method) : context_(std::make_unique<Context>()), method_(method) {}
Compressor::~Compressor() = default;

const std::string &Compressor::section(const SectionHead &head, std::string_view bytes) {
  std::string_view stored = bytes;
  if (method_ == Method::Zstd) {
    if (const size_t most = ZSTD_compressBound(bytes.size()); most > roomBytes_) {
      room_.reset(new char[most]);
      roomBytes_ = most;
    }
    const size_t size = ZSTD_compressCCtx(context_->zstd, room_.get(), roomBytes_, bytes.data(),
                                          bytes.size(), Level);
    // An error is only for want of memory; the bytes can be stored as they are.
    if (!ZSTD_isError(size) && size < bytes.size())
      stored = std::string_view(room_.get(), size);
  }
  section_.assign(HashBytes, '\0');
  putFixed(section_, static_cast<uint32_t>(head.kind));
  putFixed(section_, static_cast<uint32_t>(stored.size()));
  putFixed(section_, static_cast<uint32_t>(bytes.size()));
  putFixed(section_, head.rank);
  putFixed(section_, head.records);
  section_ += stored;
  std::string hash;
  putFixed(hash, hashOf(std::string_view(section_).substr(HashBytes)));
  section_.replace(0, HashBytes, hash);
  return section_;
}

struct Decompressor::Context {
  ZSTD_DCtx *zstd = ZSTD_createDCtx();
  ~Context() { ZSTD_freeDCtx(zstd); }
};

Decompressor::Decompressor() : context_(std::make_unique<Context>()) {}
Decompressor::~Decompressor() = default;

std::string Decompressor::open(std::string_view section, const SectionHead &head) {
  Bytes in(section);
  const auto hash = in.fixed<uint64_t>();
  if (!isHash(hash, section.substr(HashBytes)))
    throw Damage("the checksum differs");
  const auto kind = in.fixed<uint32_t>();
  const auto storedBytes = in.fixed<uint32_t>(), bytes = in.fixed<uint32_t>();
  const auto rank = in.fixed<uint32_t>();
  const auto records = in.fixed<uint64_t>();
  if (kind != static_cast<uint32_t>(head.kind) || storedBytes != in.left())
    throw Damage("another section was expected here");
  if (records != head.records)
    throw Damage(
        fmt::format("the section, written for rank {}, has {} records, and {} are expected", rank,
                    records, head.records));
  if (bytes > mostBytes(head.kind))
    throw Damage(fmt::format("the section would have {} bytes, which is too many", bytes));
  const std::string_view stored = in.take(storedBytes);
  if (storedBytes == bytes)
    return std::string(stored);
  std::string out(bytes, '\0');
  const size_t size =
      ZSTD_decompressDCtx(context_->zstd, out.data(), out.size(), stored.data(), stored.size());
  if (ZSTD_isError(size) || size != bytes)
    throw Damage("the section cannot be decompressed");
  return out;
}

} // namespace gnomon::trace
