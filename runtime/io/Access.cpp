// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/Access.h"

#include "io/Charge.h"
#include "io/DataMover.h"
#include "io/Meeting.h"
#include "io/Runtime.h"
#include "io/TwoPhase.h"
#include "mpi.h"
#include "mpi/request/Operations.h"

#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gnomon::io {

using mpi::Datatype;
using mpi::Request;
using Direction = models::DiskModel::Direction;

namespace {

int check(const File &file, const Access &access) {
  if (access.count < 0)
    return fail(file, MPI_ERR_COUNT, fmt::format("invalid count: {}", access.count));
  if (access.writes && !file.writable())
    return fail(file, MPI_ERR_READ_ONLY, "the file was opened with MPI_MODE_RDONLY");
  if (!access.writes && !file.readableByMode())
    return fail(file, MPI_ERR_ACCESS, "the file was opened with MPI_MODE_WRONLY");
  if (access.place == Place::Explicit && access.offset < 0)
    return fail(file, MPI_ERR_ARG, fmt::format("invalid offset: {}", access.offset));
  const bool ownPlace = access.place == Place::Explicit || access.place == Place::Individual;
  if (ownPlace && file.sequential())
    return fail(file, MPI_ERR_UNSUPPORTED_OPERATION,
                "a file opened with MPI_MODE_SEQUENTIAL has a shared pointer only");
  const int64_t bytes = access.count * file.view.representation->bytesOf(access.type);
  if (bytes % file.view.etypeBytes != 0)
    return fail(file, MPI_ERR_IO,
                fmt::format("{} bytes are no whole number of etypes, which have {}", bytes,
                            file.view.etypeBytes));
  if (bytes > 0 && file.view.map->tileBytes() == 0)
    return fail(file, MPI_ERR_IO, "the view's filetype has no data");
  return MPI_SUCCESS;
}

/// Bytes in the file.
int64_t bytesOf(const File &file, const Access &access) {
  return access.count * file.view.representation->bytesOf(access.type);
}

/// Where the bytes of an access are: what the file's view was at the call, and a place in it.
struct Target {
  std::shared_ptr<const FileMap> map;
  RepresentationRef representation;
  int64_t position; ///< bytes of the view
};

Target targetOf(const File &file, int64_t position) {
  return {file.view.map, file.view.representation, position};
}

/// What moving the bytes of an access came to.
struct Moved {
  int64_t bytes = 0; ///< of the user's buffer
  int error = MPI_SUCCESS;
  Footprint footprint;
  std::vector<Span> parts; ///< of a collective access: the file's runs
};

/// Bytes of a user's buffer, and what they look like in the file.
class Payload {
public:
  Payload(const Representation &representation, const Access &access)
      : representation_(representation), access_(access),
        fileBytes_(access.count * representation.bytesOf(access.type)),
        direct_(representation_.isNative() && access.type.contiguous(access.count)) {
    if (!direct_)
      converted_.reset(new char[static_cast<size_t>(fileBytes_)]);
  }
  char *data() { return direct_ ? static_cast<char *>(access_.buffer) : converted_.get(); }
  int64_t fileBytes() const { return fileBytes_; }
  int encode() {
    return direct_ ? MPI_SUCCESS
                   : representation_.encode(access_.buffer, access_.count, access_.type, data());
  }
  /// After \p moved bytes of the file have been read: bytes of the buffer, in \p bytes.
  int decode(int64_t moved, int64_t &bytes);

private:
  const Representation &representation_;
  const Access &access_;
  int64_t fileBytes_;
  bool direct_;
  std::unique_ptr<char[]> converted_;
};

int Payload::decode(int64_t moved, int64_t &bytes) {
  bytes = moved;
  if (direct_ || moved == 0)
    return MPI_SUCCESS;
  const Datatype &type = access_.type;
  if (representation_.isNative()) {
    mpi::unpackBytes(data(), moved, access_.buffer, access_.count, type);
    return MPI_SUCCESS;
  }
  const int64_t elementBytes = fileBytes_ / access_.count, whole = moved / elementBytes;
  bytes = whole * type.size();
  if (int error = representation_.decode(data(), whole, type, access_.buffer))
    return error;
  if (moved % elementBytes == 0)
    return MPI_SUCCESS;
  // The file ends within an element: what is not there is zero, and not given to the user.
  std::memset(data() + moved, 0, static_cast<size_t>(elementBytes - moved % elementBytes));
  std::vector<char> last(static_cast<size_t>(type.trueExtent()));
  char *element = last.data() - type.trueLowerBound();
  if (int error = representation_.decode(data() + whole * elementBytes, 1, type, element))
    return error;
  const int64_t part = moved % elementBytes * type.size() / elementBytes;
  std::vector<char> packed(static_cast<size_t>(part));
  mpi::packBytes(element, 1, type, packed.data(), part);
  mpi::unpackBytes(packed.data(), part, static_cast<char *>(access_.buffer) + whole * type.extent(),
                   1, type);
  bytes += part;
  return MPI_SUCCESS;
}

/// Moves the bytes of \p access.
Moved move(File &file, const Access &access, const Target &target) {
  Moved moved{0, MPI_SUCCESS, Footprint(file), {}};
  Payload payload(*target.representation, access);
  if (payload.fileBytes() == 0)
    return moved;
  auto visit = [&](int64_t offset, int64_t bytes) {
    moved.footprint.add(offset, bytes);
    if (access.collective)
      moved.parts.push_back({offset, offset + bytes});
  };
  StoredFile &stored = *file.shared->stored;
  if (access.writes) {
    moved.error = payload.encode();
    if (moved.error)
      return moved;
  }
  const MoveResult result = access.writes ? writeThrough(stored, *target.map, target.position,
                                                         payload.data(), payload.fileBytes(), visit)
                                          : readThrough(stored, *target.map, target.position,
                                                        payload.data(), payload.fileBytes(), visit);
  if (result.systemError) {
    moved.error = fail(file, errorOf(result.systemError, file.shared->path));
    return moved;
  }
  moved.bytes = access.count * access.type.size();
  if (!access.writes)
    moved.error = payload.decode(result.bytes, moved.bytes);
  return moved;
}

/// Of an access that needs no other rank to know its place; moves the pointer on.
int64_t takePlace(File &file, const Access &access) {
  const int64_t bytes = bytesOf(file, access);
  switch (access.place) {
  case Place::Individual:
    return std::exchange(file.position, file.position + bytes);
  case Place::Shared:
    return std::exchange(file.shared->sharedPosition, file.shared->sharedPosition + bytes);
  default:
    return file.view.positionOf(access.offset);
  }
}

/// What a rank brings to the meeting of a collective access.
struct Part {
  int64_t bytes = 0; ///< in the file; none when its arguments are wrong
  Target target;
  Buffering buffering; ///< that of rank 0 counts
};

/// What the last to come concludes for all.
struct Plan {
  std::vector<int64_t> positions;     ///< in the views, by rank
  std::shared_ptr<TwoPhase> exchange; ///< null: each rank moves its part by itself
};

using Turns = Meeting<Part, Plan>;

/// A rank's part in a collective access that has been called.
struct Turn {
  int tag;
  std::shared_ptr<Turns> turns;
};

/// The bytes of the file that a rank's part goes from and to.
Span spanOf(const Part &part, int64_t position) {
  if (part.bytes == 0)
    return {};
  const FileMap &map = *part.target.map;
  return {map.offsetOf(position), map.offsetOf(position + part.bytes - 1) + 1};
}

void conclude(File &file, const Access &access, Turns &turns) {
  Plan &plan = turns.result;
  std::vector<Span> spans;
  Span whole{std::numeric_limits<int64_t>::max(), 0};
  for (const Part &part : turns.values) {
    int64_t position = part.target.position;
    if (access.place == Place::Ordered)
      position =
          std::exchange(file.shared->sharedPosition, file.shared->sharedPosition + part.bytes);
    plan.positions.push_back(position);
    spans.push_back(spanOf(part, position));
    if (part.bytes > 0)
      whole = {std::min(whole.begin, spans.back().begin), std::max(whole.end, spans.back().end)};
  }
  const Buffering &buffering = turns.values.front().buffering;
  const bool buffers = wantsBuffering(access.writes ? buffering.writes : buffering.reads, spans);
  if (buffers && whole.begin < whole.end)
    plan.exchange = std::make_shared<TwoPhase>(
        file, access.writes ? Direction::Write : Direction::Read, whole, buffering);
}

/// Says which part this rank has of a collective access; \p position as takePlace() gives it. A
/// rank whose arguments are wrong takes part all the same, so that nobody waits for it for ever.
Turn takeTurn(File &file, const Access &access, bool valid) {
  Part part{0, targetOf(file, 0), Buffering::of(file.hints)};
  if (valid) {
    part.bytes = bytesOf(file, access);
    if (access.place != Place::Ordered)
      part.target.position = takePlace(file, access);
  }
  const int tag = file.comm.nextCollectiveTag();
  return {tag, bring<Part, Plan>(file.comm, tag, std::move(part),
                                 [&](Turns &turns) { conclude(file, access, turns); })};
}

/// Once the turn's meeting is over.
Target targetOf(const File &file, const Turn &turn) {
  const auto rank = static_cast<size_t>(file.comm.rank());
  Target target = turn.turns->values[rank].target;
  target.position = turn.turns->result.positions[rank];
  return target;
}

/// What the request's result says of what was moved.
void keep(Request &request, const Moved &moved) {
  auto &access = *request.as<mpi::FileAccess>();
  access.bytes = moved.bytes;
  access.error = moved.error;
}

/// Has the time of what was moved pass, and completes \p request.
void finishWith(File &file, const Access &access, const Moved &moved, Request &request) {
  keep(request, moved);
  charge(file, request, access.writes ? Direction::Write : Direction::Read, moved.footprint,
         access.place == Place::Shared);
}

/// The same of a part of a collective access; \p request null: this rank has an error to report,
/// and only keeps nobody waiting.
void finishWith(File &file, const Access &access, const Moved &moved, const Turn &turn,
                Request *request) {
  if (const std::shared_ptr<TwoPhase> &exchange = turn.turns->result.exchange) {
    if (request)
      keep(*request, moved);
    exchange->join(file.comm.rank(), moved.parts, request);
  } else if (request) {
    finishWith(file, access, moved, *request);
  }
}

/// Work of a rank beside its own fiber.
struct Helper {
  std::function<void()> work;
  kernel::Fiber *fiber = nullptr;
};

void giveBackStack(void *fiber, uint64_t) {
  process::world().engine.release(*static_cast<kernel::Fiber *>(fiber));
}

void runHelper(void *argument) {
  std::unique_ptr<Helper> helper(static_cast<Helper *>(argument));
  helper->work();
  // Nobody stands on this stack any more when the scheduler plays its next event.
  kernel::Engine &engine = process::world().engine;
  engine.at(engine.now(), {giveBackStack, helper->fiber, 0});
}

void runAside(File &file, std::function<void()> work) {
  auto *helper = new Helper{std::move(work)};
  helper->fiber = &process::world().engine.spawn(runHelper, helper, &file.owner());
}

/// Begins a collective access whose meeting and whose bytes' moving happen beside the program; \p
/// request null: this rank's arguments are wrong.
void launchTogether(File &file, const Access &access, Request *request) {
  const Turn turn = takeTurn(file, access, request);
  const bool programConverts = request && file.view.representation->callsProgram();
  // The program's conversions cannot run beside the program.
  std::optional<Moved> early;
  if (programConverts)
    early = move(file, access, turn.turns->values[static_cast<size_t>(file.comm.rank())].target);
  mpi::DatatypeRef type(access.type); // the user may free it, and close the file
  runAside(file, [own = file.shared_from_this(), access, turn, request, type, early] {
    synchronise(own->comm, turn.tag);
    Moved moved{0, MPI_SUCCESS, Footprint(*own), {}};
    if (early)
      moved = *early;
    else if (request)
      moved = move(*own, access, targetOf(*own, turn));
    finishWith(*own, access, moved, turn, request);
  });
}

/// Begins an access. Wrong arguments, and what goes wrong at once when bytes of one rank alone are
/// moved, are errors here; later ones are the request's. \p request is null after an error.
int launch(File &file, const Access &access, Request *&request) {
  request = nullptr;
  const int error = check(file, access);
  if (access.collective) {
    if (!error)
      request = newAccess(file, access.name);
    launchTogether(file, access, request);
    return error;
  }
  if (error)
    return error;
  const Moved moved = move(file, access, targetOf(file, takePlace(file, access)));
  if (moved.error)
    return moved.error;
  request = newAccess(file, access.name);
  finishWith(file, access, moved, *request);
  return MPI_SUCCESS;
}

int performTogether(File &file, const Access &access, MPI_Status *status) {
  const bool valid = check(file, access) == MPI_SUCCESS;
  const Turn turn = takeTurn(file, access, valid);
  synchronise(file.comm, turn.tag);
  Moved moved{0, MPI_SUCCESS, Footprint(file), {}};
  if (valid)
    moved = move(file, access, targetOf(file, turn));
  const int error = valid ? moved.error : check(file, access); // its message may be gone
  Request *request = error ? nullptr : newAccess(file, access.name);
  finishWith(file, access, moved, turn, request);
  return error ? error : mpi::wait(request, status);
}

} // namespace

int perform(File &file, const Access &access, MPI_Status *status) {
  if (access.collective)
    return performTogether(file, access, status);
  Request *request;
  if (int error = launch(file, access, request))
    return error;
  return mpi::wait(request, status);
}

int start(File &file, const Access &access, MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
  Request *started;
  if (int error = launch(file, access, started))
    return error;
  *request = mpi::expose(*started);
  return MPI_SUCCESS;
}

int begin(File &file, const Access &access) {
  if (file.split.request)
    return fail(file, MPI_ERR_OTHER,
                std::string(file.split.name) + "_begin has not been ended: a file can have one "
                                               "split collective at a time");
  file.split.name = access.name;
  if (access.place == Place::Ordered && file.view.representation->callsProgram()) {
    // The program's conversions cannot run beside the program: the whole access happens here.
    MPI_Status status;
    if (int error = perform(file, access, &status))
      return error;
    file.split.request = newAccess(file, access.name);
    file.split.request->as<mpi::FileAccess>()->bytes = mpi::statusBytes(status);
    mpi::completeTask(*file.split.request);
    return MPI_SUCCESS;
  }
  return launch(file, access, file.split.request);
}

int end(File &file, const char *name, MPI_Status *status) {
  if (!file.split.request)
    return fail(file, MPI_ERR_OTHER, std::string(name) + "_begin was not called before");
  if (std::strcmp(file.split.name, name) != 0)
    return fail(file, MPI_ERR_OTHER,
                "what was begun is " + std::string(file.split.name) + ", not this");
  return mpi::wait(std::exchange(file.split.request, nullptr), status);
}

} // namespace gnomon::io
