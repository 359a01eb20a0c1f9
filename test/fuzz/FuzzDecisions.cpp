// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a file of decisions is understood or refused with an InputError, whatever it holds; what is
// understood is written so that it is understood again, as the same.
#include "output/DecisionFile.h"
#include "output/File.h"
#include "support/Error.h"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace gnomon;

/// Nothing is read here.
std::string output::readFile(const std::string &) { return {}; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  try {
    const std::string written = output::decisionText(output::parseDecisions(text, "fuzz.dec"));
    if (output::decisionText(output::parseDecisions(written, "again.dec")) != written)
      std::abort();
  } catch (const InputError &error) {
    if (error.file() != "fuzz.dec")
      std::abort();
  }
  return 0;
}
