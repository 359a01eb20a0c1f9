// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/Access.h"

#include "io/Charge.h"
#include "io/DataMover.h"
#include "io/Meeting.h"
#include "io/Runtime.h"
#include "mpi.h"
#include "mpi/Operations.h"

#include <cstring>
#include <functional>
#include <memory>

namespace gnomon::io {

using mpi::Datatype;
using mpi::Request;
using Direction = models::DiskModel::Direction;

namespace {

int check(const File &file, const Access &access) {
  if (access.count < 0)
    return fail(file, MPI_ERR_COUNT, "invalid count: " + std::to_string(access.count));
  if (access.writes && !file.writable())
    return fail(file, MPI_ERR_READ_ONLY, "the file was opened with MPI_MODE_RDONLY");
  if (!access.writes && !file.readableByMode())
    return fail(file, MPI_ERR_ACCESS, "the file was opened with MPI_MODE_WRONLY");
  if (access.place == Place::Explicit && access.offset < 0)
    return fail(file, MPI_ERR_ARG, "invalid offset: " + std::to_string(access.offset));
  const bool ownPlace = access.place == Place::Explicit || access.place == Place::Individual;
  if (ownPlace && file.sequential())
    return fail(file, MPI_ERR_UNSUPPORTED_OPERATION,
                "a file opened with MPI_MODE_SEQUENTIAL has a shared pointer only");
  const int64_t bytes = access.count * file.view.representation->bytesOf(access.type);
  if (bytes % file.view.etypeBytes != 0)
    return fail(file, MPI_ERR_IO,
                std::to_string(bytes) +
                    " bytes are no whole number of etypes, "
                    "which have " +
                    std::to_string(file.view.etypeBytes));
  if (bytes > 0 && file.view.map->tileBytes() == 0)
    return fail(file, MPI_ERR_IO, "the view's filetype has no data");
  return MPI_SUCCESS;
}

/// Bytes in the file.
int64_t bytesOf(const File &file, const Access &access) {
  return access.count * file.view.representation->bytesOf(access.type);
}

/// What moving the bytes of an access came to.
struct Moved {
  int64_t bytes = 0; ///< of the user's buffer
  int error = MPI_SUCCESS;
  Footprint footprint;
};

/// Bytes of a user's buffer, and what they look like in the file.
class Payload {
public:
  Payload(const File &file, const Access &access)
      : representation_(*file.view.representation), access_(access),
        fileBytes_(io::bytesOf(file, access)),
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

/// Moves the bytes of \p access, from byte \p position of the view on.
Moved move(File &file, const Access &access, int64_t position) {
  Moved moved{0, MPI_SUCCESS, Footprint(file)};
  Payload payload(file, access);
  if (payload.fileBytes() == 0)
    return moved;
  auto visit = [&](int64_t offset, int64_t bytes) { moved.footprint.add(offset, bytes); };
  const StoredFile &stored = *file.shared->stored;
  if (access.writes) {
    moved.error = payload.encode();
    if (moved.error)
      return moved;
  }
  const MoveResult result = access.writes ? writeThrough(stored, *file.view.map, position,
                                                         payload.data(), payload.fileBytes(), visit)
                                          : readThrough(stored, *file.view.map, position,
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

using Turns = Meeting<int64_t, std::vector<int64_t>>;

/// The places of an ordered access: known when all ranks have said how much they move.
std::shared_ptr<Turns> takeTurn(File &file, const Access &access, int tag) {
  SharedFile &shared = *file.shared;
  return bring<int64_t, std::vector<int64_t>>(file.comm, tag, bytesOf(file, access),
                                              [&](Turns &turns) {
                                                for (int64_t bytes : turns.values) {
                                                  turns.result.push_back(shared.sharedPosition);
                                                  shared.sharedPosition += bytes;
                                                }
                                              });
}

/// Has the time of what was moved pass, and completes \p request.
void finishWith(File &file, const Access &access, const Moved &moved, Request &request) {
  request.taskBytes = moved.bytes;
  request.error = moved.error;
  charge(file, request, access.writes ? Direction::Write : Direction::Read, moved.footprint,
         access.place == Place::Shared);
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

/// Begins an access whose arguments are right. Only a failure to move bytes at once is an error
/// here; later ones are the request's. \p request is null after an error.
int launch(File &file, const Access &access, Request *&request) {
  request = nullptr;
  if (access.place == Place::Ordered) {
    const int tag = file.comm.nextCollectiveTag();
    std::shared_ptr<Turns> turns = takeTurn(file, access, tag);
    Request *task = request = mpi::newTask(file.comm, access.name);
    mpi::DatatypeRef type(access.type); // the user may free it
    runAside(file, [&file, access, tag, turns, task, type] {
      synchronise(file.comm, tag);
      const int64_t place = turns->result[static_cast<size_t>(file.comm.rank())];
      finishWith(file, access, move(file, access, place), *task);
    });
    return MPI_SUCCESS;
  }
  const Moved moved = move(file, access, takePlace(file, access));
  if (moved.error)
    return moved.error;
  request = mpi::newTask(file.comm, access.name);
  if (!access.collective) {
    finishWith(file, access, moved, *request);
    return MPI_SUCCESS;
  }
  const int tag = file.comm.nextCollectiveTag();
  runAside(file, [&file, access, moved, tag, task = request] {
    synchronise(file.comm, tag);
    finishWith(file, access, moved, *task);
  });
  return MPI_SUCCESS;
}

} // namespace

int perform(File &file, const Access &access, MPI_Status *status) {
  if (int error = check(file, access))
    return error;
  int64_t place = 0;
  if (access.place == Place::Ordered) {
    const int tag = file.comm.nextCollectiveTag();
    std::shared_ptr<Turns> turns = takeTurn(file, access, tag);
    synchronise(file.comm, tag);
    place = turns->result[static_cast<size_t>(file.comm.rank())];
  } else {
    if (access.collective)
      synchronise(file.comm, file.comm.nextCollectiveTag());
    place = takePlace(file, access);
  }
  const Moved moved = move(file, access, place);
  if (moved.error)
    return moved.error;
  Request *request = mpi::newTask(file.comm, access.name);
  finishWith(file, access, moved, *request);
  return mpi::wait(request, status);
}

int start(File &file, const Access &access, MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
  if (int error = check(file, access))
    return error;
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
  if (int error = check(file, access))
    return error;
  file.split.name = access.name;
  if (access.place == Place::Ordered && file.view.representation->callsProgram()) {
    // The program's conversions cannot run beside the program: the whole access happens here.
    MPI_Status status;
    if (int error = perform(file, access, &status))
      return error;
    file.split.request = mpi::newTask(file.comm, access.name);
    file.split.request->taskBytes = mpi::statusBytes(status);
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
