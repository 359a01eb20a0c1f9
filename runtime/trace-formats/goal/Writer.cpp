// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/goal/Writer.h"

#include "support/Check.h"
#include "trace-formats/goal/RankWriter.h"

namespace gnomon::trace::goal {

void write(const Source &source, const std::string &path, Target &target,
           const WriteOptions &options, Conversion &conversion) {
  const uint32_t ranks = source.facts().ranks;
  target.write(fmt::format("num_ranks {}\n", ranks));
  const Groups groups(source);
  RecordView view;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    target.write(fmt::format("\nrank {} {{\n", rank));
    RankWriter writer(source, groups, path, rank, target, options, conversion.losses);
    const std::unique_ptr<Cursor> cursor = source.open(rank);
    for (Record record; cursor->next(record);) {
      CHECK(view.set(source.functions()[record.function], record), "a record fits its function");
      writer.take(view);
    }
    target.write("}\n");
    if (conversion.progress)
      conversion.progress(rank + 1, ranks);
  }
}

} // namespace gnomon::trace::goal
