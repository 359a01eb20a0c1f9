// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What functions outside the program do with memory: libc, libm, the runtimes of C++ and Fortran,
/// BLAS and other libraries, LLVM's intrinsics. The facts are data (Externals.def and libraries/); a
/// name that is not there is Unknown and its IR attributes refine it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace gnomon {

enum class EffectKind : uint8_t {
  Pure,     ///< a value from values (and from what it reads); writes nothing but what is said
  Numeric,  ///< writes floating-point data, computed from floating-point data and from scalars
  Copy,     ///< *argument 0 becomes *argument 1, pointers in it included
  Fill,     ///< writes bytes that are no pointers
  Allocate, ///< returns, or stores in an argument, memory that nothing else refers to
  Renew,    ///< the same, with what argument 0 held; that allocation's life ends
  Free,     ///< ends the life of an allocation
  Output,   ///< I/O out of the process: always executed; the program cannot see the values again
  Input,    ///< I/O into the process: what it writes comes from outside
  NoReturn, ///< ends the process, or throws, or reports a broken invariant
  Callback, ///< calls a function that it is given, then or later
  Order,    ///< sorts by a function that it is given, and calls only meanwhile
  Clock,    ///< a random number, a process's state: other at each call, and at the next
  Time,     ///< a reading of a clock: other at each call, but nobody sees that it was read
  Mpi,      ///< an MPI function: roles of its arguments are known elsewhere (MpiRoles)
  Communicates, ///< a library's function that calls MPI itself: always executed, on right data
  Unknown ///< may read, write and keep all that its arguments reach, and call what has escaped
};

/// Size of a std::string of libstdc++: the address of its characters, their number, room for a few.
constexpr uint64_t StringBytes = 32;
/// Of these the last: room for a short text, to which its first pointer leads then.
constexpr int64_t StringRoom = 16;

/// What is done with one pointer argument. Depth one is the object that it points to.
struct ArgumentEffect {
  bool read = false;        ///< reads that object
  bool written = false;     ///< writes that object, no pointers into the program's memory
  bool text = false;        ///< characters lie there
  bool shape = false;       ///< addresses and bounds of a descriptor are read
  bool deep = false;        ///< read and written hold for all that is reachable too
  bool kept = false;        ///< may be remembered and used after the call
  bool keptInside = false;  ///< the pointers that lie there may be
  bool called = false;      ///< a function: is called, with pointers that the other arguments give
  bool inResult = false;    ///< the result refers to it
  bool thrown = false;      ///< an exception: handlers get it
  bool storesFresh = false; ///< a pointer to new memory is stored there
  bool keepsFresh = false;  ///< and that memory may be used after the call
  bool manyFresh = false; ///< any number of such pointers, at any place, and that memory is written
  bool storesUnit = false; ///< what refers to the arguments with `inResult` is stored there
  bool behind =
      false;         ///< the pointer that lies there is read, and all that is reachable from it is
                     ///< read and written
  bool list = false; ///< a list of variable arguments: they are read, and read and written is
                     ///< what they refer to
  bool classObject = false; ///< an object of a library's class: holds pointers to itself, to new
                            ///< memory and to the library's
  bool string = false;      ///< a std::string: read and written are the object and its characters
  bool mayBeString = false; ///< of a row: that, characters, or else what the other words say
  bool array =
      false; ///< a descriptor of Fortran, which is read: read and written hold for the array's elements, not
             ///< for what these refer to; with storesFresh, a descriptor and new memory are made
  bool shapeWritten = false; ///< of an array: its descriptor is written too
  bool moved =
      false; ///< of an array: its memory goes from argument 1 to argument 0; no element is touched
  bool links = false; ///< a node of std::map or std::list: read and written are the links of all
                      ///< nodes that it is linked with, not what lies behind these
  bool resumed =
      false; ///< text that later calls of the function go on in, when they are handed none
  bool advances =
      false; ///< the pointer that lies there is read, and moves on in its text, which is read and written
  bool readBehind = false;    ///< what the pointers that lie there lead to is read
  bool writtenBehind = false; ///< the same is written
  bool environment = false;   ///< is a part of the environment from then on
  bool onlyNull = false;      ///< of a row: where it is not null, nothing is known of the call
  bool storesLibrary = false; ///< a pointer that the library keeps, or its own, is stored there
  bool storesBase =
      false; ///< a pointer to where the descriptor that is argument 0 leads is stored there
  bool floats = false;    ///< what is read is floating-point data
  bool integers = false;  ///< of a Numeric function: integers are written there
  bool anyNumber = false; ///< a number of which any will do
  int8_t storesArgument =
      -1; ///< the pointer of this argument (at any offset) is stored in that object
};

enum class Returned : uint8_t {
  Value,           ///< no pointer
  Argument,        ///< that argument itself: `returnedArgument`
  InsideArgument,  ///< any place in the object of `returnedArgument`
  Fresh,           ///< memory that nothing else refers to
  AnyArgument,     ///< any place in the object of any argument
  Resumed,         ///< any place in the text that the function was handed, now or before
  Linked,          ///< a node that the arguments with `links` are linked with
  Unit,            ///< new memory that refers to the arguments with `inResult`
  Library,         ///< memory that belongs to the library: a handle, a static buffer
  ArgumentOrFresh, ///< that argument itself, or new memory where it is null
  Environment,     ///< a text of the environment: the library's, or one that has joined it
  Advanced,        ///< any place in the text that an argument with `advances` leads to
  Unknown
};

/// How a function that does not return ends.
enum class Ending : uint8_t {
  None,  ///< it returns, or nothing is known
  Error, ///< because something went wrong
  Code,  ///< argument 0 is the process's exit code
  Stop,  ///< Fortran's STOP: a code, and whether it is ERROR STOP
  Throw  ///< an exception
};

struct Effect {
  EffectKind kind = EffectKind::Unknown;
  Returned returned = Returned::Unknown;
  uint8_t returnedArgument = 0;
  Ending ending = Ending::None;
  bool known = false;      ///< has a row in the table, or attributes that say all
  bool readsFiles = false; ///< an Input, also where it communicates besides
  llvm::SmallVector<ArgumentEffect, 6> arguments;
  bool byShape = false;   ///< addresses and bounds that it writes rest on those that it reads
  bool strict = false;    ///< numbers that it does not accept end the run
  bool verdict = false;   ///< of an Output: the result rests on what is put out
  bool mayBeLong = false; ///< a call of it may be a burst
  bool readsEnvironment = false; ///< looks for a variable in it
  bool readsFlags = false;       ///< those that floating-point arithmetic raises
  bool writesFlags = false;      ///< by its purpose, not because it computes
  bool names = false; ///< changes which files there are under which names, and its result tells
  bool repeatsLast = false; ///< the last of `arguments` holds for all that follow

  ArgumentEffect argument(unsigned index) const;
  /// Whether the result is the argument, or points into its object.
  bool returnsArgument(unsigned index) const;
  /// Whether the result may be the argument, or refer to it.
  bool mayReturn(unsigned index) const;
  /// Whether the address that is that argument, of so many, may go elsewhere than into the result, or more than its
  /// object is touched by it.
  bool mayKeep(unsigned index, unsigned arguments) const;
  /// May touch memory that its arguments do not reach, or keep what they reach.
  bool isUnknown() const { return kind == EffectKind::Unknown; }
};

/// A row of a table.
struct NamedEffect {
  std::string name;
  Effect effect;
};

/// A library whose files or plans ranks may share: libraries/Sharing.def.
struct Sharing {
  llvm::StringLiteral functions, makers; ///< how their names begin
};

/// Whether the call, of an external function with that effect, may leave something in errno.
bool maySetErrno(const llvm::CallBase &call, const Effect &effect);
/// Whether it may raise flags of floating-point exceptions because it computes.
bool mayRaiseFlags(const Effect &effect);
/// The function whose result is errno's address.
constexpr llvm::StringLiteral ErrnoAddress = "__errno_location";

/// Whether a function of that kind gives new memory.
inline bool allocates(EffectKind kind) {
  return kind == EffectKind::Allocate || kind == EffectKind::Renew;
}

/// The function with a body that an Order calls; null: another kind, or not known.
const llvm::Function *orderedBy(const llvm::CallBase &call, const Effect &effect);

class Externals {
public:
  /// What \p users say goes before what the tables say. Whether some libraries communicate
  /// (Sharing.def) rests on which functions the module uses.
  explicit Externals(const llvm::Module &module, llvm::ArrayRef<NamedEffect> users = {});

  /// Of a declaration. A definition's effect is what its body does: Unknown here.
  Effect of(const llvm::Function &function) const;
  /// Of the declaration that it calls, refined by the call's own attributes. Unknown for indirect
  /// calls and for inline assembly.
  Effect of(const llvm::CallBase &call) const;
  /// A variable of a library whose contents never refer to the program's memory (stdout, vtables).
  bool isLibraryVariable(llvm::StringRef name) const;
  /// Of whatever function of a library has that name.
  Effect byName(llvm::StringRef name) const;

private:
  bool mayShare(const llvm::Module &module, const Sharing &sharing) const;
  void setCommunicating(llvm::StringRef functions);

  llvm::StringMap<Effect> table_;
  llvm::StringMap<Effect> prefixes_;
  unsigned longestPrefix_ = 0;
  bool storesCounts_; ///< a format that is made at run time may have "%n": a constant has it
};

} // namespace gnomon
