// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/Player.h"

#include "mpi/request/Operations.h"
#include "process/fold/Nowhere.h"
#include "process/ranks/Job.h"
#include "process/ranks/World.h"
#include "rma/Window.h"
#include "support/Check.h"
#include "support/Error.h"
#include "support/Number.h"
#include "support/Prefetch.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace gnomon::replay {

namespace {

[[noreturn]] void refuse(const std::string &what) { throw InputError("", 0, what); }

int toInt(int64_t value, const char *what) {
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
    refuse(fmt::format("{} {} does not fit an int", what, value));
  return static_cast<int>(value);
}

/// Whether a call of which the recorded run told an error took part in communication.
bool isPlayedThough(const Handler &handler, int error) {
  const bool ofMessage = error == MPI_ERR_TRUNCATE || error == MPI_ERR_IN_STATUS;
  return ofMessage ||
         (handler.kind != Handler::Kind::Other && handler.kind != Handler::Kind::Window);
}

/// Of a call that ended otherwise than the recorded one. Error classes may differ: of several errors
/// each rank tells one.
void compare(int code, int expected) {
  if (expected == MPI_SUCCESS)
    refuse(fmt::format("fails with MPI error class {}", code));
  if (code == MPI_SUCCESS && expected != MPI_ERR_TRUNCATE && expected != MPI_ERR_IN_STATUS)
    refuse(fmt::format("did well, where the recorded call failed with MPI error class {}: what a "
                       "file system refuses is not in a trace",
                       expected));
}

/// A rank of a job that a replayed spawn has started knows the first one's (Processes.cpp).
uint32_t recordedNumber(const process::Rank &rank) {
  if (rank.job->number == 0)
    return rank.number;
  return static_cast<uint32_t>(parseInteger(rank.app->arguments.at(1))) +
         (rank.number - rank.job->first);
}

} // namespace

Player::Player(Replay &replay, process::Rank &rank)
    : rank_(rank), fabric_(mpi::runtime().fabric), replay_(replay), host_(rank.host),
      takesCpuTime_(fabric_.takesCpuTime()), world_(*mpi::state(rank).world),
      recordedRank_(recordedNumber(rank)), functions_(replay.trace().functions()) {
  if (const auto *file = dynamic_cast<const trace::TraceFile *>(&replay.trace()))
    file_.emplace(*file, recordedRank_, 0);
  else
    cursor_ = replay.trace().open(recordedRank_);
  if (rank.job->number > 0)
    replay.startedAs(recordedRank_, rank.number);
  comms_[trace::World] = MPI_COMM_WORLD;
  comms_[trace::Self] = MPI_COMM_SELF;
  files_[0] = MPI_FILE_NULL; // that a program may try to close
  // What a program attached is not told.
  mpi::state(rank).rare().attached.address = MPI_BUFFER_AUTOMATIC;
}

void Player::run() {
  if (canPrepare())
    return playInTurns();
  trace::Cursor &cursor = file_ ? *file_ : *cursor_;
  trace::Record record;
  while (cursor.next(record)) {
    ++record_;
    play(record);
    replay_.onPlayed();
  }
}

/// Peers of prepared steps are ranks of MPI_COMM_WORLD.
bool Player::canPrepare() const {
  return file_ && rank_.job->number == 0 && static_cast<uint32_t>(world_.size()) == file_->ranks();
}

/// On the fiber: what turns do not play.
void Player::playInTurns() {
  for (halt_ = advance(); halt_ != Halt::End; halt_ = advance()) {
    if (halt_ == Halt::Waits)
      mpi::runtime().world.engine.park(*this);
    rank_.call = {};
    if (halt_ == Halt::End)
      return;
    if (halt_ == Halt::Error)
      raise();
    playByFiber();
    replay_.onPlayed();
  }
  rank_.call = {};
}

void Player::playByFiber() {
  const Prepared::Step *prepared = preparedStep();
  if (prepared && prepared->kind != Prepared::Kind::Other)
    play(*prepared);
  else
    play(file_->recordOf(file_->step()));
}

/// Of the present step; null where the block is not prepared.
inline const Prepared::Step *Player::preparedStep() {
  if (block_ != file_->block().get()) [[unlikely]]
    prepareBlock();
  return steps_ ? steps_ + file_->place() : nullptr;
}

[[gnu::noinline]] void Player::prepareBlock() {
  prepared_ = replay_.prepared(file_->block(), world_);
  block_ = prepared_->block.get();
  steps_ = prepared_->steps.empty() || polls_ ? nullptr : prepared_->steps.data();
}

inline int Player::peerOf(const Prepared::Step &step) const {
  const uint32_t peer = step.peer + file_->shift(), ranks = file_->ranks();
  return static_cast<int>(peer < ranks ? peer : peer - ranks);
}

bool Player::play() {
  halt_ = advance();
  return halt_ != Halt::Waits;
}

/// Asks for what the rank will touch when it goes on: the mailboxes to which it sends, the first message
/// in its own (which Fabric::received() has asked for), and its host, whose speed a computation needs.
void Player::fetch() const {
  constexpr size_t Ahead = 2;
  if (!waits_ || !steps_)
    return;
  const auto first = static_cast<size_t>(waits_ - steps_) + 1;
  const size_t end = std::min(first + Ahead, block_->steps.size());
  for (size_t next = first; next < end; ++next) {
    const Prepared::Kind kind = steps_[next].kind;
    if (kind == Prepared::Kind::Send)
      fabric_.fetchMailbox(static_cast<uint32_t>(peerOf(steps_[next])));
    else if (kind == Prepared::Kind::Receive)
      fabric_.mailbox(receive_.receiver).prefetchMessage();
    else if (kind == Prepared::Kind::Compute)
      fetchToRead(&fabric_.world().platform.hosts()[host_]);
  }
}

/// Plays on to what stops a turn. It may run on another stack than the rank's, which no exception may
/// reach.
Player::Halt Player::advance() {
  try {
    if (const Prepared::Step *waits = std::exchange(waits_, nullptr))
      if (const Halt halt = endWait(*waits); halt != Halt::None) [[unlikely]]
        return halt;
    return playSteps();
  } catch (...) {
    thrown_ = std::current_exception();
    return Halt::Error;
  }
}

[[gnu::always_inline]] inline Player::Halt Player::playSteps() {
  while (file_->nextStep()) {
    ++record_;
    const Prepared::Step *prepared = preparedStep();
    if (!prepared) [[unlikely]]
      return Halt::Fiber;
    rank_.call = {prepared->name, nullptr};
    if (const Halt halt = begin(*prepared); halt != Halt::None)
      return halt;
  }
  return Halt::End;
}

/// Plays \p step up to where it waits, or to its end. A part of what each record takes, like what it
/// calls: no call is worth its registers there.
[[gnu::always_inline]] inline Player::Halt Player::begin(const Prepared::Step &step) {
  using Kind = Prepared::Kind;
  switch (step.kind) {
  case Kind::Send:
    return beginSend(step);
  case Kind::Receive:
    return beginReceive(step);
  case Kind::Compute:
    return beginComputation(step);
  case Kind::Wait:
    return takesCpuTime_ ? Halt::Fiber : beginWait(step);
  case Kind::Isend:
    return takesCpuTime_ ? Halt::Fiber : end(step.play(*this, peerOf(step)));
  case Kind::Other:
    return Halt::Fiber;
  default: // none of which waits
    return end(step.play(*this, peerOf(step)));
  }
}

[[gnu::always_inline]] inline Player::Halt Player::beginSend(const Prepared::Step &step) {
  if (takesCpuTime_ && pays(step, fabric_.sendSeconds(step.bytes, p2p::SendMode::Standard, false)))
    return Halt::Waits;
  return post(step);
}

[[gnu::always_inline]] inline Player::Halt Player::post(const Prepared::Step &step) {
  constexpr p2p::SendMode Mode = p2p::SendMode::Standard;
  const auto post = [&](p2p::Send &send) {
    send.signature = step.signature;
    fabric_.postPaid(rank_.number, static_cast<uint32_t>(peerOf(step)),
                     {step.context, static_cast<int32_t>(rank_.number), step.tag}, step.buffer(),
                     Mode, send);
  };
  if (fabric_.isDetached(step.bytes, Mode)) [[likely]] { // nobody looks at it any more
    p2p::Send send;
    post(send);
    return end(MPI_SUCCESS);
  }
  send_ = {};
  post(send_);
  return send_.done ? end(MPI_SUCCESS) : await(step, send_);
}

[[gnu::always_inline]] inline Player::Halt Player::beginReceive(const Prepared::Step &step) {
  receive_ = {};
  receive_.signature = step.signature;
  receive_.pattern = {step.context, peerOf(step), step.tag};
  receive_.buffer = step.buffer();
  receive_.receiver = rank_.number;
  fabric_.post(receive_);
  return receive_.done ? endReceive(step) : await(step, receive_);
}

/// The message is there.
[[gnu::always_inline]] inline Player::Halt Player::endReceive(const Prepared::Step &step) {
  if (takesCpuTime_ && pays(step, fabric_.receiveSeconds(receive_)))
    return Halt::Waits;
  return end(resultOfReceive());
}

/// Whether the rank waits until CPU time of \p step has passed.
[[gnu::noinline]] bool Player::pays(const Prepared::Step &step, double seconds) {
  pays_ = seconds > 0 && mpi::runtime().world.engine.startSleep(seconds);
  if (pays_)
    waits_ = &step;
  return pays_;
}

[[gnu::always_inline]] inline Player::Halt Player::beginComputation(const Prepared::Step &step) {
  step.give(rank_);
  if (!rank_.burst.startGiven(rank_))
    return end(MPI_SUCCESS);
  waits_ = &step;
  return Halt::Waits;
}

[[gnu::noinline]] Player::Halt Player::beginWait(const Prepared::Step &step) {
  if (step.request >= requests_.size())
    return Halt::Fiber; // which says what is wrong
  mpi::Request *request = mpi::find<mpi::Request>(rank_, requests_[step.request]);
  if (!mpi::isActive(request) || request->done())
    return end(step.play(*this, 0));
  awaited_.request = request;
  return await(step, request->completion());
}

/// The rank waits in \p step for \p completion.
inline Player::Halt Player::await(const Prepared::Step &step, p2p::Completion &completion) {
  waits_ = &step;
  waiter_ = {rank_.fiber, 1};
  completion.waiter = &waiter_;
  mpi::Waiting::begin(rank_, awaited_);
  return Halt::Waits;
}

/// What \p step has waited for is there.
[[gnu::always_inline]] inline Player::Halt Player::endWait(const Prepared::Step &step) {
  if (step.kind == Prepared::Kind::Compute)
    return end(MPI_SUCCESS);
  if (std::exchange(pays_, false)) [[unlikely]]
    return step.kind == Prepared::Kind::Send ? post(step) : end(resultOfReceive());
  mpi::Waiting::end(rank_);
  if (step.kind == Prepared::Kind::Receive)
    return endReceive(step);
  return end(step.kind == Prepared::Kind::Wait ? step.play(*this, 0) : MPI_SUCCESS);
}

/// An error class.
[[gnu::always_inline]] inline int Player::resultOfReceive() {
  if (mpi::isPlain(receive_)) [[likely]]
    return MPI_SUCCESS;
  return mpi::endReceive(world_, receive_);
}

/// A step has ended.
[[gnu::always_inline]] inline Player::Halt Player::end(int code) {
  if (code != MPI_SUCCESS) [[unlikely]] {
    code_ = code;
    return Halt::Error;
  }
  replay_.onPlayed();
  return Halt::None;
}

void Player::raise() {
  if (thrown_)
    std::rethrow_exception(thrown_);
  const char *name = preparedStep()->name;
  try {
    compare(code_, MPI_SUCCESS);
  } catch (const InputError &error) {
    throw InputError("", 0, where(name) + ": " + error.what());
  }
  CHECK(false, "an error class that is none");
}

mpi::WaitNote Player::Awaited::note() const {
  using Kind = mpi::WaitNote::Kind;
  const Prepared::Step &step = *player.waits_;
  if (step.kind == Prepared::Kind::Wait) {
    mpi::WaitNote note{Kind::All};
    note.requests = {&request, 1};
    return note;
  }
  const bool sends = step.kind == Prepared::Kind::Send;
  const int64_t bytes = sends ? step.count * step.type->size() : 0;
  return {sends ? Kind::Send : Kind::Receive,
          &player.world_,
          mpi::Channel::User,
          player.peerOf(step),
          step.tag,
          bytes};
}

std::string Player::Awaited::text(const process::Rank &rank) const { return note().text(rank); }

void Player::Awaited::listAwaited(std::vector<uint32_t> &awaited) const {
  note().listAwaited(awaited);
}

/// On the fiber.
void Player::play(const Prepared::Step &step) {
  const process::CallSite before = rank_.call;
  rank_.call = {step.name, nullptr};
  try {
    if (const int code = step.play(*this, peerOf(step)); code != MPI_SUCCESS) [[unlikely]]
      compare(code, MPI_SUCCESS);
  } catch (const InputError &error) {
    throw InputError("", 0, where(step.name) + ": " + error.what());
  }
  rank_.call = before;
}

std::string Player::where(const char *function) const {
  return fmt::format("rank {}, record {}{}{}", recordedRank_, record_, *function ? ", " : "",
                     function);
}

void Player::play(const trace::Record &record) {
  const char *name = "";
  const process::CallSite before = rank_.call;
  try {
    if (record.function >= functions_.size())
      refuse("a function that the trace does not name");
    const trace::Function &function = functions_[record.function];
    name = function.name.c_str();
    const Binding &binding = replay_.binding(record.function);
    if (!binding.handler)
      refuse("calls of this function cannot be replayed");
    const Call call(binding, function, record.values, memory_);
    const int expected = call.error();
    if (expected != MPI_SUCCESS && !isPlayedThough(*binding.handler, expected)) [[unlikely]]
      return; // it was refused, and communicated nothing
    rank_.call = {binding.handler->name, nullptr};
    const int code = binding.handler->play(*this, call);
    if (code != expected) [[unlikely]]
      compare(code, expected);
  } catch (const InputError &error) {
    throw InputError("", 0, where(name) + ": " + error.what());
  }
  rank_.call = before;
  if (polls_ && !replay_.binding(record.function).betweenPolls) [[unlikely]]
    polls_->end();
  if (!ofCall_.empty())
    ofCall_.clear();
  if (!memory_.scaled.empty())
    memory_.scaled.clear();
}

/// Communicators that no call has made: a started rank's world, and that with its parents.
MPI_Comm Player::inherited(int64_t row) const {
  const auto &rows = replay_.trace().communicators();
  if (rank_.job->number == 0 || row < 0 || static_cast<size_t>(row) >= rows.size())
    return MPI_COMM_NULL;
  const trace::Group &group = rows[static_cast<size_t>(row)];
  const auto isOwnJob = [&](const std::vector<uint32_t> &members) {
    return members.size() == rank_.job->count &&
           members.front() == recordedRank_ - (rank_.number - rank_.job->first);
  };
  if (group.remote.empty())
    return isOwnJob(group.members) ? MPI_COMM_WORLD : MPI_COMM_NULL;
  const mpi::Comm *parent = mpi::state(rank_).parent;
  return parent && (isOwnJob(group.members) || isOwnJob(group.remote)) ? parent->handle
                                                                       : MPI_COMM_NULL;
}

mpi::Comm &Player::made(int64_t row) {
  auto found = comms_.find(row);
  if (found == comms_.end())
    if (MPI_Comm handle = inherited(row); handle != MPI_COMM_NULL)
      found = comms_.emplace(row, handle).first;
  mpi::Comm *comm = found == comms_.end() ? nullptr : mpi::find<mpi::Comm>(rank_, found->second);
  if (!comm)
    refuse(fmt::format("communicator {} is none of the rank's", row));
  return *comm;
}

MPI_Comm *Player::commHandle(int64_t row) {
  comm(row);
  return &comms_[row];
}

void Player::keepComm(int64_t row, MPI_Comm handle) {
  if ((row == trace::NullRow) != (handle == MPI_COMM_NULL))
    refuse("makes a communicator where the recorded run made none, or none where it did");
  if (row != trace::NullRow)
    comms_[row] = handle;
}

mpi::Win &Player::win(int64_t number) {
  const auto found = wins_.find(number);
  mpi::Win *win = found == wins_.end() ? nullptr : mpi::find<mpi::Win>(rank_, found->second);
  if (!win)
    refuse(fmt::format("window {} is none of the rank's", number));
  return *win;
}

MPI_Win *Player::winHandle(int64_t number) {
  win(number);
  return &wins_[number];
}

mpi::File &Player::file(int64_t slot) {
  if (slot == 0)
    refuse("the trace does not say which file: it is of an earlier version; record the run again");
  mpi::File *file = mpi::find<mpi::File>(rank_, *fileHandle(slot));
  if (!file)
    refuse(fmt::format("file {} is closed", slot));
  return *file;
}

MPI_File *Player::fileHandle(int64_t slot) {
  const auto found = files_.find(slot);
  if (found == files_.end())
    refuse(fmt::format("file {} is none of the rank's", slot));
  return &found->second;
}

void Player::keepFile(int64_t slot, MPI_File handle) {
  if (slot <= 0)
    refuse("opens a file where the recorded run opened none");
  files_[slot] = handle;
}

mpi::Info *Player::hints(std::span<const int64_t> texts) {
  if (texts.size() % 2 != 0)
    refuse("a hint without a value");
  hints_ = {};
  for (size_t i = 0; i < texts.size(); i += 2)
    hints_.set(replay_.text(texts[i]), replay_.text(texts[i + 1]));
  return texts.empty() ? nullptr : &hints_;
}

mpi::Request &Player::requestObject(int64_t slot) {
  mpi::Request *found = mpi::find<mpi::Request>(rank_, *request(slot));
  if (!found)
    refuse(fmt::format("request {} has ended", slot));
  return *found;
}

MPI_Request *Player::request(int64_t slot) {
  if (slot <= 0 || static_cast<uint64_t>(slot) >= requests_.size())
    refuse(fmt::format("request {} is none of the rank's", slot));
  return &requests_[static_cast<size_t>(slot)];
}

MPI_Request *Player::requests(std::span<const int64_t> slots) {
  auto *array = kept<MPI_Request>(slots.size(), 0);
  for (size_t i = 0; i < slots.size(); ++i)
    array[i] = slots[i] ? *request(slots[i]) : MPI_REQUEST_NULL;
  return array;
}

/// The array that requests() gave is the call's last.
void Player::takeBack(std::span<const int64_t> slots) {
  const auto *array = reinterpret_cast<const MPI_Request *>(ofCall_.back().get());
  for (size_t i = 0; i < slots.size(); ++i)
    if (slots[i])
      *request(slots[i]) = array[i];
}

void Player::keepRequest(int64_t slot, MPI_Request handle) {
  constexpr int64_t Most = 1 << 28;
  if (slot <= 0 || slot > Most)
    refuse(fmt::format("request {} is no slot", slot));
  const auto place = static_cast<size_t>(slot);
  if (place >= requests_.size())
    requests_.resize(place + 1, MPI_REQUEST_NULL);
  requests_[place] = handle;
}

const mpi::Group &Player::group(int64_t row) {
  const auto &sets = replay_.trace().sets();
  if (row < 0 || static_cast<size_t>(row) >= sets.size())
    refuse(fmt::format("set {} is none of the trace's", row));
  std::unique_ptr<mpi::Group> &group = groups_[row];
  if (!group) {
    std::vector<uint32_t> members = sets[static_cast<size_t>(row)];
    for (uint32_t &member : members)
      member = replay_.process(member);
    group = std::make_unique<mpi::Group>(mpi::Members::list(std::move(members)), rank_.number);
  }
  return *group;
}

std::vector<mpi::Request *> Player::activeRequests(std::span<const int64_t> slots) {
  std::vector<mpi::Request *> active;
  for (const int64_t slot : slots)
    if (slot != 0)
      if (mpi::Request *found = mpi::find<mpi::Request>(rank_, *request(slot));
          found && found->active)
        active.push_back(found);
  return active;
}

Polls::Message Player::pattern(int64_t source, int64_t tag, const mpi::Comm &comm) {
  return {&comm, {comm.context(mpi::Channel::User), peer(source, comm), receivedTag(tag)}};
}

int Player::peer(int64_t value, const mpi::Comm &comm) {
  if (value == trace::NullPeer)
    return MPI_PROC_NULL;
  if (value == trace::AnyPeer)
    return MPI_ANY_SOURCE;
  if (value < 0 || value >= comm.peers())
    refuse(fmt::format("rank {} in a communicator of {}", value, comm.peers()));
  return static_cast<int>(value);
}

int Player::root(int64_t value, const mpi::Comm &comm) const {
  return value == trace::RootPeer ? MPI_ROOT : peer(value, comm);
}

int Player::tag(int64_t value) {
  if (value < 0)
    refuse(fmt::format("tag {}", value));
  return toInt(value, "tag");
}

int Player::receivedTag(int64_t value) { return value == trace::AnyTag ? MPI_ANY_TAG : tag(value); }

void *Player::address(const Piece &piece) {
  return piece.inPlace ? MPI_IN_PLACE : process::fold::nowhere();
}

MPI_Datatype *Player::types(const Piece &piece, int64_t length, int64_t slot) {
  if (!piece.given)
    return nullptr;
  if (static_cast<int64_t>(piece.sizes.size()) < length)
    refuse(fmt::format("{} types where there must be {}", piece.sizes.size(), length));
  auto *array = kept<MPI_Datatype>(piece.sizes.size(), slot);
  for (size_t i = 0; i < piece.sizes.size(); ++i) {
    MPI_Datatype &handle = types_[piece.sizes[i]];
    if (!handle) {
      mpi::Datatype &type = replay_.type(piece.sizes[i]);
      type.retain();
      handle = type.handle() ? type.handle() : mpi::insert<mpi::Datatype>(rank_, &type);
    }
    array[i] = handle;
  }
  return array;
}

template <class T> T *Player::kept(size_t length, int64_t slot) {
  auto memory = std::make_unique_for_overwrite<char[]>(sizeof(T) * std::max<size_t>(length, 1));
  auto *array = reinterpret_cast<T *>(memory.get());
  (slot ? ofSlots_[slot] : ofCall_).push_back(std::move(memory));
  return array;
}

const int64_t *Player::counts(const Piece &piece, int64_t length, int64_t slot) {
  if (!piece.given)
    return nullptr;
  if (piece.length < length)
    refuse(fmt::format("{} counts where there must be {}", piece.length, length));
  auto *array = kept<int64_t>(static_cast<size_t>(piece.length), slot);
  std::copy_n(piece.counts, piece.length, array);
  return array;
}

const int64_t *Player::zeros(int64_t length, int64_t slot) {
  auto *array = kept<int64_t>(static_cast<size_t>(length), slot);
  std::fill_n(array, length, 0);
  return array;
}

const int *Player::weights(int64_t weighted, size_t edges) {
  if (!weighted)
    return MPI_UNWEIGHTED;
  int *array = kept<int>(edges, 0);
  std::fill_n(array, edges, 0);
  return array;
}

const int *Player::ints(std::span<const int64_t> values, int64_t length) {
  if (static_cast<int64_t>(values.size()) < length)
    refuse(fmt::format("{} numbers where there must be {}", values.size(), length));
  auto *array = kept<int>(values.size(), 0);
  for (size_t i = 0; i < values.size(); ++i)
    array[i] = toInt(values[i], "number");
  return array;
}

} // namespace gnomon::replay
