// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Info_get_string and MPI_Session_get_nth_pset in Fortran, by hand: lengths count characters
/// there, in C the null byte too (MPI 4.0, sections 10.1 and 11.3.2).
#include "api/Fortran.h"

using namespace gnomon::api;

#define EXPORT extern "C" __attribute__((visibility("default")))
#define WEAK_NAME(NAME)                                                                            \
  extern "C" __attribute__((visibility("default"), weak, alias("p" #NAME))) void NAME

namespace {

/// Room for the text of a call that takes the room's length and gives the text's.
class CountedText {
public:
  /// No more than the argument has room for, whatever \p length says.
  CountedText(MPI_Fint *length, char *text, size_t textLength)
      : given_(length), text_(text), textLength_(textLength),
        room_(*length > 0 ? std::min<size_t>(*length, textLength) : 0), buffer_(room_),
        length_(*length > 0 ? static_cast<int>(room_) + 1 : *length) {}
  int *length() { return &length_; }
  char *data() { return buffer_.data(); }
  void store() {
    if (*given_ > 0)
      buffer_.store(text_, textLength_);
    *given_ = length_ - 1;
  }

private:
  MPI_Fint *given_;
  char *text_;
  size_t textLength_, room_;
  fortran::TextOut buffer_;
  int length_;
};

} // namespace

EXPORT void pmpi_info_get_string_(MPI_Fint *info, char *key, MPI_Fint *buflen, char *value,
                                  MPI_Fint *flag, MPI_Fint *ierror, size_t keyLength,
                                  size_t valueLength) {
  const std::string keyC = fortran::text(key, keyLength);
  CountedText text(buflen, value, valueLength);
  const int code = Info_get_string(__builtin_return_address(0), toHandle<MPI_Info>(*info),
                                   keyC.c_str(), text.length(), text.data(), flag);
  if (code == MPI_SUCCESS && *flag)
    text.store();
  fortran::setError(ierror, code);
}
WEAK_NAME(mpi_info_get_string_)
(MPI_Fint *, char *, MPI_Fint *, char *, MPI_Fint *, MPI_Fint *, size_t, size_t);

EXPORT void pmpi_session_get_nth_pset_(MPI_Fint *session, MPI_Fint *info, MPI_Fint *n,
                                       MPI_Fint *length, char *name, MPI_Fint *ierror,
                                       size_t nameLength) {
  CountedText text(length, name, nameLength);
  const int code =
      Session_get_nth_pset(__builtin_return_address(0), toHandle<MPI_Session>(*session),
                           toHandle<MPI_Info>(*info), *n, text.length(), text.data());
  if (code == MPI_SUCCESS)
    text.store();
  fortran::setError(ierror, code);
}
WEAK_NAME(mpi_session_get_nth_pset_)
(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, char *, MPI_Fint *, size_t);
