// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/Real.h"

#include <dlfcn.h>

namespace gnomon::process {

void *findNext(const char *name) { return dlsym(RTLD_NEXT, name); }

} // namespace gnomon::process
