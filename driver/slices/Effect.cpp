// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slices/Effect.h"

#include "trace-formats/Requests.h"
#include "trace/PollRecords.h"

#include <algorithm>

namespace gnomon::slices {
namespace {

using trace::RecordView;

constexpr std::string_view FileBegin = "MPI_File_";

Effect effectOnFile(std::string_view name) {
  static constexpr std::string_view Collectives[] = {
      "set_view", "set_size", "preallocate", "sync", "seek_shared", "set_atomicity", "set_info"};
  const std::string_view what = name.substr(FileBegin.size());
  if (what == "open")
    return Effect::OpenFile;
  if (what == "close")
    return Effect::CloseFile;
  if (what == "delete")
    return Effect::None; // it names a file, and no opening of it
  const bool meets =
      what.find("_all") != std::string_view::npos ||
      what.find("_ordered") != std::string_view::npos ||
      std::find(std::begin(Collectives), std::end(Collectives), what) != std::end(Collectives);
  return meets ? Effect::CollectiveOnFile : Effect::OnFile;
}

} // namespace

std::optional<int64_t> commOf(const RecordView &view) {
  const std::optional<int64_t> comm = view.value("comm");
  return comm ? comm : view.value("comm_old"); // of a grid
}

bool isBegin(std::string_view function) {
  return function.starts_with(FileBegin) && function.ends_with("_begin");
}

bool isEnd(std::string_view function) {
  return function.starts_with(FileBegin) && function.ends_with("_end");
}

/// By the fields: who has a destination sends, who has a communicator and no peer takes part in a
/// collective.
Effect effectOf(const RecordView &view) {
  const std::string_view name = view.name();
  if (trace::isVolume(name) || trace::isOfPolls(name) || name == trace::SleepFunction ||
      name == trace::ClockFunction || view.function().fields.empty() || name == "MPI_Init_thread")
    return Effect::None;
  if (name.starts_with(FileBegin))
    return effectOnFile(name);
  if (trace::completesRequests(name))
    return Effect::Complete;
  if (name == "MPI_Start" || name == "MPI_Startall")
    return Effect::Start;
  if (name == "MPI_Request_free")
    return Effect::Free;
  if (!commOf(view) || name.starts_with("MPI_P")) // windows, partitioned and matched messages
    return name == "MPI_Probe" && commOf(view) ? Effect::Probe : Effect::Unknown;
  if (name == "MPI_Iprobe")
    return Effect::Probe;
  if (name == "MPI_Mprobe" || name == "MPI_Improbe")
    return Effect::Unknown;
  const bool sends = view.has("dest"), receives = view.has("source");
  if (sends || receives)
    return sends && receives ? Effect::Both : sends ? Effect::Send : Effect::Receive;
  return Effect::Collective;
}

} // namespace gnomon::slices
