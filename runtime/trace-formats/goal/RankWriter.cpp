// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/goal/RankWriter.h"

#include "support/Error.h"
#include "trace-formats/Calls.h"

#include <cmath>
#include <unordered_map>

namespace gnomon::trace::goal {

/// GOAL's tags have 32 bits, of which the highest number is any tag. Expanded collectives have the
/// upper half of them.
constexpr int64_t MostTag = int64_t{UINT32_MAX} - 1, CollectiveTags = int64_t{1} << 31;
/// Nonblocking ones, of which several may be under way, have a tag each in turn.
constexpr int64_t NonblockingTags = CollectiveTags + (int64_t{1} << 30);
constexpr int64_t TagsInTurn = 1024, MostTaggedCommunicators = int64_t{1} << 20;

/// What is to be done with a function.
enum class RankWriter::What : uint8_t {
  Unknown,
  Nothing,
  Untimed, ///< left out, and said so
  Compute,
  Sleep,
  Send,
  Receive,
  Isend,
  Ireceive,
  SendReceive,
  Start,
  Complete,
  Collective,
};

RankWriter::What RankWriter::whatOf(std::string_view function) {
  static const std::unordered_map<std::string_view, What> table = {
      {"compute", What::Compute},
      {"part", What::Compute},
      {"clock", What::Untimed},
      {"sleep", What::Sleep},
      {"poll", What::Untimed},
      {"until", What::Nothing},
      {"MPI_Init", What::Nothing},
      {"MPI_Init_thread", What::Nothing},
      {"MPI_Finalize", What::Nothing},
      {"MPI_Request_free", What::Nothing},
      {"MPI_Comm_dup", What::Untimed},
      {"MPI_Comm_split", What::Untimed},
      {"MPI_Comm_create", What::Untimed},
      {"MPI_Comm_free", What::Untimed},
      {"MPI_Cart_create", What::Untimed},
      {"MPI_Cart_sub", What::Untimed},
      {"MPI_Probe", What::Untimed},
      {"MPI_Iprobe", What::Untimed},
      {"MPI_Send", What::Send},
      {"MPI_Bsend", What::Send},
      {"MPI_Ssend", What::Send},
      {"MPI_Rsend", What::Send},
      {"MPI_Recv", What::Receive},
      {"MPI_Isend", What::Isend},
      {"MPI_Ibsend", What::Isend},
      {"MPI_Issend", What::Isend},
      {"MPI_Irsend", What::Isend},
      {"MPI_Send_init", What::Isend},
      {"MPI_Bsend_init", What::Isend},
      {"MPI_Ssend_init", What::Isend},
      {"MPI_Rsend_init", What::Isend},
      {"MPI_Irecv", What::Ireceive},
      {"MPI_Recv_init", What::Ireceive},
      {"MPI_Sendrecv", What::SendReceive},
      {"MPI_Sendrecv_replace", What::SendReceive},
      {"MPI_Start", What::Start},
      {"MPI_Startall", What::Start},
      {"MPI_Barrier", What::Collective},
      {"MPI_Bcast", What::Collective},
      {"MPI_Reduce", What::Collective},
      {"MPI_Allreduce", What::Collective},
      {"MPI_Scan", What::Collective},
      {"MPI_Exscan", What::Collective},
      {"MPI_Gather", What::Collective},
      {"MPI_Gatherv", What::Collective},
      {"MPI_Scatter", What::Collective},
      {"MPI_Scatterv", What::Collective},
      {"MPI_Allgather", What::Collective},
      {"MPI_Allgatherv", What::Collective},
      {"MPI_Alltoall", What::Collective},
      {"MPI_Alltoallv", What::Collective},
      {"MPI_Reduce_scatter", What::Collective},
      {"MPI_Reduce_scatter_block", What::Collective},
  };
  if (completesRequests(function))
    return What::Complete;
  const auto found = table.find(function);
  return found == table.end() ? What::Unknown : found->second;
}

RankWriter::RankWriter(const Source &source, const Groups &groups, const std::string &path,
                       uint32_t rank, Target &target, const WriteOptions &options, Losses &losses)
    : source_(source), path_(path), rank_(rank), options_(options), losses_(losses),
      groups_(groups), graph_(target) {}

void RankWriter::refuse(const RecordView &view, const std::string &why) const {
  throw InputError(path_, 0,
                   fmt::format("rank {}, record {}: {}: {}", rank_, record_, view.name(), why));
}

void RankWriter::take(const RecordView &view) {
  switch (whatOf(view.name())) {
  case What::Unknown:
    if (const std::optional<std::string> blocking = blockingFormOf(view.name());
        blocking && whatOf(*blocking) == What::Collective) {
      startCollective(view, *blocking);
      break;
    }
    refuse(view, "GOAL has only messages and computation; replay the trace with 'gnomon replay'");
  case What::Nothing:
    break;
  case What::Untimed:
    losses_.add(fmt::format("{}: left out", view.name()));
    break;
  case What::Compute:
    compute(view);
    break;
  case What::Sleep:
    pass(realOf(need(view, "seconds")), view);
    break;
  case What::Send:
  case What::Receive:
    blocking(view, whatOf(view.name()) == What::Send);
    break;
  case What::Isend:
  case What::Ireceive:
    nonblocking(view, whatOf(view.name()) == What::Isend);
    break;
  case What::SendReceive:
    sendReceive(view);
    break;
  case What::Start:
    if (const std::optional<int64_t> slot = view.value("request"))
      start(view, *slot);
    for (const int64_t slot : view.list("requests"))
      start(view, slot);
    break;
  case What::Complete:
    complete(view);
    break;
  case What::Collective:
    collective(view);
    break;
  }
  ++record_;
}

int64_t RankWriter::need(const RecordView &view, std::string_view field) const {
  const std::optional<int64_t> value = view.value(field);
  if (!value)
    refuse(view, fmt::format("the record has no field '{}'", field));
  return *value;
}

//===-------------------------------------- computation ---------------------------------------===//

void RankWriter::compute(const RecordView &view) {
  const double instructions = realOf(need(view, "instructions"));
  double seconds = realOf(need(view, "seconds"));
  if (options_.flopsPerSecond > 0 && !std::isnan(instructions))
    seconds = instructions / options_.flopsPerSecond;
  else if (std::isnan(seconds) && source_.facts().secondsPerFlop > 0)
    seconds = instructions * source_.facts().secondsPerFlop;
  if (std::isnan(seconds))
    refuse(view, "no seconds were measured; '--rate R' gives instructions a second, by which its "
                 "instructions become time");
  pass(seconds, view);
}

/// Whole nanoseconds; what is left over is added to the next ones.
void RankWriter::pass(double seconds, const RecordView &view) {
  constexpr double Most = 1e18;
  const double exact = rest_ + seconds * 1e9;
  if (!(exact > -1 && exact < Most))
    refuse(view, "a time that has no number of nanoseconds");
  const double whole = std::max(0.0, std::nearbyint(exact));
  rest_ = exact - whole;
  if (whole > 0)
    graph_.blocking(fmt::format("calc {}", static_cast<uint64_t>(whole)));
}

//===---------------------------------------- messages ----------------------------------------===//

/// Of the buffer; that of MPI_IN_PLACE is the receive buffer's.
int64_t RankWriter::bytes(const RecordView &view, std::string_view buffer) const {
  const int64_t count = need(view, fmt::format("{}.count", buffer));
  if (count == InPlace && buffer == "sendbuf")
    return bytes(view, "recvbuf");
  int64_t bytes = 0;
  if (count == Absent || count == InPlace)
    return 0;
  if (__builtin_mul_overflow(count, need(view, fmt::format("{}.size", buffer)), &bytes) ||
      bytes < 0)
    refuse(view, "the buffer has no size that can be written");
  return bytes;
}

/// "send 8b to 1 tag 0"; empty where the peer is MPI_PROC_NULL.
std::string RankWriter::operation(const RecordView &view, bool isSend, std::string_view buffer,
                                  std::string_view tagField) const {
  const int64_t comm = need(view, "comm"), peer = need(view, isSend ? "dest" : "source");
  const int64_t tag = need(view, tagField);
  if (peer == NullPeer)
    return {};
  const bool one = source_.communicators().size() <= 2 && !options_.expandCollectives;
  const std::optional<int64_t> flat =
      tag == AnyTag && one
          ? std::optional<int64_t>(-1)
          : groups_.flatTag(comm, tag, options_.expandCollectives ? CollectiveTags - 1 : MostTag);
  if (!flat)
    refuse(view,
           fmt::format("tag {} of communicator {}: GOAL has one communicator, and tags must be "
                       "below {} to tell others, and collectives, apart",
                       tag, comm, TagsOfCommunicator));
  const std::optional<uint32_t> world = groups_.world(comm, peer, rank_);
  if (peer != AnyPeer && (!world || *world >= source_.facts().ranks))
    refuse(view, fmt::format("rank {} of communicator {} is none of the trace's first {}", peer,
                             comm, source_.facts().ranks));
  return fmt::format("{} {}b {} {} tag {}", isSend ? "send" : "recv", bytes(view, buffer),
                     isSend ? "to" : "from", peer == AnyPeer ? -1 : int64_t{*world}, *flat);
}

void RankWriter::blocking(const RecordView &view, bool isSend) {
  if (const std::string text = operation(view, isSend, "buf", "tag"); !text.empty())
    graph_.blocking(text);
}

void RankWriter::nonblocking(const RecordView &view, bool isSend) {
  const int64_t slot = need(view, "request");
  requests_[slot] = {operation(view, isSend, "buf", "tag"), {}};
  if (!view.name().ends_with("_init"))
    start(view, slot);
}

void RankWriter::start(const RecordView &view, int64_t slot) {
  const auto found = requests_.find(slot);
  if (found == requests_.end())
    refuse(view, fmt::format("there is no request {} to start", slot));
  if (!found->second.operation.empty())
    found->second.labels = {graph_.started(found->second.operation)};
}

void RankWriter::complete(const RecordView &view) {
  requestUse(view, use_);
  if (use_.completed.empty() && view.name().starts_with("MPI_Test"))
    losses_.add(fmt::format("{} that found nothing: left out", view.name()));
  for (const int64_t slot : use_.completed) {
    const auto found = requests_.find(slot);
    if (found == requests_.end())
      continue;
    for (const uint64_t label : found->second.labels)
      graph_.wait(label);
    found->second.labels.clear();
  }
}

void RankWriter::sendReceive(const RecordView &view) {
  const bool replace = view.name() == "MPI_Sendrecv_replace";
  const std::string received = operation(view, false, replace ? "buf" : "recvbuf", "recvtag");
  const std::string sent = operation(view, true, replace ? "buf" : "sendbuf", "sendtag");
  const uint64_t first = received.empty() ? 0 : graph_.started(received);
  const uint64_t second = sent.empty() ? 0 : graph_.started(sent);
  for (const uint64_t label : {first, second})
    if (label != 0)
      graph_.wait(label);
}

//===-------------------------------------- collectives ---------------------------------------===//

uint32_t RankWriter::root(const RecordView &view) const {
  const int64_t root = need(view, "root");
  if (root < 0 || root >= int64_t{groups_.size(need(view, "comm"))})
    refuse(view, "the root is none of the communicator's processes");
  return static_cast<uint32_t>(root);
}

/// One number of bytes for each process, or the list's.
Expansion::Bytes RankWriter::blocks(const RecordView &view, std::string_view buffer) const {
  std::span<const int64_t> counts = view.list(fmt::format("{}.counts", buffer));
  if (view.has(fmt::format("{}.count", buffer)))
    return {bytes(view, buffer), {}, 1};
  if (buffer == "sendbuf" && (counts.empty() || counts[0] < 0)) // MPI_IN_PLACE
    return blocks(view, "recvbuf");
  if (!counts.empty() && counts.size() != groups_.size(need(view, "comm")))
    refuse(view, "its counts are not one for each process");
  for (const int64_t count : counts)
    if (count < 0 || count > (int64_t{1} << 53))
      refuse(view, "a count is out of range");
  return {0, counts, need(view, fmt::format("{}.size", buffer))};
}

void RankWriter::collective(const RecordView &view) {
  Expansion of = expansion(view, CollectiveTags + need(view, "comm"));
  expand(view, view.name(), of);
}

/// Its messages depend on each other and on what was before; the rank goes on beside them.
void RankWriter::startCollective(const RecordView &view, const std::string &blocking) {
  const int64_t comm = need(view, "comm"), slot = need(view, "request");
  const auto turn = static_cast<int64_t>(started_[comm]++ % uint64_t{TagsInTurn});
  if (comm >= MostTaggedCommunicators)
    refuse(view, "there are too many communicators for GOAL's tags");
  Expansion of = expansion(view, NonblockingTags + comm * TagsInTurn + turn);
  Graph::Position here = graph_.branch();
  expand(view, blocking, of);
  requests_[slot] = {{}, graph_.joined(std::move(here))};
}

Expansion RankWriter::expansion(const RecordView &view, int64_t tag) {
  if (!options_.expandCollectives)
    refuse(view, "GOAL has no collectives; '--expand-collectives' writes them as messages, by an "
                 "algorithm each that docs/traces.md names");
  const int64_t comm = need(view, "comm");
  const auto [place, isNew] = placeIn_.try_emplace(comm);
  if (isNew)
    place->second = groups_.rankIn(comm, rank_);
  const std::optional<uint32_t> me = place->second;
  if (groups_.isInter(comm) || !me)
    refuse(view, fmt::format("communicator {} is none that this rank can be in", comm));
  if (comm >= NonblockingTags - CollectiveTags)
    refuse(view, "there are too many communicators for GOAL's tags");
  return Expansion(graph_, groups_.size(comm), *me, tag,
                   [this, comm](uint32_t process) { return *groups_.world(comm, process, rank_); });
}

void RankWriter::expand(const RecordView &view, std::string_view name, Expansion &expansion) {
  if (name == "MPI_Barrier")
    expansion.barrier();
  else if (name == "MPI_Bcast")
    expansion.broadcast(root(view), bytes(view, "buffer"));
  else if (name == "MPI_Reduce")
    expansion.reduce(root(view), bytes(view, "sendbuf"));
  else if (name == "MPI_Allreduce")
    expansion.allreduce(bytes(view, "sendbuf"));
  else if (name == "MPI_Scan" || name == "MPI_Exscan")
    expansion.scan(bytes(view, "sendbuf"));
  else
    expandLists(view, name, expansion);
}

void RankWriter::expandLists(const RecordView &view, std::string_view name, Expansion &expansion) {
  if (name.starts_with("MPI_Gather"))
    expansion.gather(root(view), bytes(view, "sendbuf"), blocks(view, "recvbuf"));
  else if (name.starts_with("MPI_Scatter"))
    expansion.scatter(root(view), blocks(view, "sendbuf"), bytes(view, "recvbuf"));
  else if (name.starts_with("MPI_Allgather"))
    expansion.allgather(blocks(view, "recvbuf"));
  else if (name.starts_with("MPI_Alltoall"))
    expansion.alltoall(blocks(view, "sendbuf"), blocks(view, "recvbuf"));
  else
    expansion.reduceScatter(blocks(view, "recvbuf"));
}

} // namespace gnomon::trace::goal
