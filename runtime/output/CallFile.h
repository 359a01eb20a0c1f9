// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A file of lines by rank (--comm-trace): ranks write in the order of simulated time, the file has
/// them one after another, in order of rank.
///
/// Until the end the text lies in a file without a name beside the target, in chunks of one rank
/// each, so that memory holds one chunk a rank (64 MiB in all, at most) and 8 bytes for each chunk
/// written. finish() puts the chunks in order into the file, compressed with zstd when its name ends
/// in .zst.
#pragma once

#include "output/OutputFile.h"
#include "process/ranks/CallSink.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::output {

class CallFile final : public process::CallSink {
public:
  /// Opens the file and the working file beside \p path. \p headline becomes the file's first line. Throws
  /// InputError when nothing can be written there.
  CallFile(std::string path, std::string headline, size_t ranks);
  ~CallFile() override;
  CallFile(const CallFile &) = delete;
  CallFile &operator=(const CallFile &) = delete;

  uint64_t append(uint32_t rank, std::string_view text) override;
  void replace(uint32_t rank, uint64_t place, std::string_view text) override;

  /// Writes the file: the headline, then for each rank a line `rank N` and its text; with the word
  /// INCOMPLETE in the first and last line when not \p complete. Returns what went wrong, at any
  /// time; empty on success.
  std::string finish(bool complete);

  /// Bytes of a chunk with that many ranks.
  static size_t chunkBytes(size_t ranks);

private:
  struct Lines {
    std::string open;             ///< the chunk that is being filled
    std::vector<uint64_t> chunks; ///< where the full ones begin in the working file
  };

  void spill(Lines &lines);
  void fail(const std::string &what);
  void writeRanks(bool complete);
  std::string readChunk(uint64_t at);

  Lines &linesOf(uint32_t rank);

  OutputFile file_;
  std::string headline_, error_;
  std::vector<Lines> ranks_;
  size_t chunk_;
  int working_ = -1;
  uint64_t workingBytes_ = 0;
};

} // namespace gnomon::output
