// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The file of a rank, while it is written, has `.part` behind its name: what a rank leaves that was
/// killed is seen, and is not taken for a trace.
#pragma once

#include "trace/Target.h"

#include <string>

namespace gnomon::acquisition {

class PartTarget final : public trace::Target {
public:
  /// Throws InputError when nothing can be written there.
  explicit PartTarget(std::string path);
  ~PartTarget() override;
  PartTarget(const PartTarget &) = delete;
  PartTarget &operator=(const PartTarget &) = delete;

  void write(std::string_view bytes) override;
  std::string finish() override;

private:
  void flush();
  void fail(const char *what);

  std::string path_, part_, buffer_, error_;
  int descriptor_ = -1;
};

} // namespace gnomon::acquisition
