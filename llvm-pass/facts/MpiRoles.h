// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each argument of each MPI function is for, in C and in Fortran: what the search for bursts
/// and the slice know of MPI. The table is generated at build time from runtime/api/table (the rows
/// that mpi.h and the entry points are made of) and compiled in: MpiRoles.inc.
///
/// In Fortran every argument is an address. Choice buffers of mpif.h and `use mpi` (mpi_x_) are
/// plain addresses; discontiguous actual arguments are copied by the caller before and after the
/// call. Those of mpi_f08 (mpi_x_f08ts_) are descriptors: the payload lies where the pointer at
/// offset 0 of the descriptor leads, and around that, for a stride may be negative; the descriptor
/// itself is only read. Handles of mpi_f08 are structs of one INTEGER, at the same address as it.
/// An absent `ierror` is a null pointer.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class Constant;
class Function;
class Use;
} // namespace llvm

namespace gnomon {

enum class MpiRole : uint8_t {
  Control, ///< its value decides communication: count, peer, tag, root, handle, flag, displacement
  ControlArray,  ///< memory that is read and decides communication: counts[], requests[], a status
  SendBuffer,    ///< payload that is read: the address matters, the content only as payload
  ReceiveBuffer, ///< payload that is written
  SendReceiveBuffer, ///< payload that is read and written (MPI_Bcast; where MPI_IN_PLACE may stand)
  Output,   ///< memory that MPI writes a result to: request, status, rank, size, flag, ierror
  InOut,    ///< memory that MPI reads and writes: MPI_Wait's request, dims of MPI_Dims_create
  Callback, ///< a function of the program that MPI may call later
  Memory,   ///< an address that MPI keeps beyond the call: windows, attached buffers, attributes,
            ///< bases of datatypes (MPI_Get_address); payload may be read or written there
  WindowMemory, ///< gets a pointer to memory that MPI keeps and that other ranks read and write:
                ///< a window's
  Text,         ///< characters that are read
  Ignored       ///< neither read nor written
};

/// How many numbers an array has, by the communicator of its call: the ranks that it talks to (the remote group of an
/// intercommunicator); the same at the root, where alone it is read; its own ranks; its topology's neighbours.
enum class MpiLength : uint8_t { None, Peers, PeersAtRoot, Members, Sources, Destinations };

/// One argument as the symbol takes it, Fortran's `ierror` and hidden lengths included.
struct MpiArgument {
  MpiRole role;
  bool byReference; ///< a Control of Fortran: the value is what the argument points to
  /// Of a payload: arguments that hold its number of elements and their type; -1 when it has none.
  /// The count may be a ControlArray (MPI_Alltoallv), so may the type (MPI_Alltoallw).
  int8_t count = -1, datatype = -1;
  /// Of one Output or InOut value, such as a rank or a request, or of one by reference; 0: not known.
  uint8_t bytes = 0;
  bool descriptor = false; ///< a choice buffer of mpi_f08
  /// Of an array of counts or displacements (a ControlArray): its length, and the bytes of one of them.
  MpiLength length = MpiLength::None;
  uint8_t elementBytes = 0;
};

/// What a call does to the program's communication.
enum class MpiEffect : uint8_t {
  Local,      ///< asks or makes something on this rank; others are not involved (MPI_Comm_rank,
              ///< MPI_Type_vector, MPI_Wtime)
  Message,    ///< sends, receives or starts a message, or touches a window or a file
  Progress,   ///< waits for, tests or probes messages: MPI_Wait, MPI_Test, MPI_Iprobe, MPI_Start
  Collective, ///< all ranks of a communicator call it: collectives, MPI_Comm_split, MPI_Win_create
  Run         ///< begins or ends the run: MPI_Init, MPI_Finalize, MPI_Abort
};

struct MpiFunction {
  llvm::StringRef name; ///< "MPI_Send", whatever the symbol was; "MPI_Send_c" for large counts
  bool fortran;
  MpiEffect effect;
  bool reduction;   ///< combines payload element by element with `op`
  bool blocking;    ///< returns when its buffers may be used again (no request comes out)
  bool timing;      ///< its results depend on when it is called: MPI_Test, MPI_Iprobe, MPI_Wtime
  bool noReturn;    ///< MPI_Abort
  int8_t peer = -1; ///< argument with the destination, source, target or root
  int8_t tag = -1;  ///< argument with the tag of what it sends, or receives if it sends nothing
  int8_t comm = -1; ///< the first argument that is a communicator going in
  int8_t op = -1;   ///< the operation of a reduction
  llvm::ArrayRef<MpiArgument> arguments;
};

/// The MPI function behind a declaration, clocks (MPI_Wtime, MPI_Wtick) left out, which are known
/// as any other clock is (Externals.def): MPI_X and PMPI_X, with _c too; mpi_x, mpi_x_ and mpi_x__
/// with or without p. Null when it is none, and when the module defines it (a profiling layer is
/// part of the program). What Fortran's modules add (comparison of handles, MPI_Sizeof) counts as
/// MPI, by the symbol's name. Fortran calls with more arguments than `arguments` pass nothing else.
const MpiFunction *mpiFunction(const llvm::Function &function);

/// The MPI function that is called directly; null when it is none.
const MpiFunction *mpiFunction(const llvm::CallBase &call);

/// What the use is of: an argument of a direct call of MPI.
const MpiArgument &mpiArgumentOf(const llvm::Use &use);

/// What a payload is made of, so far as the call alone tells.
enum class MpiData : uint8_t { Integer, Floating, Numbers, Bytes, Other };

/// Kind of the elements of a predefined datatype: integers and logicals; floating point and
/// complex; one of these, which the program chooses; characters, MPI_BYTE and MPI_PACKED; Other for
/// pairs (MPI_2INT), derived types and what is not known. A variable to which the program only ever
/// stores one type counts as that type.
/// \p index: the argument that holds the type; -1 gives Other.
MpiData dataOf(const llvm::CallBase &call, int index);
/// The same of a predefined datatype itself.
MpiData dataOfType(int64_t type);

/// The value of an argument that is constant: an integer, a handle (an address that is a small
/// number), or in Fortran what it points to (a constant global, or a variable of the caller's stack
/// that is stored to once and not seen by others before the call).
std::optional<int64_t> constantArgument(const llvm::CallBase &call, unsigned index);

/// Of an array of integers or logicals that MPI writes, as many as another argument says (MPI_Cart_get): that argument;
/// -1: it is none.
int integersBy(const MpiFunction &function, unsigned index);

/// How many bytes a buffer of the call holds at most, where its number of elements is constant and
/// its type is predefined, of the kind \p data; -1: that is not known. (Buffers of MPI_Gather and
/// the like hold as many for each rank.)
int64_t bytesOfBuffer(const llvm::CallBase &call, const MpiFunction &function,
                      const MpiArgument &buffer, MpiData data);

/// The integer that a constant stands for: a number, an address that is a number, or the only field
/// of a handle of mpi_f08.
std::optional<int64_t> integerOf(const llvm::Constant &constant);

/// Whether the buffer argument is MPI_BOTTOM, in C or in Fortran: the payload lies wherever the
/// datatype's absolute addresses (Memory arguments of MPI_Get_address) point.
bool isBottom(const llvm::CallBase &call, unsigned index);

/// Whether the buffer argument is MPI_IN_PLACE: no memory of its own.
bool isInPlace(const llvm::CallBase &call, unsigned index);

} // namespace gnomon
