// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/File.h"

#include "io/Runtime.h"
#include "mpi.h"
#include "mpi/RankState.h"
#include "mpi/request/Operations.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace gnomon::mpi {

File::File(Comm &own, std::shared_ptr<io::SharedFile> opened, std::string userName)
    : comm(own), shared(std::move(opened)), view(io::plainView(io::representations(own.owner()))),
      errhandler(state(own.owner()).fileErrhandler), name(std::move(userName)) {
  retain(*errhandler);
  comm.name = "file " + name;
}

File &File::open(Comm &own, std::shared_ptr<io::SharedFile> opened, std::string name) {
  auto file = std::make_shared<File>(own, std::move(opened), std::move(name));
  file->handle = insert<File>(file->owner(), file.get());
  file->self_ = file;
  return *file;
}

void File::close() {
  erase<File>(owner(), handle);
  handle = nullptr;
  self_.reset(); // perhaps the end of *this
}

File::~File() {
  release(owner(), *errhandler);
  comm.release();
}

bool File::writable() const { return !(shared->amode & MPI_MODE_RDONLY); }
bool File::readableByMode() const { return !(shared->amode & MPI_MODE_WRONLY); }
bool File::sequential() const { return shared->amode & MPI_MODE_SEQUENTIAL; }

} // namespace gnomon::mpi

namespace gnomon::io {

int fail(const File &file, int errorClass, std::string detail) {
  return mpi::fail(file.owner(), errorClass, file.name + ": " + std::move(detail));
}

int fail(const File &file, const Error &error) {
  return mpi::fail(file.owner(), error.errorClass, error.detail);
}

std::string withoutPrefix(const std::string &filename) {
  for (const char *prefix : {"ufs:", "nfs:", "panfs:", "lustre:", "gpfs:", "testfs:", "daos:"})
    if (filename.starts_with(prefix))
      return filename.substr(std::char_traits<char>::length(prefix));
  return filename;
}

std::string absolutePath(const char *filename) {
  std::error_code failed;
  return std::filesystem::absolute(withoutPrefix(filename), failed).lexically_normal().string();
}

static uintptr_t bits(MPI_File handle) { return reinterpret_cast<uintptr_t>(handle); }

/// Null: of MPI_FILE_NULL.
static mpi::ErrorTarget errorTarget(process::Rank &rank, const File *file) {
  return file ? mpi::ErrorTarget{file->errhandler, bits(file->handle)}
              : mpi::ErrorTarget{mpi::state(rank).fileErrhandler, bits(MPI_FILE_NULL)};
}

mpi::Request *newAccess(File &file, const char *name) {
  mpi::Request *request = mpi::newRequest<mpi::FileAccess>(file.comm, name);
  request->active = true;
  auto &access = *request->as<mpi::FileAccess>();
  access.file = file.shared_from_this();
  access.failed = [](const File &own) {
    mpi::state(own.owner()).rare().failureTarget =
        errorTarget(own.owner(), own.handle ? &own : nullptr);
  };
  return request;
}

bool isHint(std::string_view key) {
  static constexpr std::array<std::string_view, 17> reserved{"access_style",
                                                             "collective_buffering",
                                                             "cb_block_size",
                                                             "cb_buffer_size",
                                                             "cb_nodes",
                                                             "chunked",
                                                             "chunked_item",
                                                             "chunked_size",
                                                             "file_perm",
                                                             "io_node_list",
                                                             "nb_proc",
                                                             "num_io_nodes",
                                                             "striping_factor",
                                                             "striping_unit",
                                                             "mpi_minimum_memory_alignment",
                                                             "romio_cb_read",
                                                             "romio_cb_write"};
  return std::find(reserved.begin(), reserved.end(), key) != reserved.end();
}

void useHints(File &file, const mpi::Info *info) {
  file.hints.set("filename", file.name);
  if (!info)
    return;
  for (const auto &[key, value] : info->entries())
    if (isHint(key))
      file.hints.set(key, value);
}

int raiseError(process::Rank &rank, File *file, int errorClass, const char *function,
               const std::string &detail) {
  mpi::RankState &own = mpi::state(rank);
  own.rare().failureTarget = errorTarget(rank, file);
  return mpi::raiseError(nullptr, errorClass, function, detail);
}

} // namespace gnomon::io
