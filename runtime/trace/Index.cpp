// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Index.h"

#include "trace/Section.h"
#include "trace/Wire.h"

#include <fmt/format.h>

namespace gnomon::trace {
namespace {

constexpr uint64_t MostRecords = uint64_t{1} << 62;

void putReferences(std::string &out, const std::vector<Reference> &references) {
  putVarint(out, references.size());
  uint64_t end = 0;
  for (const Reference &reference : references) {
    putVarint(out, zigzag(static_cast<int64_t>(reference.place - end)));
    putVarint(out, reference.bytes);
    putVarint(out, reference.records);
    end = reference.place + reference.bytes;
  }
}

std::vector<Reference> readReferences(Bytes &in, uint64_t fileBytes) {
  std::vector<Reference> references(in.varint(in.left(), "the number of references"));
  uint64_t end = 0;
  for (Reference &reference : references) {
    reference.place = end + static_cast<uint64_t>(unzigzag(in.varint()));
    reference.bytes = in.varint();
    reference.records = in.varint(MostRecords, "the number of records");
    if (reference.bytes < SectionHeadBytes || reference.place > fileBytes ||
        reference.bytes > fileBytes - reference.place)
      throw Damage(fmt::format("{} bytes at byte {} are referred to, where there is no section",
                               reference.bytes, reference.place));
    end = reference.place + reference.bytes;
  }
  references.shrink_to_fit();
  return references;
}

uint64_t countRecords(const std::vector<Reference> &references, uint64_t records) {
  for (const Reference &reference : references)
    if ((records += reference.records) > MostRecords)
      throw Damage("a rank has more records than anybody can count");
  return records;
}

} // namespace

uint64_t RankIndex::records() const { return countRecords(blocks, countRecords(pages, 0)); }

std::string pageText(const std::vector<Reference> &blocks) {
  std::string out;
  putReferences(out, blocks);
  return out;
}

std::string indexText(const std::vector<RankIndex> &ranks) {
  std::string out;
  putVarint(out, ranks.size());
  for (const RankIndex &rank : ranks) {
    putReferences(out, rank.pages);
    putReferences(out, rank.blocks);
  }
  return out;
}

std::vector<Reference> parsePage(std::string_view bytes, uint64_t fileBytes) {
  Bytes in(bytes);
  std::vector<Reference> blocks = readReferences(in, fileBytes);
  in.mustBeEmpty();
  countRecords(blocks, 0);
  return blocks;
}

std::vector<RankIndex> parseIndex(std::string_view bytes, uint64_t fileBytes) {
  Bytes in(bytes);
  std::vector<RankIndex> ranks(in.varint(in.left(), "the number of ranks"));
  for (RankIndex &rank : ranks) {
    rank.pages = readReferences(in, fileBytes);
    rank.blocks = readReferences(in, fileBytes);
    rank.records();
  }
  in.mustBeEmpty();
  return ranks;
}

} // namespace gnomon::trace
