// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a call does to others, by its name and fields.
#pragma once

#include "trace-formats/RecordView.h"

namespace gnomon::slices {

enum class Effect : uint8_t {
  None,
  Send,
  Receive,
  Both,
  Probe,
  Collective,
  Start,
  Complete,
  Free,
  OpenFile, ///< a collective, too
  CloseFile,
  CollectiveOnFile,
  OnFile, ///< of one rank
  Unknown
};
Effect effectOf(const trace::RecordView &view);
/// The communicator of a call; nothing where it has none, as calls on files.
std::optional<int64_t> commOf(const trace::RecordView &view);

/// Collectives on files in two parts follow each other: a `_begin`, and the `_end` of it.
bool isBegin(std::string_view function);
bool isEnd(std::string_view function);

} // namespace gnomon::slices
