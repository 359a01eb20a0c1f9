// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fakes.h"

#include "process/image/Modules.h"

namespace gnomon::process::test {

Program::Section Program::section;
intptr_t Program::delta = 0;
gnomon_module Program::module;
uint64_t Program::instructions = 0;

namespace {
gnomon_relocation relocation;
}

void Program::use(int (*main)(int, char **, char **)) {
  module.main = main;
  module.flags = 0;
  module.constructor_count = module.destructor_count = 0;
  if (module.version)
    return;
  module.version = GNOMON_MODULE_VERSION;
  module.name = "program";
  module.private_begin = reinterpret_cast<char *>(&section);
  module.data_end = module.zero_begin = reinterpret_cast<char *>(&section.zeros);
  module.private_end = module.private_begin + sizeof section;
  module.alignment = 4096;
  module.delta = &delta;
  module.instructions = &instructions;
  relocation.slot = reinterpret_cast<char *>(&section.pointer);
  module.relocations = &relocation;
  module.relocation_count = 1;
  addModule(module);
}

} // namespace gnomon::process::test
