// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What tests of formats have in common: files that go away, traces in memory, and these as text.
#pragma once

#include "support/Error.h"
#include "trace-formats/Import.h"
#include "trace-formats/MemoryTrace.h"
#include "trace-formats/RecordView.h"
#include "trace/Target.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace gnomon::trace::test {

/// A folder that goes away with the test.
struct Scratch {
  std::filesystem::path folder;
  Scratch() {
    std::string name = std::filesystem::temp_directory_path() / "gnomon-formats-XXXXXX";
    folder = mkdtemp(name.data());
  }
  ~Scratch() { std::filesystem::remove_all(folder); }
  std::string write(const std::string &name, std::string_view text) const {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
    return folder / name;
  }
};

inline Facts factsOf(uint32_t ranks) {
  Facts facts;
  facts.ranks = ranks;
  return facts;
}

struct TextInMemory : Target {
  std::string text;
  void write(std::string_view more) override { text += more; }
  std::string finish() override { return {}; }
};

/// A trace that a reader has read, with what it left out.
struct Got {
  std::unique_ptr<MemoryTrace> trace;
  Conversion conversion;

  OpenSink open() {
    return [this](const Facts &facts) -> Sink & {
      trace = std::make_unique<MemoryTrace>(facts);
      return *trace;
    };
  }
  /// The records of a rank, a line each.
  std::string rank(uint32_t rank) const {
    std::string text;
    RecordView view;
    const std::unique_ptr<Cursor> cursor = trace->open(rank);
    for (Record record; cursor->next(record);) {
      EXPECT_TRUE(view.set(trace->functions()[record.function], record));
      text += recordText(*trace, view) + "\n";
    }
    return text;
  }
  std::string all() const {
    std::string text;
    for (uint32_t of = 0; of < trace->facts().ranks; ++of)
      text += fmt::format("rank {}\n{}", of, rank(of));
    return text;
  }
};

/// A damaged file, and the line and words of its error.
struct Damaged {
  const char *text;
  int line;
  const char *words;
};

/// Expects that \p read throws what \p damaged says about \p path.
template <class Read>
void expectRefused(const Damaged &damaged, const std::string &path, Read read) {
  try {
    read();
    FAIL() << "is taken: " << damaged.text;
  } catch (const InputError &error) {
    EXPECT_EQ(error.file(), path) << error.what();
    EXPECT_EQ(error.line(), damaged.line) << error.what() << "\nof " << damaged.text;
    EXPECT_NE(std::string(error.what()).find(damaged.words), std::string::npos)
        << error.what() << "\nof " << damaged.text;
  }
}

} // namespace gnomon::trace::test
