// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where a trace is written to. A run gives room output's OutputFile, behind this interface;
/// programs without a simulation, and the libraries that trace real runs, take a FileTarget.
#pragma once

#include <string>
#include <string_view>

namespace gnomon::trace {

class Target {
public:
  virtual ~Target() = default;
  /// Takes bytes, one after another. What goes wrong is kept for finish().
  virtual void write(std::string_view bytes) = 0;
  /// All was written: gives the file its name. What went wrong, at any time ("cannot write a.gtr:
  /// No space left on device"); empty on success.
  virtual std::string finish() = 0;
};

/// A file beside the one of that name, which it replaces in one step when it is finished; without
/// that, it leaves nothing behind. A pipe or device is written to as it is.
class FileTarget final : public Target {
public:
  /// Throws InputError when nothing can be written there.
  explicit FileTarget(std::string path);
  ~FileTarget() override;
  FileTarget(const FileTarget &) = delete;
  FileTarget &operator=(const FileTarget &) = delete;

  void write(std::string_view bytes) override;
  std::string finish() override;

private:
  void openTemporary();
  void flush();
  void fail();

  std::string path_, temporary_; ///< the second is empty once it has its name
  std::string buffer_, error_;
  int descriptor_ = -1;
};

} // namespace gnomon::trace
