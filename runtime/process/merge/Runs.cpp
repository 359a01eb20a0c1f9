// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/merge/Runs.h"

#include "process/image/PageFile.h"

#include <algorithm>
#include <iterator>

namespace gnomon::process::merge {
namespace {

uint32_t pages(uintptr_t begin, uintptr_t end) {
  return static_cast<uint32_t>((end - begin) / PageFile::PageBytes);
}

} // namespace

void Runs::remove(uintptr_t begin, uintptr_t end) {
  auto run = runs_.upper_bound(begin);
  if (run != runs_.begin())
    --run;
  while (run != runs_.end() && run->first < end) {
    const auto [first, old] = *run;
    if (old.end <= begin) {
      ++run;
      continue;
    }
    run = runs_.erase(run);
    if (first < begin)
      runs_[first] = {begin, old.original};
    if (old.end > end)
      runs_[end] = {old.end, old.original + pages(first, end)};
  }
}

void Runs::add(uintptr_t begin, uintptr_t end, uint32_t original) {
  remove(begin, end);
  const auto after = runs_.lower_bound(end);
  if (after != runs_.end() && after->first == end &&
      after->second.original == original + pages(begin, end)) {
    end = after->second.end;
    runs_.erase(after);
  }
  auto before = runs_.lower_bound(begin);
  if (before != runs_.begin()) {
    --before;
    if (before->second.end == begin &&
        before->second.original + pages(before->first, begin) == original) {
      before->second.end = end;
      return;
    }
  }
  runs_[begin] = {end, original};
}

void Runs::visit(uintptr_t begin, uintptr_t end,
                 const std::function<void(uintptr_t, uintptr_t)> &part) const {
  auto run = runs_.upper_bound(begin);
  if (run != runs_.begin())
    --run;
  for (; run != runs_.end() && run->first < end; ++run)
    if (run->second.end > begin)
      part(std::max(begin, run->first), std::min(end, run->second.end));
}

} // namespace gnomon::process::merge
