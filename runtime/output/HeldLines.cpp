// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/HeldLines.h"

#include "output/OutputFile.h"
#include "process/image/Real.h"
#include "support/Check.h"
#include "support/Write.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace gnomon::output {
namespace {

constexpr size_t AheadBytes = size_t{64} << 10;

/// What stands before a line's text in the file.
struct Header {
  double seconds;
  uint64_t order;
  uint64_t bytes;
  int64_t descriptor;
};

size_t sizeOf(const HeldLine &line) { return sizeof line + line.text.size(); }

std::string temporaryFolder() {
  const char *folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}

} // namespace

HeldLines::~HeldLines() {
  if (file_ >= 0)
    syscall(SYS_close, file_);
}

bool HeldLines::firstIsInMemory() const {
  return heads_.empty() || (!memory_.empty() && heads_.top().line > memory_.top());
}

const HeldLine &HeldLines::next() const {
  return firstIsInMemory() ? memory_.top() : heads_.top().line;
}

void HeldLines::push(HeldLine line) {
  heldBytes_ += sizeOf(line);
  memory_.push(std::move(line));
  if (heldBytes_ > limitBytes_ && maySpill_)
    spill();
}

HeldLine HeldLines::pop() {
  if (firstIsInMemory()) {
    HeldLine line = memory_.top();
    memory_.pop();
    heldBytes_ -= sizeOf(line);
    return line;
  }
  Head head = heads_.top();
  heads_.pop();
  HeldLine line = std::move(head.line);
  if (readHead(head.run, head.line)) {
    heads_.push(std::move(head));
  } else if (heads_.empty()) { // the file has been read to its end
    runs_.clear();
    fileBytes_ = 0;
    (void)!GNOMON_REAL(ftruncate)(file_, 0);
  }
  return line;
}

/// Writes what is in memory as one sorted run. Without room for it, it stays in memory.
void HeldLines::spill() {
  if (file_ < 0)
    file_ = openNameless(temporaryFolder());
  Run run{fileBytes_, fileBytes_, {}, 0};
  std::vector<HeldLine> lines;
  lines.reserve(memory_.size());
  std::string block;
  maySpill_ = file_ >= 0;
  auto write = [&] {
    maySpill_ = maySpill_ && writeFullyAt(file_, block, run.end);
    run.end += block.size();
    block.clear();
  };
  for (; !memory_.empty(); memory_.pop()) {
    lines.push_back(memory_.top());
    const HeldLine &line = lines.back();
    const Header header{line.date.seconds, line.order, line.text.size(), line.descriptor};
    block.append(reinterpret_cast<const char *>(&header), sizeof header).append(line.text);
    if (block.size() >= AheadBytes)
      write();
  }
  write();
  if (!maySpill_) {
    memory_ = Earliest<HeldLine>({}, std::move(lines));
    return;
  }
  fileBytes_ = run.end;
  heldBytes_ = 0;
  runs_.push_back(std::move(run));
  Head head{{}, runs_.size() - 1};
  if (readHead(head.run, head.line))
    heads_.push(std::move(head));
}

/// The next \p bytes of a run; empty when they cannot be read.
std::string_view HeldLines::take(Run &run, size_t bytes) {
  if (run.ahead.size() - run.used < bytes) {
    run.ahead.erase(0, run.used);
    run.used = 0;
    const size_t had = run.ahead.size();
    const size_t more = std::min<uint64_t>(std::max(bytes - had, AheadBytes), run.end - run.next);
    run.ahead.resize(had + more);
    const ssize_t got =
        GNOMON_REAL(pread)(file_, run.ahead.data() + had, more, static_cast<off_t>(run.next));
    CHECK(got == static_cast<ssize_t>(more), "what was written to the file of held lines");
    run.next += more;
  }
  const std::string_view taken(run.ahead.data() + run.used, bytes);
  run.used += bytes;
  return taken;
}

/// Reads the next line of a run; false at its end.
bool HeldLines::readHead(size_t index, HeldLine &line) {
  Run &run = runs_[index];
  if (run.next == run.end && run.used == run.ahead.size()) {
    run.ahead = {};
    run.used = 0;
    return false;
  }
  Header header;
  std::memcpy(&header, take(run, sizeof header).data(), sizeof header);
  line = {{header.seconds},
          header.order,
          static_cast<int>(header.descriptor),
          std::string(take(run, header.bytes))};
  return true;
}

} // namespace gnomon::output
