// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// User handles. A handle is a small integer cast to the ABI's pointer type, so that Fortran's
/// INTEGER handle is the same number:
///   predefined   the ABI's own number, below 0x1000
///   otherwise    kind << 27 | index into the rank's table of that kind   (above 0xfff, below 2^31)
/// Tables are per rank: equal handles of two ranks name different objects. A handle that names
/// nothing (never made, freed, of another kind) is found to be null, never dereferenced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// The ABI's handle types, as the generated mpi.h declares them (a repeated typedef is legal).
typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct MPI_ABI_Errhandler *MPI_Errhandler;
typedef struct MPI_ABI_File *MPI_File;
typedef struct MPI_ABI_Group *MPI_Group;
typedef struct MPI_ABI_Info *MPI_Info;
typedef struct MPI_ABI_Message *MPI_Message;
typedef struct MPI_ABI_Op *MPI_Op;
typedef struct MPI_ABI_Request *MPI_Request;
typedef struct MPI_ABI_Session *MPI_Session;
typedef struct MPI_ABI_Win *MPI_Win;

namespace gnomon::process {
class Rank;
}

namespace gnomon::mpi {

class Comm;
class Datatype;
class Errhandler;
class File;
class Group;
class Info;
class Message;
class Op;
class Request;
class Session;
class Win;

/// The part of a handle above its index; 0 is no kind.
enum class HandleKind : uint8_t {
  Comm = 1,
  Datatype,
  Errhandler,
  File,
  Group,
  Info,
  Message,
  Op,
  Request,
  Session,
  Win
};
inline constexpr size_t HandleKindCount = 12;

/// Of each class that has handles: its kind, its ABI type, and the ABI's number of its null handle.
template <class T> struct HandleTraits;
#define GNOMON_HANDLE(CLASS, NULL_CODE)                                                            \
  template <> struct HandleTraits<CLASS> {                                                         \
    using Handle = MPI_##CLASS;                                                                    \
    static constexpr HandleKind kind = HandleKind::CLASS;                                          \
    static constexpr uintptr_t nullCode = NULL_CODE;                                               \
  }
GNOMON_HANDLE(Comm, 0x100);
GNOMON_HANDLE(Datatype, 0x200);
GNOMON_HANDLE(Errhandler, 0x140);
GNOMON_HANDLE(File, 0x118);
GNOMON_HANDLE(Group, 0x108);
GNOMON_HANDLE(Info, 0x130);
GNOMON_HANDLE(Message, 0x128);
GNOMON_HANDLE(Op, 0x20);
GNOMON_HANDLE(Request, 0x180);
GNOMON_HANDLE(Session, 0x120);
GNOMON_HANDLE(Win, 0x110);
#undef GNOMON_HANDLE

template <class T> using HandleOf = typename HandleTraits<T>::Handle;

/// The null handle of a class, such as MPI_REQUEST_NULL.
template <class T> HandleOf<T> nullHandle() {
  return reinterpret_cast<HandleOf<T>>(HandleTraits<T>::nullCode);
}

/// One rank's objects of one kind. Insert and erase are O(1); an index is used again after its
/// erasure. Most ranks have objects of one kind or two: a table without any is a null pointer.
class HandleTable {
public:
  static constexpr uint32_t IndexBits = 27;

  uintptr_t insert(HandleKind kind, void *object) {
    if (!inside_ || inside_->freeHead == 0) [[unlikely]]
      addSlot();
    Inside &inside = *inside_;
    const uint32_t index = inside.freeHead;
    Slot &slot = inside.slots[index];
    inside.freeHead = static_cast<uint32_t>(slot.bits >> 1);
    slot.bits = reinterpret_cast<uintptr_t>(object);
    ++inside.live;
    return static_cast<uintptr_t>(kind) << IndexBits | index;
  }
  void *find(HandleKind kind, uintptr_t handle) const {
    if (handle >> IndexBits != static_cast<uintptr_t>(kind) || !inside_)
      return nullptr;
    const uintptr_t index = indexOf(handle);
    const std::vector<Slot> &slots = inside_->slots;
    if (index >= slots.size() || (slots[index].bits & 1))
      return nullptr;
    return reinterpret_cast<void *>(slots[index].bits);
  }
  /// \p handle must be one that find() finds.
  void erase(uintptr_t handle) {
    const uintptr_t index = indexOf(handle);
    inside_->slots[index].bits = uintptr_t{inside_->freeHead} << 1 | 1;
    inside_->freeHead = static_cast<uint32_t>(index);
    --inside_->live;
  }
  /// Objects entered and not erased: what a rank leaks when it ends.
  size_t live() const { return inside_ ? inside_->live : 0; }
  /// Keeps where the program made the object of a handle that find() finds.
  void setSite(uintptr_t handle, const void *site);
  /// visit(object, site); the site is null where none was set.
  template <class Visit> void forEachSited(Visit visit) const {
    for (size_t i = 0; inside_ && i < inside_->slots.size(); ++i)
      if (const Slot &slot = inside_->slots[i]; !(slot.bits & 1))
        visit(reinterpret_cast<void *>(slot.bits),
              i < inside_->sites.size() ? inside_->sites[i] : nullptr);
  }
  template <class Visit> void forEach(Visit visit) const {
    forEachSited([&](void *object, const void *) { visit(object); });
  }

private:
  /// An object's address (even), or next free index << 1 | 1.
  struct Slot {
    uintptr_t bits;
  };
  struct Inside {
    std::vector<Slot> slots;
    std::vector<const void *> sites; ///< by index; shorter where none was set
    uint32_t freeHead = 0, live = 0;
  };
  /// One more, which is free.
  void addSlot();
  static uintptr_t indexOf(uintptr_t handle) { return handle & ((uintptr_t{1} << IndexBits) - 1); }
  std::unique_ptr<Inside> inside_;
};

/// Keeps where the rank's present call was made, for the report of what is not freed.
void noteSite(process::Rank &rank, HandleKind kind, uintptr_t handle);

/// The table of \p rank for a kind.
HandleTable &handleTable(process::Rank &rank, HandleKind kind);

/// The object behind one of the ABI's own numbers (below 0x1000), null when there is none (or it is
/// the null handle). Defined by whoever owns the class.
template <class T> T *findPredefined(process::Rank &rank, HandleOf<T> handle) { return nullptr; }
template <> Comm *findPredefined<Comm>(process::Rank &, MPI_Comm);
template <> Datatype *findPredefined<Datatype>(process::Rank &, MPI_Datatype);
template <> Errhandler *findPredefined<Errhandler>(process::Rank &, MPI_Errhandler);
template <> Group *findPredefined<Group>(process::Rank &, MPI_Group);
template <> Info *findPredefined<Info>(process::Rank &, MPI_Info);
template <> Message *findPredefined<Message>(process::Rank &, MPI_Message);
template <> Op *findPredefined<Op>(process::Rank &, MPI_Op);

/// The object that \p handle names on \p rank; null when it names none (null handle, freed, wrong
/// kind).
template <class T> T *find(process::Rank &rank, HandleOf<T> handle) {
  auto bits = reinterpret_cast<uintptr_t>(handle);
  if (bits < 0x1000)
    return findPredefined<T>(rank, handle);
  return static_cast<T *>(
      handleTable(rank, HandleTraits<T>::kind).find(HandleTraits<T>::kind, bits));
}

/// Enters \p object (not null) and returns its new handle. The table does not own the object.
template <class T> HandleOf<T> insert(process::Rank &rank, T *object) {
  constexpr HandleKind kind = HandleTraits<T>::kind;
  const uintptr_t handle = handleTable(rank, kind).insert(kind, object);
  // Requests are made and ended all the time, and know their site themselves.
  if constexpr (kind != HandleKind::Request)
    noteSite(rank, kind, handle);
  return reinterpret_cast<HandleOf<T>>(handle);
}

/// Takes a handle that find() finds, and that is not predefined, out of the table.
template <class T> void erase(process::Rank &rank, HandleOf<T> handle) {
  handleTable(rank, HandleTraits<T>::kind).erase(reinterpret_cast<uintptr_t>(handle));
}

} // namespace gnomon::mpi
