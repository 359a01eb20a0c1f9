// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/WrittenFiles.h"

#include "facts/MpiRoles.h"
#include "gnomon/Module.h"
#include "gnomon/NameCommands.h"
#include "names/HookCode.h"
#include "names/HookNames.h"
#include "slice/Program.h"
#include "slice/Scope.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <fcntl.h>
#include <optional>
#include <sys/mman.h>
#include <sys/stat.h>

using namespace llvm;

namespace gnomon {
namespace {

/// Functions that make a way by which data may come back, now or later, that no call of the runtime
/// sees: pipes, memory that is a file, streams that are memory, files without a name.
constexpr StringLiteral Ways[] = {
    "pipe",      "pipe2",       "socketpair", "socket",       "popen",        "mkfifo",
    "mkfifoat",  "mknod",       "mknodat",    "memfd_create", "shm_open",     "tmpfile",
    "tmpfile64", "mkstemp",     "mkstemp64",  "mkostemp",     "mkostemp64",   "mkstemps",
    "mkostemps", "openat",      "openat64",   "__openat_2",   "__openat64_2", "open_memstream",
    "fmemopen",  "fopencookie", "syscall",
};

/// Functions that read or copy a file, or ask for its length, unseen, while they are called.
constexpr StringLiteral Unseen[] = {
    "sendfile",     "sendfile64",   "copy_file_range", "splice",        "tee",        "vmsplice",
    "readv",        "preadv",       "preadv64",        "preadv2",       "preadv64v2", "aio_read",
    "aio_read64",   "lio_listio",   "__pread_chk",     "__pread64_chk", "fork",       "vfork",
    "posix_spawn",  "posix_spawnp", "statx",           "fstatat",       "fstatat64",  "__fxstatat",
    "__fxstatat64", "__fpending",
};

/// C's functions that write contents, or see to it that they are in the file.
constexpr StringLiteral Writers[] = {
    "fprintf", "vfprintf", "__fprintf_chk", "__vfprintf_chk",  "fputs",   "fputs_unlocked", "putc",
    "fputc",   "_IO_putc", "fwrite",        "fwrite_unlocked", "dprintf", "__dprintf_chk",  "write",
    "pwrite",  "pwrite64", "fflush",        "fflush_unlocked", "fsync",   "_FortranAFlush",
};

StringRef calleeOf(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() ? callee->getName() : StringRef();
}

std::optional<int64_t> numberAt(const CallBase &call, unsigned index) {
  const auto *number =
      index < call.arg_size() ? dyn_cast<ConstantInt>(call.getArgOperand(index)) : nullptr;
  return number ? std::optional(number->getSExtValue()) : std::nullopt;
}

/// The text of a constant, Fortran's without its blanks.
std::optional<StringRef> textOf(const Value &value, int64_t length = -1) {
  StringRef text;
  if (!getConstantStringInfo(&value, text, /*TrimAtNul=*/length < 0))
    return std::nullopt;
  return length < 0 ? text : text.take_front(size_t(length)).rtrim(' ');
}

/// What flang's runtime calls a word of INQUIRE (flang/Runtime/io-api.h).
constexpr int64_t hashOf(const char *word) {
  int64_t hash = 1;
  for (; *word; ++word)
    hash = 26 * hash + (*word - 'A');
  return hash;
}
static_assert(hashOf("SIZE") == 779406);

/// "ios::in" and "ios::out" of libstdc++.
constexpr int64_t In = 8, Out = 16;

/// The variables that the text may lie in, or that hold its address.
SmallPtrSet<const Value *, 4> holdersOf(const Value &name) {
  SmallPtrSet<const Value *, 4> holders;
  SmallVector<const Value *, 4> work{&name};
  for (unsigned steps = 0; !work.empty() && steps < 16; ++steps) {
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(work.pop_back_val(), objects);
    for (const Value *object : objects)
      if (const auto *load = dyn_cast<LoadInst>(object))
        work.push_back(load->getPointerOperand());
      else if (!isa<ConstantPointerNull, UndefValue>(object))
        holders.insert(object);
  }
  return holders;
}

/// Whether the stream surely came from a call that opened a file for reading.
bool isOpenedForReading(const Value &stream) {
  const auto *call = dyn_cast<CallBase>(&stream);
  if (!call || !calleeOf(*call).starts_with("fopen") || call->arg_size() < 2)
    return false;
  std::optional<StringRef> mode = textOf(*call->getArgOperand(1));
  return mode && mode->starts_with("r") && !mode->contains('+');
}

/// Whether nothing is looked at of what stat found but what kind of file it is.
bool isOnlyAsked(const Value &buffer) {
  const auto *variable = dyn_cast<AllocaInst>(&buffer);
  return variable && all_of(variable->users(), [&](const User *user) {
           if (const auto *field = dyn_cast<GetElementPtrInst>(user)) {
             APInt offset(64, 0);
             return field->accumulateConstantOffset(variable->getDataLayout(), offset) &&
                    offset == offsetof(struct stat, st_mode) &&
                    all_of(field->users(), [](const User *next) {
                      const auto *load = dyn_cast<LoadInst>(next);
                      return load && load->getType()->isIntegerTy(32);
                    });
           }
           const auto *call = dyn_cast<CallBase>(user);
           return call && (call->isLifetimeStartOrEnd() || calleeOf(*call).ends_with("stat") ||
                           calleeOf(*call).ends_with("stat64"));
         });
}

/// Of C++'s library: a length is asked for, or a file copied.
bool asksCxx(StringRef name) {
  return any_of(ArrayRef<StringRef>{"_ZNSo5tellp", "_ZNSi5tellg", "_ZNSt10filesystem9file_size",
                                    "_ZNSt10filesystem4copy", "_ZNSt10filesystem9copy_file"},
                [&](StringRef begin) { return name.starts_with(begin); });
}

/// An INQUIRE of Fortran's.
bool asksForLength(const CallBase &inquire) {
  const std::optional<int64_t> asked = numberAt(inquire, 1);
  return !asked || is_contained({hashOf("SIZE"), hashOf("POS"), hashOf("NEXTREC")}, *asked);
}

/// By what a call may see what the program has written: what it is handed (GNOMON_READS_*), and its argument that says
/// that, or -1.
struct ReadBack {
  uint32_t what;
  int of;
  bool stream = false; ///< FILE *, which stands for its descriptor
};

/// Of C's functions that ask for a length, or for more than that.
ReadBack askedBy(const CallBase &call, StringRef name) {
  if (name.starts_with("ftell") || name.starts_with("fgetpos"))
    return {GNOMON_READS_DESCRIPTOR, 0, true};
  if (name.starts_with("lseek") || name.starts_with("fstat"))
    return name.starts_with("fstatat") ? ReadBack{GNOMON_READS_ANY, -1}
                                       : ReadBack{GNOMON_READS_DESCRIPTOR, 0};
  return !call.arg_empty() && call.getArgOperand(0)->getType()->isPointerTy()
             ? ReadBack{GNOMON_READS_PATH, 0}
             : ReadBack{GNOMON_READS_ANY, -1};
}

/// Of C's functions that open a file, or make it readable, by a way that the runtime does not see. (It sees fopen's.)
std::optional<ReadBack> opensUnseen(const CallBase &call, StringRef name) {
  constexpr uint32_t FromNowOn = GNOMON_READS_FROM_NOW_ON;
  auto mode = [&](unsigned index) { return textOf(*call.getArgOperand(index)); };
  if (name == "mmap" || name == "mmap64") {
    const std::optional<int64_t> flags = numberAt(call, 3);
    if (flags && *flags & MAP_ANONYMOUS)
      return std::nullopt;
    return ReadBack{FromNowOn | GNOMON_READS_DESCRIPTOR, 4};
  }
  if (name == "fcntl" || name == "fcntl64") {
    const std::optional<int64_t> command = numberAt(call, 1);
    if (command && *command != F_DUPFD && *command != F_DUPFD_CLOEXEC)
      return std::nullopt;
    return ReadBack{FromNowOn | GNOMON_READS_DESCRIPTOR, 0};
  }
  if (name == "fdopen" || name.starts_with("freopen")) {
    if (const std::optional<StringRef> how = mode(1);
        how && !how->starts_with("r") && !how->contains('+'))
      return std::nullopt;
    return name == "fdopen" ? ReadBack{FromNowOn | GNOMON_READS_DESCRIPTOR, 0}
                            : ReadBack{FromNowOn | GNOMON_READS_PATH, 0};
  }
  return std::nullopt;
}

/// A command for the shell of which the program looks at what it gives back.
bool asksCommand(const CallBase &call) {
  const StringRef name = calleeOf(call);
  if (name == "_FortranAExecuteCommandLine") // exitstat, cmdstat and cmdmsg
    return any_of(ArrayRef<unsigned>{2, 3, 4}, [&](unsigned index) {
      return index < call.arg_size() && !isa<ConstantPointerNull>(call.getArgOperand(index));
    });
  return name == "system" && !call.use_empty();
}

std::optional<ReadBack> readBackBy(const CallBase &call) {
  const StringRef name = calleeOf(call);
  if (name.empty() || mpiFunction(call))
    return std::nullopt;
  if (is_contained(Ways, name) || name.starts_with("_ZNSt13basic_fstream"))
    return ReadBack{GNOMON_READS_FROM_NOW_ON | GNOMON_READS_ANY, -1};
  if (is_contained(Unseen, name) || name.starts_with("exec") || asksCxx(name))
    return ReadBack{GNOMON_READS_ANY, -1};
  if (name.starts_with("ftell") || name.starts_with("fgetpos") || name == "lseek" ||
      name == "lseek64" || name.ends_with("stat") || name.ends_with("stat64"))
    return askedBy(call, name);
  if (name.starts_with("_FortranAioInquireInteger"))
    return asksForLength(call) ? std::optional(ReadBack{GNOMON_READS_ANY, -1}) : std::nullopt;
  if (asksCommand(call))
    return ReadBack{GNOMON_READS_COMMAND, -1};
  return opensUnseen(call, name);
}

/// Whether a constant is, or holds the address of, a text that begins with a command of names.
bool namesCommand(const Value &value) {
  if (const auto *parts = dyn_cast<ConstantAggregate>(&value)) // a descriptor of Fortran's
    return any_of(parts->operands(), [](const Use &part) { return namesCommand(*part); });
  const std::optional<StringRef> text = isa<Constant>(value) ? textOf(value) : std::nullopt;
  return text && beginsWithNameCommand(*text);
}

/// Whether a command for the shell may read or copy files: it is a text that begins otherwise than with a command of names,
/// or is made where no text begins so. The run looks at each command.
bool mayReadFiles(const CallBase &command) {
  const Value &given = *command.getArgOperand(0);
  if (textOf(given))
    return !namesCommand(given);
  return none_of(instructions(*command.getFunction()), [](const Instruction &other) {
    return any_of(other.operands(), [](const Use &use) { return namesCommand(*use); });
  });
}

/// MPI_File_open's arguments are the same in all bindings.
bool opensByMpi(const CallBase &call) {
  const MpiFunction *mpi = mpiFunction(call);
  return mpi && mpi->name == "MPI_File_open" && call.arg_size() >= 3;
}

/// MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR of mpi.h.
constexpr int64_t ReadOnly = 2, WriteOnly = 4;

} // namespace

void addUnitHooks(Module &module) {
  // As gnomon_unit has it.
  enum Use : int { Connect, Write, Read };
  SmallVector<std::pair<CallBase *, Use>, 16> statements;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      StringRef name = call ? calleeOf(*call) : "";
      if (!name.consume_front("_FortranAioBegin"))
        continue;
      const bool data = name.starts_with("External") || name.starts_with("Unformatted");
      if (name == "OpenUnit" || name == "Close")
        statements.emplace_back(call, Connect);
      else if (data && (name.ends_with("Output") || name.ends_with("Input")))
        statements.emplace_back(call, name.ends_with("Output") ? Write : Read);
    }
  IRBuilder<> builder(module.getContext());
  FunctionCallee hook = module.getOrInsertFunction(hook::gnomon_unit, builder.getVoidTy(),
                                                   builder.getInt32Ty(), builder.getInt32Ty());
  for (auto [call, use] : statements)
    for (const llvm::Use &argument : call->args())
      if (argument->getType()->isIntegerTy(32)) {
        builder.SetInsertPoint(call);
        markAsHook(*builder.CreateCall(hook, {argument.get(), builder.getInt32(use)}));
        break;
      }
}

/// A descriptor, a stream's, or an address, as 64 bits.
static Value *numberOf(Value &given, bool stream, IRBuilder<> &builder) {
  Value *number = &given;
  if (stream) {
    FunctionCallee fileno = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
        "fileno", builder.getInt32Ty(), builder.getPtrTy());
    markAsHook(*cast<Instruction>(number = builder.CreateCall(fileno, {number})));
  }
  number = number->getType()->isPointerTy()
               ? builder.CreatePtrToInt(number, builder.getInt64Ty())
               : builder.CreateSExtOrTrunc(number, builder.getInt64Ty());
  if (auto *made = dyn_cast<Instruction>(number))
    markAsHook(*made);
  return number;
}

void addReadBackHooks(Module &module, bool onlyCommands) {
  SmallVector<std::pair<CallBase *, ReadBack>, 16> found;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const std::optional<ReadBack> way = readBackBy(*call);
            way && (!onlyCommands || way->what == GNOMON_READS_COMMAND))
          found.emplace_back(call, *way);
  IRBuilder<> builder(module.getContext());
  FunctionCallee hook = module.getOrInsertFunction(hook::gnomon_reads_back, builder.getVoidTy(),
                                                   builder.getInt32Ty(), builder.getInt64Ty());
  for (auto [call, way] : found) {
    builder.SetInsertPoint(call);
    Value *of = builder.getInt64(0);
    if (way.of >= 0)
      of = numberOf(*call->getArgOperand(unsigned(way.of)), way.stream, builder);
    markAsHook(*builder.CreateCall(hook, {builder.getInt32(way.what), of}));
  }
}

WrittenFiles::WrittenFiles(const Program &program, FilesWish wish)
    : program_(program), wish_(wish) {
  for (const Function &function : program.module())
    for (const Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call))
        look(*call);
}

void WrittenFiles::look(const CallBase &call) {
  if (opensByMpi(call)) {
    const std::optional<int64_t> mode = constantArgument(call, 2);
    openings_.push_back({.call = &call,
                         .name = call.getArgOperand(1),
                         .reads = !mode || !(*mode & WriteOnly),
                         .writes = !mode || !(*mode & ReadOnly),
                         .byMpi = true});
    return;
  }
  StringRef name = calleeOf(call);
  if (name.empty() || mpiFunction(call))
    return;
  lookAtC(call, name) || lookAtCxx(call, name) || lookAtFortran(call, name);
}

/// By a mode as fopen's; one for both is a sign by itself.
void WrittenFiles::openWith(const CallBase &call, const Value *name, StringRef mode) {
  if (mode.contains('+'))
    ways_.push_back(&call);
  openings_.push_back({.call = &call,
                       .name = name,
                       .reads = mode.starts_with("r"),
                       .writes = !mode.starts_with("r") || mode.contains('+')});
}

bool WrittenFiles::lookAtC(const CallBase &call, StringRef name) {
  if (is_contained(Ways, name)) {
    ways_.push_back(&call);
  } else if (name == "mmap" || name == "mmap64") {
    const std::optional<int64_t> flags = numberAt(call, 3);
    if (!flags || !(*flags & MAP_ANONYMOUS))
      ways_.push_back(&call);
  } else if (is_contained(Unseen, name) || name.starts_with("exec")) {
    unseen_.push_back(&call);
  } else if (name == "system" || name == "_FortranAExecuteCommandLine") {
    if (mayReadFiles(call))
      unseen_.push_back(&call);
    if (asksCommand(call))
      asked_.push_back(&call);
  } else if (name == "fcntl" || name == "fcntl64") {
    const std::optional<int64_t> command = numberAt(call, 1);
    if (!command || *command == F_DUPFD || *command == F_DUPFD_CLOEXEC)
      ways_.push_back(&call);
  } else if (name == "fopen" || name == "fopen64") {
    if (std::optional<StringRef> mode = textOf(*call.getArgOperand(1)))
      openWith(call, call.getArgOperand(0), *mode);
    else
      openings_.push_back({.call = &call, .name = call.getArgOperand(0)});
  } else if (name == "fdopen" || name.starts_with("freopen")) {
    // What is read by such a stream is read inside the C library.
    std::optional<StringRef> mode = textOf(*call.getArgOperand(1));
    if (!mode || mode->starts_with("r") || mode->contains('+'))
      ways_.push_back(&call);
    else if (name != "fdopen")
      openWith(call, call.getArgOperand(0), *mode);
  } else if (name == "open" || name == "open64" || name == "__open_2" || name == "__open64_2" ||
             name == "creat" || name == "creat64") {
    const std::optional<int64_t> flags = name.starts_with("creat") ? O_WRONLY : numberAt(call, 1);
    const int64_t mode = flags ? *flags & O_ACCMODE : O_RDWR;
    if (flags && mode == O_RDWR)
      ways_.push_back(&call);
    openings_.push_back({.call = &call,
                         .name = call.getArgOperand(0),
                         .reads = mode != O_WRONLY,
                         .writes = mode != O_RDONLY});
  } else if (name.starts_with("ftell") || name.starts_with("fgetpos")) {
    if (!isOpenedForReading(*call.getArgOperand(0)))
      unseen_.push_back(&call);
  } else if (name == "lseek" || name == "lseek64") {
    if (!call.use_empty())
      unseen_.push_back(&call);
  } else if (name.ends_with("stat") || name.ends_with("stat64")) {
    if (call.arg_empty() || !isOnlyAsked(*call.getArgOperand(call.arg_size() - 1)))
      unseen_.push_back(&call);
  } else {
    return false;
  }
  return true;
}

bool WrittenFiles::lookAtCxx(const CallBase &call, StringRef name) {
  if (!name.starts_with("_Z"))
    return false;
  if (asksCxx(name)) {
    unseen_.push_back(&call);
    return true;
  }
  if (name.starts_with("_ZNSt13basic_fstream")) {
    ways_.push_back(&call);
    return true;
  }
  const bool output = name.starts_with("_ZNSt14basic_ofstream"),
             input = name.starts_with("_ZNSt14basic_ifstream");
  if (!output && !input && !name.starts_with("_ZNSt13basic_filebuf"))
    return false;
  // Constructors and members open() take a name and a mode.
  if (!name.ends_with("St13_Ios_Openmode") || call.arg_size() < 3)
    return true;
  const std::optional<int64_t> mode = numberAt(call, 2);
  const bool reads = input || (!output && !mode) || (mode && *mode & In),
             writes = output || (!input && !mode) || (mode && *mode & Out);
  if (mode && reads && writes)
    ways_.push_back(&call);
  openings_.push_back(
      {.call = &call, .name = call.getArgOperand(1), .reads = reads, .writes = writes});
  return true;
}

WrittenFiles::Unit WrittenFiles::unitOf(const Value &value) {
  if (const auto *number = dyn_cast<ConstantInt>(&value))
    return {nullptr, number->getSExtValue()};
  if (const auto *load = dyn_cast<LoadInst>(&value))
    return {getUnderlyingObject(load->getPointerOperand()), 0};
  return {&value, 0};
}

/// The first 32-bit integer: it comes first, or behind the format.
WrittenFiles::Unit WrittenFiles::unitOfStatement(const CallBase &begin) {
  for (const Use &argument : begin.args())
    if (argument->getType()->isIntegerTy(32))
      return unitOf(*argument.get());
  return {&begin, 0};
}

bool WrittenFiles::lookAtFortran(const CallBase &call, StringRef name) {
  if (name.starts_with("_FortranAioInquireInteger")) {
    if (asksForLength(call))
      unseen_.push_back(&call);
    return true;
  }
  if (!name.consume_front("_FortranAioBegin"))
    return false;
  auto placed = [&] {
    return any_of(call.users(), [](const User *user) {
      const auto *next = dyn_cast<CallBase>(user);
      return next &&
             (calleeOf(*next) == "_FortranAioSetRec" || calleeOf(*next) == "_FortranAioSetPos");
    });
  };
  const bool data = name.starts_with("External") || name.starts_with("Unformatted");
  if (data && name.ends_with("Output"))
    written_.push_back({&call, unitOfStatement(call), placed()});
  else if (data && name.ends_with("Input"))
    read_.push_back({&call, unitOfStatement(call), placed()});
  else if (name == "Rewind" || name == "Backspace")
    placings_.emplace_back(&call, unitOfStatement(call));
  else if (name == "OpenUnit" || name == "OpenNewUnit")
    openUnit(call, name == "OpenUnit");
  return true;
}

/// OPEN: its words are calls that take the statement.
void WrittenFiles::openUnit(const CallBase &begin, bool numbered) {
  Opening opening{.call = &begin, .name = nullptr, .fortran = true};
  if (numbered)
    opening.unit = unitOf(*begin.getArgOperand(0));
  for (const User *user : begin.users()) {
    const auto *word = dyn_cast<CallBase>(user);
    StringRef name = word ? calleeOf(*word) : "";
    if (name == "_FortranAioGetNewUnit")
      opening.unit = {getUnderlyingObject(word->getArgOperand(1)), 0};
    if (name != "_FortranAioSetFile" && name != "_FortranAioSetAction" &&
        name != "_FortranAioSetStatus")
      continue;
    const Value *text = word->getArgOperand(1);
    const int64_t length = numberAt(*word, 2).value_or(-1);
    if (name == "_FortranAioSetFile") {
      opening.name = text;
      opening.length = length;
      continue;
    }
    const std::optional<StringRef> constant = textOf(*text, length);
    opening.onlyWrites |= constant && (constant->equals_insensitive("write") ||
                                       constant->equals_insensitive("replace") ||
                                       constant->equals_insensitive("new"));
    opening.reads &= !constant || !constant->equals_insensitive("write");
    opening.writes &= !constant || !constant->equals_insensitive("read");
    // It has no name by which another could read it.
    if (constant && constant->equals_insensitive("scratch"))
      ways_.push_back(&begin);
  }
  openings_.push_back(opening);
}

bool WrittenFiles::enterScope(const Scope &scope) {
  const CallBase *before = sign_;
  sign_ = wish_ == FilesWish::Check ? findSign(scope) : nullptr;
  return before != sign_;
}

const CallBase *WrittenFiles::findSign(const Scope &scope) const {
  if (!ways_.empty())
    return ways_.front();
  for (const CallBase *call : unseen_)
    if (scope.contains(call->getParent()))
      return call;
  if (const CallBase *call = findPlacing(scope))
    return call;
  return findPair(scope);
}

bool WrittenFiles::transfers(const std::vector<Transfer> &transfers, const Unit &unit) const {
  return any_of(transfers, [&](const Transfer &transfer) { return transfer.unit == unit; });
}

/// A statement by which a unit that was written is read.
const CallBase *WrittenFiles::findPlacing(const Scope &scope) const {
  for (const auto &[call, unit] : placings_)
    if (scope.contains(call->getParent()) && transfers(written_, unit) && transfers(read_, unit))
      return call;
  for (const Transfer &read : read_)
    if (read.placed && scope.contains(read.call->getParent()) && transfers(written_, read.unit))
      return read.call;
  return nullptr;
}

/// An opening for reading of what another one writes.
const CallBase *WrittenFiles::findPair(const Scope &scope) const {
  for (const Opening &read : openings_)
    if (read.reads && scope.contains(read.call->getParent()) &&
        (!read.fortran || transfers(read_, read.unit)))
      for (const Opening &written : openings_)
        if (mayReadBack(written, read))
          return read.call;
  return nullptr;
}

bool WrittenFiles::mayReadBack(const Opening &written, const Opening &read) const {
  // What MPI writes and MPI reads is followed by the slice. A wrapper, which opens now this and now
  // that, is no sign.
  if (!written.writes || (written.byMpi && read.byMpi) || written.call == read.call)
    return false;
  if (written.fortran && !transfers(written_, written.unit))
    return false;
  if (!written.name || !read.name || !mayBeSameName(written, read))
    return false;
  // Where it runs once, what is read before is not what is written.
  const Function &function = *read.call->getFunction();
  const bool once = function.getName() == "main" || function.getName() == "_QQmain";
  return !once || written.call->getFunction() != &function ||
         isPotentiallyReachable(written.call, read.call);
}

bool WrittenFiles::mayBeSameName(const Opening &a, const Opening &b) const {
  const std::optional<StringRef> text = textOf(*a.name, a.length),
                                 other = textOf(*b.name, b.length);
  if (text && other)
    return *text == *other;
  const SmallPtrSet<const Value *, 4> holders = holdersOf(*a.name);
  if (any_of(holdersOf(*b.name), [&](const Value *holder) { return holders.contains(holder); }))
    return true;
  // Memory that nothing is known of is the same only if nothing is known of any.
  const PointsTo &pointsTo = program_.pointsTo();
  SmallVector<Cell> cells = pointsTo.cellsFrom(a.name);
  return any_of(pointsTo.cellsFrom(b.name), [&](Cell cell) {
    return binary_search(cells, cell) &&
           (cell != PointsTo::Unknown || pointsTo.pooledObjects() > 0);
  });
}

bool WrittenFiles::isContents(const CallBase &call) const {
  StringRef name = calleeOf(call);
  if (name.empty())
    return false;
  if (is_contained(Writers, name))
    return true;
  if (name.starts_with("_ZNSo") || name.starts_with("_ZStls") ||
      name.starts_with("_ZSt16__ostream_insert") || name.starts_with("_ZSt4endl") ||
      name.starts_with("_ZSt5flush") || name.starts_with("_ZNSt13basic_ostream"))
    return program_.pointsTo().kindOf(call) == EffectKind::Output;
  if (!name.consume_front("_FortranAio"))
    return false;
  if (name.consume_front("Begin"))
    return name == "Flush" || ((name.starts_with("External") || name.starts_with("Unformatted")) &&
                               name.ends_with("Output"));
  // What takes the statement.
  SmallVector<const Value *, 2> begins;
  if (call.arg_empty() || !call.getArgOperand(0)->getType()->isPointerTy())
    return false;
  getUnderlyingObjects(call.getArgOperand(0), begins);
  return all_of(begins, [&](const Value *begin) {
    const auto *statement = dyn_cast<CallBase>(begin);
    return statement && statement != &call &&
           calleeOf(*statement).starts_with("_FortranAioBegin") && isContents(*statement);
  });
}

bool WrittenFiles::isOpenedToWrite(const CallBase &call) const {
  StringRef name = calleeOf(call);
  if (!name.starts_with("_FortranAio"))
    return !is_contained({"write", "pwrite", "pwrite64", "dprintf", "__dprintf_chk"}, name);
  if (!name.starts_with("_FortranAioBegin")) {
    const auto *begin = dyn_cast<CallBase>(call.getArgOperand(0));
    return begin && calleeOf(*begin).starts_with("_FortranAioBegin") && isOpenedToWrite(*begin);
  }
  // A unit that nobody opens makes a file of its own: fort.9. And one that may be read, too, counts
  // as written only by what is really written.
  const Unit unit = unitOfStatement(call);
  if (any_of(read_, [&](const Transfer &read) {
        return read.unit == unit || read.unit.first || unit.first;
      }))
    return false;
  bool any = false;
  for (const Opening &opening : openings_)
    if (opening.fortran && opening.unit == unit) {
      any = true;
      if (!opening.onlyWrites)
        return false;
    }
  return any;
}

SmallVector<const CallBase *> WrittenFiles::looksAtFiles() const {
  SmallVector<const CallBase *> calls(asked_.begin(), asked_.end());
  for (const Opening &opening : openings_)
    if (opening.reads && !opening.writes && !opening.fortran && !opening.byMpi)
      calls.push_back(opening.call);
  return calls;
}

} // namespace gnomon
