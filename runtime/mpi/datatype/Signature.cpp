// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sequences behind the numbers, and how two of them are compared.
#include "mpi/datatype/Signature.h"

#include <algorithm>
#include <compare>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <vector>

namespace gnomon::mpi {

namespace {

// A signature of one kind of data is Kind << 16 | bytes of an element; of a mixture Mixture | its
// number in the table of sequences.
constexpr uint32_t Mixture = 0x80000000, KindShift = 16;

/// So many elements of one kind, one after the other.
struct Run {
  uint32_t signature;
  int64_t elements;
  int64_t bytes() const { return elements * (signature & 0xffff); }
  friend auto operator<=>(const Run &, const Run &) = default;
};
/// What an endless repetition of it is made of: the shortest such sequence, neighbours joined.
using Sequence = std::vector<Run>;

/// Sequences of more runs than that are not told apart from anything.
constexpr size_t LongestSequence = 4096;

/// The sequences of all mixtures, each once: equal ones have equal numbers. Numbers are those of
/// first use, and are shown to nobody.
class SequenceTable {
public:
  uint32_t number(Sequence sequence) {
    const auto next = static_cast<uint32_t>(sequences_.size());
    const auto [place, isNew] = numbers_.try_emplace(std::move(sequence), next);
    if (isNew)
      sequences_.push_back(&place->first);
    return place->second;
  }
  const Sequence &at(uint32_t number) const { return *sequences_[number]; }

  static SequenceTable &instance() {
    static SequenceTable table;
    return table;
  }

private:
  std::map<Sequence, uint32_t> numbers_;
  std::vector<const Sequence *> sequences_;
};

Sequence sequenceOf(uint32_t signature) {
  if (signature & Mixture)
    return SequenceTable::instance().at(signature & ~Mixture);
  return {{signature, 1}};
}

int64_t bytesOf(const Sequence &sequence) {
  int64_t sum = 0;
  for (const Run &run : sequence)
    sum += run.bytes();
  return sum;
}

void append(Sequence &sequence, const Run &run) {
  if (!sequence.empty() && sequence.back().signature == run.signature)
    sequence.back().elements += run.elements;
  else
    sequence.push_back(run);
}

/// The shortest list whose repetition is \p runs (the prefix function of Knuth, Morris and Pratt).
size_t periodOf(const Sequence &runs) {
  std::vector<size_t> border(runs.size() + 1, 0);
  for (size_t i = 1, matched = 0; i < runs.size(); ++i) {
    while (matched > 0 && runs[i] != runs[matched])
      matched = border[matched];
    matched += runs[i] == runs[matched];
    border[i + 1] = matched;
  }
  const size_t period = runs.size() - border[runs.size()];
  return runs.size() % period == 0 ? period : runs.size();
}

/// The shortest sequence whose repetition \p sequence is. Where the last run is of the first one's
/// kind, the two are one in a repetition: the period is that of the sequence turned until they
/// meet.
Sequence rootOf(Sequence sequence) {
  if (sequence.size() == 1)
    return sequence;
  if (sequence.front().signature != sequence.back().signature) {
    sequence.resize(periodOf(sequence));
    return sequence;
  }
  const Run first = sequence.front();
  Sequence turned(sequence.begin() + 1, sequence.end());
  turned.back().elements += first.elements;
  turned.resize(periodOf(turned));
  turned.back().elements -= first.elements;
  turned.insert(turned.begin(), first);
  return turned;
}

/// The sequence of the parts; none when it is too long, a part matches everything, or there is none.
std::optional<Sequence> sequenceOf(std::span<const SignedPart> parts) {
  std::vector<Run> whole; // by part: its signature, and its bytes as elements
  for (const SignedPart &part : parts) {
    if (part.bytes == 0)
      continue;
    if (part.signature == 0)
      return std::nullopt;
    append(whole, {part.signature, part.repeat * part.bytes});
  }
  if (whole.empty())
    return std::nullopt;
  if (whole.size() == 1)
    return sequenceOf(whole[0].signature);
  Sequence sequence;
  for (const Run &part : whole) {
    const Sequence repeated = sequenceOf(part.signature);
    const int64_t times = part.elements / bytesOf(repeated);
    if (repeated.size() == 1)
      append(sequence, {repeated[0].signature, times});
    else if (times > static_cast<int64_t>(LongestSequence))
      return std::nullopt;
    else
      for (int64_t i = 0; i < times && sequence.size() <= LongestSequence; ++i)
        for (const Run &run : repeated)
          append(sequence, run);
    if (sequence.size() > LongestSequence)
      return std::nullopt;
  }
  return sequence;
}

/// Walks the runs of a sequence that is repeated for ever.
class Walk {
public:
  explicit Walk(const Sequence &sequence) : sequence_(sequence), left_(sequence[0].elements) {}
  uint32_t signature() const { return sequence_[run_].signature; }
  int64_t elements() const { return left_; }
  void advance(int64_t elements) {
    left_ -= elements;
    if (left_ > 0)
      return;
    run_ = (run_ + 1) % sequence_.size();
    left_ = sequence_[run_].elements;
  }

private:
  const Sequence &sequence_;
  size_t run_ = 0;
  int64_t left_;
};

} // namespace

uint32_t signatureOf(ElementKind kind, int64_t elementBytes) {
  return static_cast<uint32_t>(kind) << KindShift | static_cast<uint32_t>(elementBytes);
}

uint32_t signatureOf(std::span<const SignedPart> parts) {
  std::optional<Sequence> sequence = sequenceOf(parts);
  if (!sequence)
    return 0;
  const Sequence root = rootOf(std::move(*sequence));
  return root.size() == 1 ? root[0].signature : Mixture | SequenceTable::instance().number(root);
}

bool signaturesDiffer(uint32_t sent, uint32_t received, int64_t bytes) {
  if (sent == received || sent == 0 || received == 0)
    return false;
  const Sequence first = sequenceOf(sent), second = sequenceOf(received);
  // Two endless repetitions that agree for as long as both periods together are one (Fine and
  // Wilf).
  bytes = std::min(bytes, bytesOf(first) + bytesOf(second));
  for (Walk a(first), b(second); bytes > 0;) {
    if (a.signature() != b.signature())
      return true;
    const int64_t both = std::min(a.elements(), b.elements());
    bytes -= Run{a.signature(), both}.bytes();
    a.advance(both);
    b.advance(both);
  }
  return false;
}

std::string signatureText(uint32_t signature) {
  if (signature & Mixture)
    return "data of several kinds";
  const auto kind = static_cast<ElementKind>(signature >> KindShift);
  return fmt::format("{}-byte {}", signature & 0xffff,
                     kind == ElementKind::Floating  ? "floating-point numbers"
                     : kind == ElementKind::Complex ? "complex numbers"
                                                    : "integers");
}

} // namespace gnomon::mpi
