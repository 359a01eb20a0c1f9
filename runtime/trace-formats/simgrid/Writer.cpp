// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/simgrid/Writer.h"

#include "support/Check.h"
#include "trace-formats/simgrid/RankWriter.h"

namespace gnomon::trace::simgrid {

void writeRank(const Source &source, const Groups &groups, const std::string &path, uint32_t rank,
               Target &target, const WriteOptions &options, Losses &losses) {
  RankWriter writer(source, groups, path, rank, target, options, losses);
  const std::unique_ptr<Cursor> cursor = source.open(rank);
  RecordView view;
  writer.begin();
  for (Record record; cursor->next(record);) {
    CHECK(view.set(source.functions()[record.function], record), "a record fits its function");
    writer.take(view);
  }
  writer.end();
}

void write(const Source &source, const std::string &path, Target &target,
           const WriteOptions &options, Conversion &conversion) {
  const uint32_t ranks = source.facts().ranks;
  const Groups groups(source);
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    writeRank(source, groups, path, rank, target, options, conversion.losses);
    if (conversion.progress)
      conversion.progress(rank + 1, ranks);
  }
}

} // namespace gnomon::trace::simgrid
