// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parts that a trace file is made of: a head of 32 bytes and what follows it, compressed by
/// zstd where that makes it smaller (docs/trace-format.md, "Sections"). With OutputFile the one
/// user of zstd.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gnomon::trace {

/// The first and the last bytes of a file.
inline constexpr std::string_view Magic = "\x89GTRACE\n", EndMagic = "GTRACE\x89\n";
/// Version 2 has copies in blocks; a file of version 1 is one of version 2 without any.
inline constexpr uint32_t FormatVersion = 2, OldestVersion = 1;
inline constexpr size_t FileHeadBytes = 16, SectionHeadBytes = 32, TrailerBytes = 40;

/// Four letters.
enum class SectionKind : uint32_t {
  Block = 0x4b434c42,  ///< "BLCK"
  Page = 0x45474150,   ///< "PAGE"
  Tables = 0x4c424154, ///< "TABL"
  Index = 0x58444e49,  ///< "INDX"
};

/// Whether \p hash is the checksum of \p bytes; a fuzzer, which cannot guess one, is always told
/// so.
bool isHash(uint64_t hash, std::string_view bytes);

/// The most bytes that a section may have, not compressed.
uint64_t mostBytes(SectionKind kind);

/// What the head says beside sizes and hash.
struct SectionHead {
  SectionKind kind = SectionKind::Block;
  uint32_t rank = 0; ///< of a block or page: the rank that it was written for, if others share it
  uint64_t records = 0; ///< of a block or page
};

/// Makes sections, one after another.
class Compressor {
public:
  enum class Method : uint8_t {
    Zstd,
    None, ///< to measure what zstd is good for
  };
  explicit Compressor(Method method = Method::Zstd);
  ~Compressor();

  /// The section's bytes; valid until the next call.
  const std::string &section(const SectionHead &head, std::string_view bytes);

private:
  struct Context;
  std::unique_ptr<Context> context_;
  Method method_;
  std::unique_ptr<char[]> room_; ///< for what zstd makes
  size_t roomBytes_ = 0;
  std::string section_;
};

/// Reads sections, one after another.
class Decompressor {
public:
  Decompressor();
  ~Decompressor();

  /// What \p section holds; it must be all of a section whose head is \p head, or Damage is thrown.
  std::string open(std::string_view section, const SectionHead &head);

private:
  struct Context;
  std::unique_ptr<Context> context_;
};

} // namespace gnomon::trace
