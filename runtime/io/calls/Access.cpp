// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that read and write: for each pair, where the place is and whether it is
/// collective (MPI 4.1, section 14.4).
#include "io/Access.h"
#include "impl/Impl.h"

namespace gnomon::impl {

using namespace mpi;
using io::Access;
using io::Place;

// Explicit offsets.
int File_read_at(File &fh, MPI_Offset offset, void *buf, MPI_Count count, Datatype &datatype,
                 MPI_Status *status) {
  return io::perform(
      fh, {"MPI_File_read_at", false, Place::Explicit, false, buf, count, datatype, offset},
      status);
}
int File_iread_at(File &fh, MPI_Offset offset, void *buf, MPI_Count count, Datatype &datatype,
                  MPI_Request *request) {
  return io::start(
      fh, {"MPI_File_iread_at", false, Place::Explicit, false, buf, count, datatype, offset},
      request);
}
int File_read_at_all(File &fh, MPI_Offset offset, void *buf, MPI_Count count, Datatype &datatype,
                     MPI_Status *status) {
  return io::perform(
      fh, {"MPI_File_read_at_all", false, Place::Explicit, true, buf, count, datatype, offset},
      status);
}
int File_iread_at_all(File &fh, MPI_Offset offset, void *buf, MPI_Count count, Datatype &datatype,
                      MPI_Request *request) {
  return io::start(
      fh, {"MPI_File_iread_at_all", false, Place::Explicit, true, buf, count, datatype, offset},
      request);
}
int File_read_at_all_begin(File &fh, MPI_Offset offset, void *buf, MPI_Count count,
                           Datatype &datatype) {
  return io::begin(
      fh, {"MPI_File_read_at_all", false, Place::Explicit, true, buf, count, datatype, offset});
}
int File_read_at_all_end(File &fh, void *buf, MPI_Status *status) {
  return io::end(fh, "MPI_File_read_at_all", status);
}
int File_write_at(File &fh, MPI_Offset offset, const void *buf, MPI_Count count, Datatype &datatype,
                  MPI_Status *status) {
  return io::perform(fh,
                     {"MPI_File_write_at", true, Place::Explicit, false, const_cast<void *>(buf),
                      count, datatype, offset},
                     status);
}
int File_iwrite_at(File &fh, MPI_Offset offset, const void *buf, MPI_Count count,
                   Datatype &datatype, MPI_Request *request) {
  return io::start(fh,
                   {"MPI_File_iwrite_at", true, Place::Explicit, false, const_cast<void *>(buf),
                    count, datatype, offset},
                   request);
}
int File_write_at_all(File &fh, MPI_Offset offset, const void *buf, MPI_Count count,
                      Datatype &datatype, MPI_Status *status) {
  return io::perform(fh,
                     {"MPI_File_write_at_all", true, Place::Explicit, true, const_cast<void *>(buf),
                      count, datatype, offset},
                     status);
}
int File_iwrite_at_all(File &fh, MPI_Offset offset, const void *buf, MPI_Count count,
                       Datatype &datatype, MPI_Request *request) {
  return io::start(fh,
                   {"MPI_File_iwrite_at_all", true, Place::Explicit, true, const_cast<void *>(buf),
                    count, datatype, offset},
                   request);
}
int File_write_at_all_begin(File &fh, MPI_Offset offset, const void *buf, MPI_Count count,
                            Datatype &datatype) {
  return io::begin(fh, {"MPI_File_write_at_all", true, Place::Explicit, true,
                        const_cast<void *>(buf), count, datatype, offset});
}
int File_write_at_all_end(File &fh, const void *buf, MPI_Status *status) {
  return io::end(fh, "MPI_File_write_at_all", status);
}

// Individual pointers.
int File_read(File &fh, void *buf, MPI_Count count, Datatype &datatype, MPI_Status *status) {
  return io::perform(fh, {"MPI_File_read", false, Place::Individual, false, buf, count, datatype},
                     status);
}
int File_iread(File &fh, void *buf, MPI_Count count, Datatype &datatype, MPI_Request *request) {
  return io::start(fh, {"MPI_File_iread", false, Place::Individual, false, buf, count, datatype},
                   request);
}
int File_read_all(File &fh, void *buf, MPI_Count count, Datatype &datatype, MPI_Status *status) {
  return io::perform(
      fh, {"MPI_File_read_all", false, Place::Individual, true, buf, count, datatype}, status);
}
int File_iread_all(File &fh, void *buf, MPI_Count count, Datatype &datatype, MPI_Request *request) {
  return io::start(fh, {"MPI_File_iread_all", false, Place::Individual, true, buf, count, datatype},
                   request);
}
int File_read_all_begin(File &fh, void *buf, MPI_Count count, Datatype &datatype) {
  return io::begin(fh, {"MPI_File_read_all", false, Place::Individual, true, buf, count, datatype});
}
int File_read_all_end(File &fh, void *buf, MPI_Status *status) {
  return io::end(fh, "MPI_File_read_all", status);
}
int File_write(File &fh, const void *buf, MPI_Count count, Datatype &datatype, MPI_Status *status) {
  return io::perform(
      fh,
      {"MPI_File_write", true, Place::Individual, false, const_cast<void *>(buf), count, datatype},
      status);
}
int File_iwrite(File &fh, const void *buf, MPI_Count count, Datatype &datatype,
                MPI_Request *request) {
  return io::start(
      fh,
      {"MPI_File_iwrite", true, Place::Individual, false, const_cast<void *>(buf), count, datatype},
      request);
}
int File_write_all(File &fh, const void *buf, MPI_Count count, Datatype &datatype,
                   MPI_Status *status) {
  return io::perform(fh,
                     {"MPI_File_write_all", true, Place::Individual, true, const_cast<void *>(buf),
                      count, datatype},
                     status);
}
int File_iwrite_all(File &fh, const void *buf, MPI_Count count, Datatype &datatype,
                    MPI_Request *request) {
  return io::start(fh,
                   {"MPI_File_iwrite_all", true, Place::Individual, true, const_cast<void *>(buf),
                    count, datatype},
                   request);
}
int File_write_all_begin(File &fh, const void *buf, MPI_Count count, Datatype &datatype) {
  return io::begin(fh, {"MPI_File_write_all", true, Place::Individual, true,
                        const_cast<void *>(buf), count, datatype});
}
int File_write_all_end(File &fh, const void *buf, MPI_Status *status) {
  return io::end(fh, "MPI_File_write_all", status);
}

// Shared pointers.
int File_read_shared(File &fh, void *buf, MPI_Count count, Datatype &datatype, MPI_Status *status) {
  return io::perform(
      fh, {"MPI_File_read_shared", false, Place::Shared, false, buf, count, datatype}, status);
}
int File_iread_shared(File &fh, void *buf, MPI_Count count, Datatype &datatype,
                      MPI_Request *request) {
  return io::start(fh, {"MPI_File_iread_shared", false, Place::Shared, false, buf, count, datatype},
                   request);
}
int File_read_ordered(File &fh, void *buf, MPI_Count count, Datatype &datatype,
                      MPI_Status *status) {
  return io::perform(
      fh, {"MPI_File_read_ordered", false, Place::Ordered, true, buf, count, datatype}, status);
}
int File_read_ordered_begin(File &fh, void *buf, MPI_Count count, Datatype &datatype) {
  return io::begin(fh,
                   {"MPI_File_read_ordered", false, Place::Ordered, true, buf, count, datatype});
}
int File_read_ordered_end(File &fh, void *buf, MPI_Status *status) {
  return io::end(fh, "MPI_File_read_ordered", status);
}
int File_write_shared(File &fh, const void *buf, MPI_Count count, Datatype &datatype,
                      MPI_Status *status) {
  return io::perform(fh,
                     {"MPI_File_write_shared", true, Place::Shared, false, const_cast<void *>(buf),
                      count, datatype},
                     status);
}
int File_iwrite_shared(File &fh, const void *buf, MPI_Count count, Datatype &datatype,
                       MPI_Request *request) {
  return io::start(fh,
                   {"MPI_File_iwrite_shared", true, Place::Shared, false, const_cast<void *>(buf),
                    count, datatype},
                   request);
}
int File_write_ordered(File &fh, const void *buf, MPI_Count count, Datatype &datatype,
                       MPI_Status *status) {
  return io::perform(fh,
                     {"MPI_File_write_ordered", true, Place::Ordered, true, const_cast<void *>(buf),
                      count, datatype},
                     status);
}
int File_write_ordered_begin(File &fh, const void *buf, MPI_Count count, Datatype &datatype) {
  return io::begin(fh, {"MPI_File_write_ordered", true, Place::Ordered, true,
                        const_cast<void *>(buf), count, datatype});
}
int File_write_ordered_end(File &fh, const void *buf, MPI_Status *status) {
  return io::end(fh, "MPI_File_write_ordered", status);
}

} // namespace gnomon::impl
